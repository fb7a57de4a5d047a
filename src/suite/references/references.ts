import { isObject, type Json } from '../../json/json.js';

/** What a `$ref` is: a file that replaces it, a reference of JSON Schema, or a mistake. */
export type Reference =
  | { readonly kind: 'file'; readonly path: string; readonly pointer: string }
  | { readonly kind: 'schema' }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string };

/**
 * The `$ref` of a value; null when it has none. `based`: the value is inside an object with an `$id`, which gives names
 * such as `node.json` a meaning in JSON Schema.
 */
export function referenceOf(value: Json, based: boolean): Reference | null {
  if (!isObject(value) || !Object.hasOwn(value, '$ref')) return null;
  const { $ref: ref } = value;
  // A property may be called $ref: then its value is a schema.
  if (typeof ref !== 'string') return null;
  if (/^\.\.?\//.test(ref)) return fileReference(ref, Object.keys(value).length);
  if (ref.startsWith('/') || /^(file:|[A-Za-z]:[\\/])/.test(ref)) {
    return wrong(`the $ref "${ref}" is not a relative path`, 'write a path that begins with ./ or ../, from this file');
  }
  if (!based && /^[^:#]+\.(json|ya?ml)$/.test(ref)) {
    return wrong(`the $ref "${ref}" names no file`, `a path begins with ./ or ../: did you mean "./${ref}"?`);
  }
  return { kind: 'schema' };
}

function fileReference(ref: string, members: number): Reference {
  if (members > 1) {
    return wrong(`the $ref "${ref}" has members beside it`, 'a file replaces the whole object: leave only $ref here');
  }
  const [path = '', pointer = ''] = ref.split('#', 2);
  if (!/\.(json|ya?ml)$/i.test(path))
    return wrong(`the $ref "${ref}" names no .json, .yaml or .yml file`, 'check the path');
  if (path.includes('\0') || (pointer !== '' && !pointer.startsWith('/'))) {
    return wrong(`the $ref ${JSON.stringify(ref)} cannot be read`, 'after # a JSON Pointer is expected: #/a/b');
  }
  return { kind: 'file', path, pointer };
}

function wrong(message: string, hint: string): Reference {
  return { kind: 'wrong', message, hint };
}

/** The members of an object or list, each with its name or index, and whether an `$id` is around it. */
export function* eachMember(value: Json, based: boolean): Generator<readonly [step: string | number, Json, boolean]> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield [index, item, based];
  } else if (isObject(value)) {
    const inside = based || typeof value['$id'] === 'string';
    for (const [name, member] of Object.entries(value)) yield [name, member, inside];
  }
}
