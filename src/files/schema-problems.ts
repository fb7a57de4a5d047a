import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject } from '../json/json.js';
import { pointerSteps } from '../json/pointer.js';
import { deeperHome } from './problems/deeper-home.js';
import { didYouMean, nearest } from './problems/nearest.js';
import { problemAt } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import type { Path, Source } from './source.js';

/**
 * Problems for people from the errors of a schema's validation: at their places, with what was expected, and with "did
 * you mean" for names. `errors` must come from an Ajv with `allErrors` and `verbose`.
 */
export function schemaProblems(source: Source, errors: readonly ErrorObject[], root?: JsonObject): Problem[] {
  return misfitProblems(source, schemaMisfits(errors, root));
}

export function misfitProblems(source: Source, misfits: readonly SchemaMisfit[]): Problem[] {
  return misfits.map(({ path, part, message, hint }) => problemAt(source, path, message, hint, { part }));
}

/** What does not fit a schema, at a path of the data. */
export interface SchemaMisfit {
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly message: string;
  readonly hint?: string | undefined;
  readonly error: ErrorObject;
}

/**
 * The errors of a schema's validation for people, each once; see {@link schemaProblems}.
 * @param root the whole schema, which tells where a key belongs that stands one level too high
 */
export function schemaMisfits(errors: readonly ErrorObject[], root?: JsonObject): SchemaMisfit[] {
  const misfits = new Map<string, SchemaMisfit>();
  for (const error of relevantErrors(errors)) {
    const finding = findingOf(error, root);
    if (finding === null) continue;
    const path = [...pointerSteps(error.instancePath), ...(finding.step === undefined ? [] : [finding.step])];
    const id = JSON.stringify([path, finding.message]);
    if (misfits.has(id)) continue;
    const { part = 'value', hint } = finding;
    misfits.set(id, { path, part, message: withLocation(path, finding), hint, error });
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
      .map((error) => (error === choice ? { ...error, params: { types: [...new Set(types)] } } : error));
  }
  return kept;
}

function isMisspelt(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { missingProperty } = error.params as { missingProperty: string };
  return errors.some(({ keyword, instancePath, params }) => {
    if (keyword !== 'additionalProperties' || instancePath !== error.instancePath) return false;
    // Of a mapping that takes a single key, the hint for the unknown one says it all.
    if (Object.keys((error.parentSchema?.['properties'] ?? {}) as object).length === 1) return true;
    return nearest((params as { additionalProperty: string }).additionalProperty, [missingProperty]) !== null;
  });
}

function findingOf(error: ErrorObject, root: JsonObject | undefined): Finding | null {
  const params = error.params as Readonly<Record<string, unknown>>;
  const schema: Readonly<Record<string, unknown>> = error.parentSchema ?? {};
  const about = typeof schema['description'] === 'string' ? schema['description'] : undefined;
  const value = describe(error.data);
  if (error.keyword === 'propertyNames') return null;
  if (error.propertyName !== undefined) {
    const key = error.propertyName;
    const hint = about === undefined ? undefined : `expected: ${about}`;
    return { message: `the key ${JSON.stringify(key.slice(0, 80))} does not fit`, hint, part: 'key', step: key };
  }
  switch (error.keyword) {
    case 'type':
      return { message: `expected ${kinds(params['type'])}, found ${value}`, hint: about };
    case 'required':
      return { message: `"${String(params['missingProperty'])}" is missing`, part: 'key' };
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(schema['properties'] ?? {});
      const home = root && nearest(key, known) === null ? deeperHome(key, schema as JsonObject, root) : undefined;
      const hint = home ?? didYouMean(key, known, 'known keys');
      return { message: `unknown key "${key}"`, hint, part: 'key', step: key };
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
      return { message: `${value} does not fit`, hint: about === undefined ? undefined : `expected: ${about}` };
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { message: 'this must not be empty', hint: about };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        message: `expected a number ${String(params['comparison'])} ${String(params['limit'])}, found ${value}`,
      };
    case 'uniqueItems':
      return { message: `items ${String(params['j'])} and ${String(params['i'])} (from 0) are the same` };
    case 'false schema':
      return { message: 'this key is not allowed here', hint: about, part: 'key' };
    case 'anyOf':
    case 'oneOf':
      return alternatives(error, value, about);
    default:
      return error.keyword === 'if'
        ? null
        : { message: error.message ?? `"${error.keyword}" is not satisfied`, hint: about };
  }
}

function alternatives(error: ErrorObject, value: string, hint: string | undefined): Finding {
  const { types = [] } = error.params as { types?: readonly string[] };
  if (types.length > 0) return { message: `expected ${kinds(types)}, found ${value}`, hint };
  const forms = error.schema as readonly { readonly required?: readonly string[] }[];
  const required = forms.flatMap((form) => form.required ?? []).map((name) => `"${name}"`);
  return required.length > 0
    ? { message: `${required.join(' or ')} is missing`, part: 'key' }
    : { message: `${value} does not fit`, hint };
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

function kinds(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map((type) => kindNames[String(type)] ?? String(type));
  return names.length > 1
    ? `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
    : (names[0] ?? 'something else');
}

/** Names the value by the last steps to it, so that the message makes sense without its place. */
function withLocation(path: Path, { message, step }: Finding): string {
  const steps = step === undefined ? path : path.slice(0, -1);
  // An index says nothing without its list.
  const where = steps.slice(/^\d+$/.test(String(steps.at(-3))) ? -4 : -3).join('.');
  return where === '' ? message : `${where}: ${message}`;
}

/** How a message refers to a value: its kind, and the value itself when it is short. */
function describe(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  const kind = typeof value === 'string' ? 'the text ' : `the ${typeof value} `;
  return text.length > 60 ? `${kind}${text.slice(0, 57)}..."` : `${kind}${text}`;
}
