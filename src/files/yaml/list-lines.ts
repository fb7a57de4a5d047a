import type { Json } from '../../json/json.js';

/**
 * The data of a file whose every line is a name with a value, or an entry of a list: the form that `baseline accept`
 * writes. null for any other text, also for one with a mistake. A baseline of many models has thousands of such lines, and
 * the YAML library takes longer to read them than everything else that most commands do.
 */
export function listLines(text: string): Json | null {
  const data = new Map<string, Json>();
  let list: Json[] | null = null;
  let indent: string | null = null;
  for (const line of text.split('\n')) {
    if (line === '' || comment.test(line)) continue;
    const [, spaces, item] = entry.exec(line) ?? [];
    if (spaces !== undefined && item !== undefined) {
      const value = valueOf(item);
      if (list === null || value === undefined || spaces !== (indent ??= spaces)) return null;
      list.push(value);
      continue;
    }
    const [, name, written] = member.exec(line) ?? [];
    if (name === undefined || list?.length === 0 || data.has(name) || notNames.has(name)) return null;
    list = written === undefined ? [] : null;
    const value = written === undefined ? list : valueOf(written);
    if (value === undefined) return null;
    data.set(name, value);
  }
  return data.size === 0 || list?.length === 0 ? null : Object.fromEntries(data);
}

const comment = /^ *#[ -~]*$/;
const entry = /^((?: {2})?)- (.*)$/;
const member = /^([a-z][a-z_]*):(?: (.+))?$/;
/** YAML gives them another meaning. */
const notNames: ReadonlySet<string> = new Set(['null', 'true', 'false']);
const words = new Map<string, Json>([
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

const token = {
  open: /\{ |\[ |\{\}|\[\]/y,
  name: /([a-z][a-z_]*): /y,
  comma: /, /y,
  close: { '{ ': / \}/y, '[ ': / \]/y },
  /** On one line, JSON's escapes are YAML's. */
  quoted: /"(?:[^"\\\p{C}\p{Zl}\p{Zp}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy,
  date: /\d{4}-\d\d-\d\d/y,
  number: /\d{1,15}(?:\.\d{1,15})?/y,
  plain: /[A-Za-z][\w./@*+=-]*(?: [A-Za-z\d][\w./@*+=-]*)*/y,
};

/** Brackets in brackets; accepted entries need two. */
const deepest = 8;

/** undefined for what this reader does not know. */
function valueOf(text: string): Json | undefined {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const scalar = (): Json | undefined => {
    const quoted = take(token.quoted)?.[0];
    if (quoted !== undefined) return JSON.parse(quoted) as string;
    const date = take(token.date)?.[0];
    if (date !== undefined) return date;
    const number = take(token.number)?.[0];
    if (number !== undefined) return Number(number);
    const plain = take(token.plain)?.[0];
    return plain !== undefined && words.has(plain) ? words.get(plain) : plain;
  };
  const collection = (open: '{ ' | '[ ', depth: number): Json | undefined => {
    const members = new Map<string, Json>();
    do {
      const name = open === '{ ' ? take(token.name)?.[1] : String(members.size);
      if (name === undefined || members.has(name) || notNames.has(name)) return undefined;
      const one = value(depth + 1);
      if (one === undefined) return undefined;
      members.set(name, one);
    } while (take(token.comma) !== null);
    if (take(token.close[open]) === null) return undefined;
    return open === '{ ' ? Object.fromEntries(members) : [...members.values()];
  };
  const value = (depth: number): Json | undefined => {
    const open = depth < deepest ? take(token.open)?.[0] : undefined;
    if (open === undefined) return scalar();
    return open === '{}' ? {} : open === '[]' ? [] : collection(open as '{ ' | '[ ', depth);
  };
  const whole = value(0);
  return at === text.length ? whole : undefined;
}
