import { isObject, type Json, writtenJson } from '../json/json.js';
import type { JudgeContext } from './context.js';

/** Letters beyond ASCII in an answer: damaged in some way, back as they were stated, or none. */
type BeyondAscii = { readonly how: string } | 'whole' | 'nothing';

/** Looked for once an answer. */
const found = new WeakMap<JudgeContext, BeyondAscii>();

/** The answer must have been read as a reply. */
export function beyondAsciiIn(context: JudgeContext): BeyondAscii {
  const shown = found.get(context) ?? find(context);
  found.set(context, shown);
  return shown;
}

/** The damage of an answer, in a sentence; null where none is seen. */
export function damageIn(context: JudgeContext): string | null {
  const shown = beyondAsciiIn(context);
  return typeof shown === 'string' ? null : `text came back damaged: ${shown.how}`;
}

/** Of a megabyte of text, the rest shows no more. */
const [longestText, mostWords] = [50_000, 200];
const anySign = /[^\0-\u007f]|\\u|&#|\?/;
const halfLetter = /\p{Surrogate}/u;
const replacementLetter = '\uFFFD';

function find(context: JudgeContext): BeyondAscii {
  // A cut answer may end within a letter, and a model that babbles to its cap writes bytes that are no UTF-8.
  if (context.reply.finish_reason === 'length') return 'nothing';
  const values = valuesForClient(context);
  const text = textIn(values).slice(0, longestText);
  if (!anySign.test(text)) return 'nothing';
  const { request, values: given } = context;
  const asked = textIn(request).normalize('NFC');
  if (text.includes(replacementLetter) && !asked.includes(replacementLetter)) {
    return { how: 'U+FFFD in place of letters' };
  }
  // Where the text was cut for length, the pair of its last letter may have been cut off.
  const isCut = text.length === longestText;
  if (halfLetter.test(isCut ? text.replace(/[\ud800-\udbff]$/, '') : text) && !halfLetter.test(asked)) {
    return { how: 'half a letter, a surrogate without its pair' };
  }
  if (holdsMarks(values, given.vars)) return { how: '? in place of letters' };
  const words = [...new Set(asked.match(/[\p{L}\p{M}]*[^\0-\u007f][^\s\0-\u0040]*/gu) ?? [])].slice(0, mostWords);
  const came = text.normalize('NFC');
  for (const word of words) {
    // A text about damaged letters shows both forms.
    const damaged = came.includes(word) ? undefined : damagedForms(word).find(({ form }) => came.includes(form));
    if (damaged !== undefined && !asked.includes(damaged.form)) {
      return { how: `${writtenJson(word)}: ${damaged.how}` };
    }
  }
  const letters = new Set(words.join('').match(/[^\0-\u007f]/gu));
  return (came.match(/[^\0-\u007f]/gu) ?? []).some((letter) => letters.has(letter)) ? 'whole' : 'nothing';
}

/** The values that a client reads: those of a document or of arguments, else the text. */
function valuesForClient(context: JudgeContext): Json {
  const { content, tool_calls: calls } = context.reply;
  if (calls.length > 0) return context.calls.map((read) => (read.kind === 'read' ? read.value : ''));
  const document = context.expectation.content === 'text' ? null : context.document;
  return document?.kind === 'json' ? document.value : content;
}

/** All strings within a value, names of members included. */
export function textIn(value: Json): string {
  // Parsed texts, so that only escapes that are left in them are seen as such.
  const texts: string[] = [];
  const left: Json[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      texts.push(next);
    } else if (Array.isArray(next)) {
      for (const item of next as readonly Json[]) left.push(item);
    } else if (isObject(next)) {
      for (const [name, member] of Object.entries(next)) left.push(name, member);
    }
  }
  return texts.join('\n');
}

/** The letters of Windows-1252 that are control characters in Latin-1, from 0x80 on. */
const windows1252Letters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function damagedForms(word: string): readonly { readonly form: string; readonly how: string }[] {
  const latin1 = (text: string): string =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  const inWindows = latin1(word).replace(/[\u0080-\u009f]/g, (byte) =>
    windows1252Letters.charAt(byte.charCodeAt(0) - 0x80),
  );
  const escaped = (escape: (unit: number) => string): string =>
    word.replace(/[^\0-\u007f]/g, (unit) => escape(unit.charCodeAt(0)));
  return [
    { form: latin1(word), how: 'UTF-8 read as Latin-1' },
    { form: inWindows, how: 'UTF-8 read as Windows-1252' },
    { form: latin1(latin1(word)), how: 'UTF-8 read as Latin-1, twice' },
    { form: escaped((unit) => `\\u${unit.toString(16).padStart(4, '0')}`), how: 'escapes left in the text' },
    { form: escaped((unit) => `&#${unit};`), how: 'escapes left in the text' },
  ];
}

/** "?" may also end a question, so it counts where the member of that name must have a text of just that form. */
function holdsMarks(came: Json, stated: Json): boolean {
  const members = new Map<string, string[]>();
  eachMember(stated, (name, text) => members.set(name, [...(members.get(name) ?? []), text]));
  let found = false;
  eachMember(came, (name, text) => {
    const isMarked = (one: string): boolean =>
      [/[^\0-\u007f]/gu, /[^\0-\u007f]/g].some((letters) => one.replace(letters, '?') === text);
    if (
      text.includes('?') &&
      text !== '?' &&
      members.get(name)?.some((one) => one !== text && isMarked(one)) === true
    ) {
      found = true;
    }
  });
  return found;
}

function eachMember(value: Json, tell: (name: string, text: string) => void, name = '', depth = 0): void {
  if (typeof value === 'string') {
    tell(name, value);
  } else if (depth > 50) {
    return;
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) eachMember(item, tell, name, depth + 1);
  } else if (isObject(value)) {
    for (const [inner, member] of Object.entries(value)) eachMember(member, tell, inner, depth + 1);
  }
}
