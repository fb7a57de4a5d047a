import type { ErrorObject } from 'ajv/dist/2020.js';
import { distance } from 'fastest-levenshtein';
import { nearest } from '../files/problems/nearest.js';
import { schemaMisfits, type SchemaMisfit } from '../files/schema-problems.js';
import { shippedSchema } from '../files/shipped-schema.js';
import type { Json, JsonObject } from '../json/json.js';
import { formFault, type Fault } from './fault.js';
import { hasTemplate } from './has-template.js';
import { homesIn, type Homes } from './homes.js';
import { nearValueFaults } from './near-values.js';

/**
 * Finds what is wrong in a request body, or in a merge patch over one, where a null removes a member and fits anywhere.
 * What is missing is only told of a body: read a part of one with `formFaults`.
 */
export type RequestReader = (body: Json, as?: 'body' | 'patch') => readonly Fault[];

/** The reader with the fields of schemas/chat-request.schema.json. */
export async function requestReader(): Promise<RequestReader> {
  const validate = await shippedSchema('chat-request');
  const root = validate.schema as JsonObject;
  const homes = homesIn(root);
  return (body, as = 'body') => {
    const near = [...nearValueFaults(body)];
    if (validate(body)) return near;
    const errors = (validate.errors ?? []).filter((error) => !isBesideThePoint(error, as));
    return [...schemaMisfits(errors, root).flatMap((misfit) => faultOf(misfit, homes) ?? []), ...near];
  };
}

/** What is wrong by itself in a part of a body, whatever the other parts add. */
export function formFaults(read: RequestReader, part: Json, as?: 'patch'): readonly Fault[] {
  return read(part, as).filter(({ kind }) => kind === 'form');
}

function isBesideThePoint({ keyword, data }: ErrorObject, as: 'body' | 'patch'): boolean {
  if (as === 'patch' && data === null && keyword !== 'additionalProperties') return true;
  // A template in a closed list can be judged when it is filled.
  return (keyword === 'enum' || keyword === 'const') && hasTemplate(data);
}

function faultOf(misfit: SchemaMisfit, homes: Homes): Fault | null {
  const { error, path, part, message, hint } = misfit;
  const shared = formFault(path, message, hint, part);
  if (error.keyword === 'additionalProperties') {
    const found = unknownField(misfit, homes);
    return found === null ? null : { ...shared, ...found };
  }
  if (error.keyword === 'required') {
    const { missingProperty } = error.params as { missingProperty: string };
    return { ...shared, ...missingMember(misfit, missingProperty) };
  }
  if (error.keyword === 'type' && hasTemplate(error.data)) {
    return { ...shared, hint: 'a template always gives a text, never a number or a mapping' };
  }
  return shared;
}

function missingMember({ path, message, hint: inner }: SchemaMisfit, name: string): Partial<Fault> {
  const whole = path.length === 0 ? `the request has no "${name}"` : message;
  const hint = name === 'messages' ? 'add messages: [{ role: user, content: ... }]' : inner;
  return { kind: 'missing', lacks: [...path, name], message: whole, hint };
}

/** An unknown field is a mistake when it is near a known one, or in the wrong place; otherwise it may be a vendor's. */
function unknownField(
  { path, error }: SchemaMisfit,
  homes: Homes,
): Pick<Fault, 'severity' | 'message' | 'hint'> | null {
  const name = String(path.at(-1));
  const schema = (error.parentSchema ?? {}) as { readonly properties?: object; readonly $comment?: string };
  const holder = path.slice(0, -1);
  const where = holder.length === 0 ? 'a request' : holder.join('.');
  const message = `${where} has no field "${name}"`;
  const meant = misspelt(name, Object.keys(schema.properties ?? {}));
  if (meant !== null) return { severity: 'error', message, hint: `did you mean "${meant}"?` };
  const home = homes(name, holder);
  if (home !== null) return { severity: 'error', message, hint: `it belongs ${home}` };
  if (schema.$comment === 'open') return null;
  const hint = 'it is sent as it is written; no known service has a field of this name or a similar one';
  return { severity: 'warning', message, hint };
}

/** `maxTokens` and `max-tokens` are `max_tokens`, however far the letters are apart. */
function misspelt(name: string, known: readonly string[]): string | null {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const alike = known.filter((one) => !hasOtherWord(name, one));
  return known.find((one) => bare(one) === bare(name)) ?? nearest(name, alike);
}

/** `use_search` has another word than `web_search`, so it is another field rather than a slip of the hand. */
function hasOtherWord(name: string, known: string): boolean {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const others = known.toLowerCase().split(/[^a-z0-9]+/);
  if (words.length !== others.length) return distance(name, known) > 3;
  if (words.length === 1 || distance(name, known) === 1) return false;
  return words.some((word, index) => {
    const other = others[index] ?? '';
    return distance(word, other) > Math.max(word.length, other.length) / 2 && lettersOf(word) !== lettersOf(other);
  });
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}
