import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { once } from '../../json/once.js';

/** What the request says, and what the values of its rules say. */
export interface Stated {
  /** All texts of the request, in composed letters. */
  readonly text: () => string;
  /** Whether the request has this text, which holds letters beyond ASCII. */
  readonly has: (text: string) => boolean;
  /** Whether the request has one of the letters beyond ASCII of this text. */
  readonly sharesLetters: (text: string) => boolean;
  /** The texts with letters beyond ASCII that the members of this name have among the values. */
  readonly under: (name: string) => readonly string[];
}

export const beyondAscii = /[^\0-\u007f]/;

interface Said {
  readonly text: () => string;
  readonly letters: () => ReadonlySet<string>;
}

/** The trials of a cell mostly send the same body. */
const said = new WeakMap<JsonObject, Said>();

function saidIn(request: JsonObject): Said {
  const known = said.get(request);
  if (known !== undefined) return known;
  const text = once(() =>
    textsIn(request)
      .map((one) => one.text)
      .join('\n')
      .normalize('NFC'),
  );
  // A set, since an answer may hold thousands of letters that the request lacks.
  const made: Said = { text, letters: once(() => new Set(lettersOf(text()))) };
  said.set(request, made);
  return made;
}

/** Nothing is read before it is asked for: most answers need none of it. */
export function statedBy(request: JsonObject, vars: JsonObject): Stated {
  const { text, letters } = saidIn(request);
  const named = once(() => textsIn(vars).filter((one) => beyondAscii.test(one.text)));
  return {
    text,
    has: (one) => beyondAscii.test(one) && text().includes(one.normalize('NFC')),
    sharesLetters: (one) =>
      letters().size > 0 &&
      beyondAscii.test(one) &&
      lettersOf(one.normalize('NFC')).some((letter) => letters().has(letter)),
    under: (name) => named().flatMap((one) => (one.name === name ? [one.text] : [])),
  };
}

function lettersOf(text: string): readonly string[] {
  return text.match(/[^\0-\u007f]/gu) ?? [];
}

export interface NamedText {
  /** Of the member that holds it, or that holds the list of it; null where there is none. */
  readonly name: string | null;
  readonly text: string;
}

/** All texts of a value and all names in it. */
export function textsIn(value: Json): readonly NamedText[] {
  const found: NamedText[] = [];
  const left: { readonly name: string | null; readonly value: Json }[] = [{ name: null, value }];
  // A loop, since a service may nest deeper than the stack.
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { name, value: one } = next;
    if (typeof one === 'string') found.push({ name, text: one });
    else if (Array.isArray(one)) for (const item of one as readonly Json[]) left.push({ name, value: item });
    else if (isObject(one)) {
      for (const [inner, member] of Object.entries(one)) {
        found.push({ name: null, text: inner });
        left.push({ name: inner, value: member });
      }
    }
  }
  return found;
}
