import type { ErrorObject } from 'ajv/dist/2020.js';
import { distance } from 'fastest-levenshtein';
import { nearest } from '../files/problems/nearest.js';
import { knownKeys, schemaMisfits, type SchemaMisfit } from '../files/schema-problems.js';
import { shippedSchema } from '../files/shipped-schema.js';
import type { Path } from '../files/problems/problem.js';
import { isObject, type Json, type JsonObject, at } from '../json/json.js';
import { formFault, hasTemplate, type BodyFault } from './fault.js';

/**
 * Finds what is wrong in a request body, or in a merge patch over one, where a null removes a member and fits anywhere.
 * Missing fields are reported of a body only: read a part of one with `formFaults`.
 */
export type RequestReader = (body: Json, as?: 'body' | 'patch') => readonly BodyFault[];

/** The reader with the fields of schemas/chat-request.schema.json. */
export async function requestReader(): Promise<RequestReader> {
  const validate = await shippedSchema('chat-request');
  const homes = new Map<string, string[]>();
  const schema = validate.schema as JsonObject;
  collectHomes(schema, schema, '', homes);
  return (body, as = 'body') => {
    if (validate(body)) return [];
    const errors = (validate.errors ?? []).filter((error) => !isBesideThePoint(error, as, body));
    const faults = schemaMisfits(errors).flatMap((misfit) => misfitFault(misfit, homes) ?? []);
    return faults.filter((fault) => !isMisspeltHere(fault, faults));
  };
}

/** A field that is missing, and stands there under a wrong name, is one mistake. */
function isMisspeltHere({ kind, severity, path }: BodyFault, faults: readonly BodyFault[]): boolean {
  if (kind === 'form' || severity === 'error') return false;
  const id = path.join('/');
  return faults.some((one) => one.part === 'key' && one.severity === 'error' && one.path.slice(0, -1).join('/') === id);
}

/** The mistakes in a part of a body that no other part can mend. */
export function formFaults(read: RequestReader, part: Json, as?: 'patch'): readonly BodyFault[] {
  return read(part, as).filter(({ kind }) => kind === 'form');
}

function isBesideThePoint({ keyword, data, instancePath }: ErrorObject, as: 'body' | 'patch', body: Json): boolean {
  if (as === 'patch' && data === null && keyword !== 'additionalProperties') return true;
  // A template in a closed list can be judged when it is filled.
  if (keyword === 'enum' || keyword === 'const') return hasTemplate(data);
  // Several servers take a cap of -1 for none. Of a tool_choice without tools, an error speaks already.
  if (keyword === 'minimum') return data === -1 && instancePath.startsWith('/max_');
  return keyword === 'minItems' && instancePath === '/tools' && (at(body, ['tool_choice']) ?? null) !== null;
}

/** Keywords of what is valid, but asks for nothing, where the schema says that this is only a warning. */
const odd: ReadonlySet<string> = new Set(['minItems', 'minLength', 'minimum', 'required', 'not']);

function misfitFault(misfit: SchemaMisfit, homes: Homes): BodyFault | null {
  const { error, path, part, message, hint } = misfit;
  const { keyword, parentSchema } = error;
  const found = formFault(path, message, hint, part);
  const comment = (parentSchema as { readonly $comment?: string } | undefined)?.$comment ?? '';
  if (odd.has(keyword) && comment.startsWith('warning')) return oddity(misfit);
  if (keyword === 'usual') return { ...found, severity: 'warning' };
  if (keyword === 'additionalProperties') {
    const unknown = unknownField(misfit, homes, comment === 'open');
    return unknown === null ? null : { ...found, ...unknown };
  }
  if (keyword === 'required') {
    const { missingProperty: name } = error.params as { missingProperty: string };
    const lacking = { ...found, kind: 'missing' as const, lacks: [...path, name] };
    return path.length > 0 ? lacking : { ...lacking, message: `the request has no "${name}"` };
  }
  if (keyword !== 'type' || !hasTemplate(error.data)) return found;
  return { ...found, hint: 'a template always gives a text, never a number or a mapping' };
}

/** Another part may still fill it, so only whole bodies show it. */
function oddity({ path: place, error: { keyword, params, data } }: SchemaMisfit): BodyFault {
  const { missingProperty, limit } = params as { missingProperty?: string; limit?: number };
  const member = keyword === 'not' ? String(place.at(-1)) : missingProperty;
  const path = keyword === 'not' ? place.slice(0, -1) : place;
  const unmet = keyword === 'minimum' ? `is ${String(data)}, and must be ${limit} or more` : 'is empty';
  const what = member === undefined ? unmet : `has no "${member}"`;
  const hint = `most services refuse that; if it is meant, list the place: deliberate: [/${path.join('/')}]`;
  const lacks = member === undefined ? null : [...path, member];
  return { ...formFault(path, `${path.join('.')} ${what}`, hint), severity: 'warning', kind: 'missing', lacks };
}

/** An unknown field is a mistake when it is near a known one, or in the wrong place; otherwise it may be a vendor's. */
function unknownField({ path, error }: SchemaMisfit, homes: Homes, open: boolean): Partial<BodyFault> | null {
  const name = String(path.at(-1));
  const holder = path.slice(0, -1);
  const message = `${holder.length === 0 ? 'a request' : holder.join('.')} has no field "${name}"`;
  const meant = misspelt(name, knownKeys(error));
  if (meant !== null) return { message, hint: `did you mean "${meant}"?` };
  const home = homeOf(name, holder, homes);
  if (home !== undefined) {
    return { message, hint: `it belongs ${home === '' ? 'at the top of the request' : `into ${home}`}` };
  }
  if (open) return null;
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
  const [words, others] = [name, known].map((text) => text.toLowerCase().split(/[^a-z0-9]+/)) as [string[], string[]];
  if (words.length !== others.length) return distance(name, known) > 3;
  const letters = (word: string): string => Array.from(word).sort().join('');
  const isNear = (word: string, other: string): boolean =>
    distance(word, other) <= Math.max(word.length, other.length) / 2 || letters(word) === letters(other);
  return distance(name, known) > 1 && !words.every((word, index) => isNear(word, others[index] ?? ''));
}

/** Where fields are at home, by name: `messages[]` for `role`. */
type Homes = ReadonlyMap<string, readonly string[]>;

/** At the top of a request, other names of inner fields (name, text, url) are as likely a vendor's own field. */
const innerOnly = new Set(['strict', 'schema', 'parameters', 'role', 'content', 'tool_calls', 'include_usage']);

/** Where a field belongs that stands one level too high or too low; undefined when it is at home nowhere near. */
function homeOf(name: string, holder: Path, homes: Homes): string | undefined {
  const here = holder
    .map((step) => (/^\d+$/.test(String(step)) ? '[]' : `.${step}`))
    .join('')
    .replace(/^\./, '');
  const above = (label: string): string => label.replace(/(?:^|\.)[^.]+$/, '');
  return (homes.get(name) ?? []).find((home) =>
    here === '' ? innerOnly.has(name) : home === '' || above(home) === here || above(here) === home,
  );
}

function collectHomes(schema: Json, root: JsonObject, label: string, homes: Map<string, string[]>): void {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  const here = typeof ref === 'string' ? at(root, ref.slice(2).split('/')) : schema;
  if (!isObject(here)) return;
  if (here['items'] !== undefined) collectHomes(here['items'], root, `${label}[]`, homes);
  for (const [name, member] of Object.entries(isObject(here['properties']) ? here['properties'] : {})) {
    // Fields of vendors are at home where they stand.
    if (isObject(member) && member['$ref'] === '#/$defs/vendorField') continue;
    homes.set(name, [...(homes.get(name) ?? []), label]);
    collectHomes(member, root, label === '' ? name : `${label}.${name}`, homes);
  }
}
