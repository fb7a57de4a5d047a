import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type Json, type JsonObject, writtenJson, at, pointerSteps, withValueAt } from '../json/json.js';
import { didYouMean, nearest } from './problems/nearest.js';
import type { Path } from './problems/problem.js';

/** A part of the data that does not fit a schema. */
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
 * The data without what does not fit, so that everything else can be checked in the same go; null when too little is
 * left.
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
    // A cut within another one is made first: afterwards its place is gone.
    for (const cut of cuts.sort((one, other) => other.length - one.length)) {
      rest = withValueAt(rest, cut.map(String), undefined);
    }
  }
  return null;
}

/** Ajv's errors for people, each once, at their places. They must come from an Ajv with `allErrors` and `verbose`. */
export function schemaMisfits(errors: readonly ErrorObject[]): SchemaMisfit[] {
  const misfits = new Map<string, SchemaMisfit>();
  for (const error of relevantErrors(errors)) {
    if (error.keyword === 'propertyNames' || error.keyword === 'if') continue;
    const { message, hint, step, part = step === undefined ? 'value' : 'key' } = schemaFinding(error);
    const holder = pointerSteps(error.instancePath);
    const path = step === undefined ? holder : [...holder, step];
    // An index says nothing without its list.
    const where = holder.slice(/^\d+$/.test(String(holder.at(-3))) ? -4 : -3).join('.');
    const whole = where === '' ? message : `${where}: ${message}`;
    misfits.set(writtenJson([path, message]), { path, part, message: whole, bare: message, hint, error });
  }
  return [...misfits.values()];
}

/**
 * Drops errors that only repeat another. Of several allowed forms, only the one that was meant counts: when a form
 * fails below the value or in its members, errors about the type of the value come from the other forms. When all forms
 * fail on the type, they are one finding. A key that is missing because it was misspelt is not a second finding either.
 */
function relevantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors.filter((error) => !(error.keyword === 'required' && isMisspelt(error, errors)));
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const forms = choice.schema as readonly object[];
    const asksForMembers = forms.every((form) => Object.keys(form).join() === 'required');
    const here = (error: ErrorObject): boolean => error.instancePath === choice.instancePath && error !== choice;
    const shape = ({ keyword, schemaPath }: ErrorObject): boolean =>
      asksForMembers
        ? keyword === 'required' && schemaPath.startsWith(choice.schemaPath)
        : keyword === 'type' || keyword === 'const';
    const isOfForm = (error: ErrorObject): boolean =>
      error.instancePath.startsWith(`${choice.instancePath}/`) || (here(error) && !shape(error));
    const meant = !asksForMembers && kept.some(isOfForm);
    const shapes = kept.filter((error) => here(error) && shape(error));
    const types = new Set(shapes.flatMap(({ params }) => (params as { type?: string | string[] }).type ?? []));
    kept = kept
      .filter((error) => !shapes.includes(error) && !(meant && error === choice))
      .map((error) => (error === choice ? { ...error, params: { type: [...types] } } : error));
  }
  return kept;
}

function isMisspelt({ instancePath, params }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { missingProperty } = params as { missingProperty: string };
  return errors.some((other) => {
    if (other.keyword !== 'additionalProperties' || other.instancePath !== instancePath) return false;
    const { additionalProperty } = other.params as { additionalProperty: string };
    // Of a mapping that takes a single key, the hint for the unknown one says it all.
    return knownKeys(other).length === 1 || nearest(additionalProperty, [missingProperty]) !== null;
  });
}

/** The members that the schema of an error names. */
export function knownKeys({ parentSchema }: ErrorObject): readonly string[] {
  return Object.keys((parentSchema?.['properties'] ?? {}) as object);
}

interface SchemaFinding {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly part?: 'key' | 'value';
  /** A member of the instance that the finding is about. */
  readonly step?: string;
}

function schemaFinding({
  keyword,
  data,
  params,
  schema: rule,
  parentSchema = {},
  propertyName,
  message,
}: ErrorObject): SchemaFinding {
  const schema = parentSchema as JsonObject;
  const given = params as Readonly<Record<string, string | number>>;
  const value = describedValue(data);
  const hint = stepIn(schema);
  if (propertyName !== undefined) {
    return { message: `the key ${writtenJson(propertyName.slice(0, 80))} does not fit`, hint, step: propertyName };
  }
  switch (keyword) {
    case 'required':
      return missingMemberFinding(schema, [String(given['missingProperty'])]);
    case 'additionalProperties': {
      const key = String(given['additionalProperty']);
      const known = didYouMean(key, Object.keys((schema['properties'] ?? {}) as object), 'known keys');
      return { message: `unknown key "${key}"`, hint: known, step: key };
    }
    case 'enum':
      return {
        message: `${value} is not allowed here`,
        hint: didYouMean(String(data), (rule as readonly unknown[]).map(String), 'allowed'),
      };
    case 'usual':
      return { message: `${value} is no value in use`, hint: didYouMean(String(data), rule as readonly string[]) };
    case 'const':
      return { message: `expected ${writtenJson(rule)}, found ${value}` };
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { message: 'this must not be empty', hint };
    case 'uniqueItems':
      return { message: `items ${given['j']} and ${given['i']} (from 0) are the same` };
    case 'not':
    case 'false schema':
      return { message: 'this key is not allowed here', hint: hint ?? 'remove it', part: 'key' };
    case 'type':
    case 'anyOf':
    case 'oneOf': {
      const types = [(params as { type?: string | readonly string[] }).type ?? []].flat();
      if (types.length > 0) {
        const choices = Array.isArray(schema['enum']) ? schema['enum'].join(', ') : kindList(types);
        return { message: `expected ${kindList(types)}, found ${value}`, hint: hint ?? `write ${choices}` };
      }
      const forms = rule as readonly { readonly required?: readonly string[] }[];
      const required = forms.flatMap((form) => form.required ?? []);
      return required.length > 0 ? missingMemberFinding(schema, required) : { message: `${value} does not fit`, hint };
    }
    default:
      return 'comparison' in params
        ? { message: `${value} ${message}`, hint }
        : { message: `${value} does not fit`, hint };
  }
}

function missingMemberFinding(schema: JsonObject, names: readonly string[]): SchemaFinding {
  const message = `${names.map((name) => `"${name}"`).join(' or ')} is missing`;
  const added = names.map((name) => {
    const examples = at(schema, ['properties', name, 'examples', '0']);
    return `${name}: ${examples === undefined ? '...' : writtenJson(examples)}`;
  });
  return { message, hint: stepIn(schema) ?? `add ${added.join(' or ')}`, part: 'key' };
}

/** The advice of the schema: "a label: 1 to 64 letters, ...", `{ env: NAME }`, or an example. */
function stepIn({ description, examples, format }: JsonObject): string | undefined {
  if (format === 'date') return 'write a day as YYYY-MM-DD, such as 2026-05-01';
  // A sentence says what a value is for.
  if (typeof description === 'string' && !/^[A-Z]/.test(description)) {
    return `write ${description.replace(/^write /, '')}`;
  }
  return Array.isArray(examples) ? `write ${writtenJson(examples[0])}` : undefined;
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
function kindList(types: readonly string[]): string {
  const names = types.map((type) => kindNames[type] ?? type);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** How a message refers to a value: its kind, and the value itself when it is short. */
function describedValue(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping';
  const text = writtenJson(value);
  const short = text.length > 60 ? `${text.slice(0, 57)}..."` : text;
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${short}`;
}
