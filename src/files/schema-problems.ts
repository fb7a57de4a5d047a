import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../json/json.js';
import { pointerSteps } from '../json/pointer.js';
import { deeperHome } from './problems/deeper-home.js';
import { sampleOf, textIfOpen } from './problems/sample-of.js';
import { stepFor } from './problems/step-for.js';
import { describe, kinds } from './problems/value-words.js';
import { didYouMean, nearest } from './problems/nearest.js';
import { problemAt } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import type { Path, Source } from './source.js';

/**
 * Problems for people from the errors of a schema's validation: at their places, with what was expected, and with "did
 * you mean" for names. `errors` must come from an Ajv with `allErrors` and `verbose`.
 */
export function schemaProblems(source: Source, errors: readonly ErrorObject[], root: JsonObject = {}): Problem[] {
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
  /** The message without the place. */
  readonly bare: string;
  readonly hint?: string | undefined;
  readonly error: ErrorObject;
}

/**
 * The errors of a schema's validation for people, each once; see {@link schemaProblems}.
 * @param root the whole schema, which tells where a key belongs that stands one level too high
 */
export function schemaMisfits(errors: readonly ErrorObject[], root: JsonObject = {}): SchemaMisfit[] {
  const misfits = new Map<string, SchemaMisfit>();
  for (const error of relevantErrors(errors)) {
    const finding = findingOf(error, root);
    if (finding === null) continue;
    const path = [...pointerSteps(error.instancePath), ...(finding.step === undefined ? [] : [finding.step])];
    const id = JSON.stringify([path, finding.message]);
    if (misfits.has(id)) continue;
    const { part = 'value', hint } = finding;
    misfits.set(id, { path, part, message: withLocation(path, finding), bare: finding.message, hint, error });
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

function findingOf(error: ErrorObject, root: JsonObject): Finding | null {
  const params = error.params as Readonly<Record<string, unknown>>;
  const schema = (error.parentSchema ?? {}) as JsonObject;
  const value = describe(error.data);
  if (error.keyword === 'propertyNames') return null;
  if (error.propertyName !== undefined) {
    const key = error.propertyName;
    const message = `the key ${JSON.stringify(key.slice(0, 80))} does not fit`;
    return { message, hint: formHint(schema), part: 'key', step: key };
  }
  switch (error.keyword) {
    case 'type':
      return wrongType(error, ([params['type']] as readonly string[]).flat(), root);
    case 'required':
      return missing(schema, [String(params['missingProperty'])], root);
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const known = Object.keys(schema['properties'] ?? {});
      const home = nearest(key, known) === null ? deeperHome(key, schema, root) : undefined;
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
      return { message: `${value} does not fit`, hint: formHint(schema) };
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { message: 'this must not be empty', hint: `write ${textIfOpen(sampleOf(schema, root))}` };
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
      return { message: 'this key is not allowed here', hint: 'remove it', part: 'key' };
    case 'anyOf':
    case 'oneOf':
      return alternatives(error, value, root);
    default:
      return error.keyword === 'if' ? null : { message: error.message ?? `"${error.keyword}" is not satisfied` };
  }
}

function alternatives(error: ErrorObject, value: string, root: JsonObject): Finding {
  const { types = [] } = error.params as { types?: readonly string[] };
  if (types.length > 0) return wrongType(error, types, root);
  const forms = error.schema as readonly { readonly required?: readonly string[] }[];
  const required = forms.flatMap((form) => form.required ?? []);
  const schema = (error.parentSchema ?? {}) as JsonObject;
  return required.length > 0
    ? missing(schema, required, root)
    : { message: `${value} does not fit`, hint: `write ${textIfOpen(sampleOf(schema, root))}` };
}

function wrongType({ parentSchema, data }: ErrorObject, types: readonly string[], root: JsonObject): Finding {
  const schema = (parentSchema ?? {}) as JsonObject;
  const hint = writtenStep(schema) ?? stepFor(schema, types, data as Json, root);
  return { message: `expected ${kinds(types)}, found ${describe(data)}`, hint };
}

function missing(schema: JsonObject, names: readonly string[], root: JsonObject): Finding {
  const message = `${names.map((name) => `"${name}"`).join(' or ')} is missing`;
  const properties = (schema['properties'] ?? {}) as JsonObject;
  const samples = names.flatMap((name) => (name in properties ? [`${name}: ${sampleOf(properties[name], root)}`] : []));
  const hint = writtenStep(schema) ?? (samples.length > 0 ? `add ${samples.join(' or ')}` : undefined);
  return { message, hint, part: 'key' };
}

/** What the schema itself says to do. Any other description says what a value is for, which is no step. */
function writtenStep({ description }: JsonObject): string | undefined {
  if (typeof description !== 'string') return undefined;
  if (description.startsWith('{')) return `write ${description}`;
  return description.startsWith('write ') ? description : undefined;
}

/** A text that does not fit needs the form that its schema describes: "a label: 1 to 64 letters, ...". */
function formHint(schema: JsonObject): string | undefined {
  const { description, format } = schema;
  if (format === 'date') return 'write a day as YYYY-MM-DD, such as 2026-05-01';
  if (typeof description !== 'string' || /^[A-Z]/.test(description)) return undefined;
  return writtenStep(schema) ?? `write ${description}`;
}

/** Names the value by the last steps to it, so that the message makes sense without its place. */
function withLocation(path: Path, { message, step }: Finding): string {
  const steps = step === undefined ? path : path.slice(0, -1);
  // An index says nothing without its list.
  const where = steps.slice(/^\d+$/.test(String(steps.at(-3))) ? -4 : -3).join('.');
  return where === '' ? message : `${where}: ${message}`;
}
