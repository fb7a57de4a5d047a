import { hash } from 'node:crypto';
import type { Json } from '../../../json/json.js';
import { visible } from '../../safe/escape.js';
import type { Pack } from './pack.js';

/**
 * A text in pieces: what is short stands there, what is long by its number in the store, and by its number and how many
 * spaces its further lines are indented.
 */
export type Rope = readonly Piece[];
type Piece = string | number | readonly [number, number];

/** Long texts, each kept once. They must be redacted before. */
export interface TextShelf {
  readonly text: (text: string) => Rope;
  /** The same of a text that hardly comes twice, such as an answer with an id of its own: it is not looked up. */
  readonly once: (text: string) => Rope;
  /**
   * JSON as people read it, in which prompts, schemas and other long parts are texts of their own.
   * @param without the member of the value in whose place there is a {@link gap}
   */
  readonly json: (value: Json, without?: string) => Rope;
}

/** Where something is put in afterwards. */
export const gap: Piece = [-1, 0];

/** A shorter text costs less than looking it up. */
const shortest = 100;
/** Parts of request bodies that many requests share as a whole. */
const whole: ReadonlySet<string> = new Set(['schema', 'parameters', 'messages']);

/** @param known numbers of texts by digest: its own last, and those of shelves whose texts it may use before */
export function openShelf(pack: Pack, known: readonly Map<string, number>[]): TextShelf {
  const own = known.at(-1) ?? new Map<string, number>();
  const numberOf = (text: string): number => {
    const digest = hash('sha1', text, 'base64');
    for (const one of known) {
      const before = one.get(digest);
      if (before !== undefined) return before;
    }
    const number = pack.add(text);
    own.set(digest, number);
    return number;
  };
  const text = (plain: string): Rope => {
    const shown = visible(plain);
    return [shown.length < shortest ? shown : numberOf(shown)];
  };
  const json = (value: Json, { name, depth, without }: Place): Rope => {
    const printed = visible(JSON.stringify(value, null, 2));
    if (printed.length < shortest && without === undefined) return [printed.replaceAll('\n', `\n${' '.repeat(depth)}`)];
    if (typeof value !== 'object' || value === null || whole.has(name)) return [[numberOf(printed), depth]];
    const inner = ' '.repeat(depth + 2);
    const members = Array.isArray(value)
      ? (value as readonly Json[]).map((item): Rope => [inner, ...json(item, { name: '', depth: depth + 2 })])
      : Object.entries(value).map(([key, member]): Rope => {
          const start = `${inner}${visible(JSON.stringify(key))}: `;
          return key === without ? [start, gap] : [start, ...json(member, { name: key, depth: depth + 2 })];
        });
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const listed = members.flatMap((rope, index): Rope => [...(index > 0 ? [',\n'] : []), ...rope]);
    return joined([`${open}\n`, ...listed, `\n${' '.repeat(depth)}${close}`]);
  };
  return {
    text,
    once: (plain) => [visible(plain)],
    json: (value, without) => json(value, { name: '', depth: 0, without }),
  };
}

interface Place {
  readonly name: string;
  /** Spaces before the lines of the value. */
  readonly depth: number;
  readonly without?: string | undefined;
}

/** The items that these ropes need. */
export function numbersIn(ropes: readonly (Rope | null)[]): readonly number[] {
  const numbers: number[] = [];
  for (const rope of ropes) {
    for (const piece of rope ?? [])
      if (typeof piece !== 'string' && piece !== gap) numbers.push(typeof piece === 'number' ? piece : piece[0]);
  }
  return numbers;
}

/** Neighbouring short pieces become one. */
function joined(rope: Rope): Rope {
  const pieces: Piece[] = [];
  for (const piece of rope) {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}
