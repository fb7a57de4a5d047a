import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../json/json.js';
import { pointerSteps, withValueAt } from '../json/pointer.js';
import { didYouMean, nearest } from './problems/nearest.js';
import { problemAt } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import type { Path, Source } from './source.js';

/** What does not fit a schema, at a path of the data. */
export interface SchemaMisfit {
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly message: string;
  /** The message without the place. */
  readonly bare: string;
  readonly hint?: string | undefined;
  readonly error: ErrorObject;
}

/**
 * The data without what does not fit, so that everything else can be checked in the same go; null when too little is left.
 * @param cutOf what is taken out because of something that does not fit
 */
export function withoutMisfits(
  validate: ValidateFunction,
  data: Json,
  cutOf = (path: Path): Path => path,
): Json | null {
  let rest = data;
  // One cut may leave something empty, which is the next misfit.
  for (let round = 0; round < 5; round++) {
    const fits: boolean = validate(rest);
    if (fits) return rest;
    const cuts = schemaMisfits(validate.errors ?? []).map(({ path }) => cutOf(path));
    if (cuts.some(({ length }) => length === 0)) return null;
    // What lies within another cut goes first: it is not there afterwards.
    for (const cut of cuts.sort((one, other) => other.length - one.length))
      rest = withValueAt(rest, cut.map(String), undefined);
  }
  return null;
}

export function misfitProblems(source: Source, misfits: readonly SchemaMisfit[]): Problem[] {
  return misfits.map(({ path, part, message, hint }) => problemAt(source, path, message, hint, { part }));
}

/** Ajv's errors for people, each once, at their places. They must come from an Ajv with `allErrors` and `verbose`. */
export function schemaMisfits(errors: readonly ErrorObject[]): SchemaMisfit[] {
  const misfits = new Map<string, SchemaMisfit>();
  for (const error of relevantErrors(errors)) {
    const finding = findingOf(error);
    if (finding === null) continue;
    const { message, step, hint, part = step === undefined ? 'value' : 'key' } = finding;
    const holder = pointerSteps(error.instancePath);
    const path = step === undefined ? holder : [...holder, step];
    // An index says nothing without its list.
    const where = holder.slice(/^\d+$/.test(String(holder.at(-3))) ? -4 : -3).join('.');
    const whole = where === '' ? message : `${where}: ${message}`;
    misfits.set(JSON.stringify([path, message]), { path, part, message: whole, bare: message, hint, error });
  }
  return [...misfits.values()];
}

interface Finding {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly part?: 'key' | 'value';
  /** A member of the instance that the finding is about. */
  readonly step?: string;
}

/**
 * Drops errors that only repeat another. Of several allowed forms, only the one that was meant counts: when a form
 * fails below the value or in its members, errors about the type of the value come from the other forms. When all forms
 * fail on the type, they are one finding. A key that is missing because it was misspelt is not a second finding either.
 */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors.filter((error) => !(error.keyword === 'required' && isMisspelt(error, errors)));
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const here = (error: ErrorObject) => error.instancePath === choice.instancePath && error !== choice;
    const below = (error: ErrorObject) => error.instancePath.startsWith(`${choice.instancePath}/`);
    const forms = choice.schema as readonly object[];
    const asksForMembers = forms.every((form) => Object.keys(form).join() === 'required');
    const shapes = asksForMembers ? ['required'] : ['type', 'const'];
    const shape = (error: ErrorObject) =>
      here(error) &&
      shapes.includes(error.keyword) &&
      (!asksForMembers || error.schemaPath.startsWith(choice.schemaPath));
    const meant = !asksForMembers && kept.some((error) => below(error) || (here(error) && !shape(error)));
    const types = kept.filter(shape).flatMap((error) => (error.params as { type?: string | string[] }).type ?? []);
    kept = kept
      .filter((error) => !shape(error) && !(meant && error === choice))
      .map((error) => (error === choice ? { ...error, params: { type: [...new Set(types)] } } : error));
  }
  return kept;
}

function isMisspelt(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { missingProperty } = error.params as { missingProperty: string };
  return errors.some(({ keyword, instancePath, params }) => {
    if (keyword !== 'additionalProperties' || instancePath !== error.instancePath) return false;
    // Of a mapping that takes a single key, the hint for the unknown one says it all.
    if (knownKeys(error).length === 1) return true;
    return nearest((params as { additionalProperty: string }).additionalProperty, [missingProperty]) !== null;
  });
}

/** The members that the schema of an error names. */
export function knownKeys({ parentSchema }: ErrorObject): readonly string[] {
  return Object.keys((parentSchema?.['properties'] ?? {}) as object);
}

function findingOf(error: ErrorObject): Finding | null {
  const params = error.params as Readonly<Record<string, unknown>>;
  const schema = (error.parentSchema ?? {}) as JsonObject;
  const value = described(error.data);
  if (error.propertyName !== undefined) {
    const key = error.propertyName;
    return { message: `the key ${JSON.stringify(key.slice(0, 80))} does not fit`, hint: stepIn(schema), step: key };
  }
  switch (error.keyword) {
    case 'propertyNames':
    case 'if':
      return null;
    case 'required':
      return missing(schema, [String(params['missingProperty'])]);
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      return { message: `unknown key "${key}"`, hint: didYouMean(key, knownKeys(error), 'known keys'), step: key };
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
      return { message: `${value} is not allowed here`, hint: didYouMean(String(error.data), allowed, 'allowed') };
    }
    case 'const':
      return { message: `expected ${JSON.stringify(params['allowedValue'])}, found ${value}` };
    case 'pattern':
    case 'format':
    case 'maxLength':
      return { message: `${value} does not fit`, hint: stepIn(schema) };
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { message: 'this must not be empty', hint: stepIn(schema) };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        message: `expected a number ${String(params['comparison'])} ${String(params['limit'])}, found ${value}`,
      };
    case 'uniqueItems':
      return { message: `items ${String(params['j'])} and ${String(params['i'])} (from 0) are the same` };
    case 'not':
    case 'false schema':
      return { message: 'this key is not allowed here', hint: stepIn(schema) ?? 'remove it', part: 'key' };
    case 'type':
    case 'anyOf':
    case 'oneOf': {
      const types = [(params['type'] ?? []) as string | readonly string[]].flat();
      if (types.length > 0)
        return { message: `expected ${kinds(types)}, found ${value}`, hint: typeHint(schema, types) };
      const forms = error.schema as readonly { readonly required?: readonly string[] }[];
      const required = forms.flatMap((form) => form.required ?? []);
      return required.length > 0
        ? missing(schema, required)
        : { message: `${value} does not fit`, hint: stepIn(schema) };
    }
    default:
      return { message: error.message ?? `"${error.keyword}" is not satisfied` };
  }
}

function missing(schema: JsonObject, names: readonly string[]): Finding {
  const message = `${names.map((name) => `"${name}"`).join(' or ')} is missing`;
  const properties = (schema['properties'] ?? {}) as Readonly<
    Record<string, { readonly examples?: readonly unknown[] }>
  >;
  const sample = (name: string): string =>
    JSON.stringify(properties[name]?.examples?.[0] ?? null).replace(/^null$/, '...');
  const hint = stepIn(schema) ?? `add ${names.map((name) => `${name}: ${sample(name)}`).join(' or ')}`;
  return { message, hint, part: 'key' };
}

/** What to write, where the schema says it: "a label: 1 to 64 letters, ...", `{ env: NAME }`, or an example. */
function stepIn({ description, examples, format }: JsonObject): string | undefined {
  if (format === 'date') return 'write a day as YYYY-MM-DD, such as 2026-05-01';
  // A sentence says what a value is for.
  if (typeof description === 'string' && !/^[A-Z]/.test(description))
    return description.startsWith('write ') ? description : `write ${description}`;
  return Array.isArray(examples) ? `write ${JSON.stringify(examples[0])}` : undefined;
}

function typeHint(schema: JsonObject, types: readonly string[]): string {
  const choices = Array.isArray(schema['enum']) ? schema['enum'].join(', ') : null;
  return stepIn(schema) ?? `write ${choices ?? kinds(types)}`;
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'nothing (~)',
};

/** Names of types of JSON Schema, joined. */
function kinds(types: readonly string[]): string {
  const names = types.map((type) => kindNames[type] ?? type);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** How a message refers to a value: its kind, and the value itself when it is short. */
function described(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  const kind = typeof value === 'string' ? 'the text ' : `the ${typeof value} `;
  return text.length > 60 ? `${kind}${text.slice(0, 57)}..."` : `${kind}${text}`;
}
