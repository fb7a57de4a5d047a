import { IntlMessageFormat } from 'intl-messageformat';

export type Arguments = Readonly<Record<string, string | number>>;

/** A sentence of the catalogue: ICU MessageFormat, and the type of its arguments. */
export interface Message<A extends Arguments = Arguments> {
  readonly icu: string;
  /** Only for the compiler. */
  readonly takes?: A;
}

type NoArguments = Readonly<Record<string, never>>;

/** A sentence without arguments. */
export type Plain = Message<NoArguments>;

/** A sentence of the catalogue with the names of its arguments. */
export const text = <A extends Arguments = NoArguments>(icu: string): Message<A> => ({ icu });

const compiledMessages = new WeakMap<Message, IntlMessageFormat>();

/**
 * The sentence in English. Words between backticks are code, which each format marks in its own way.
 * @throws where an argument is missing
 */
export function say(message: Plain): string;
export function say<A extends Arguments>(message: Message<A>, args: A): string;
export function say(message: Message, args?: Arguments): string {
  let format = compiledMessages.get(message);
  if (format === undefined) {
    format = new IntlMessageFormat(message.icu, 'en', undefined, { ignoreTag: true });
    compiledMessages.set(message, format);
  }
  return String(format.format(args));
}

/** All sentences of a table that take no arguments. */
export function sayAll<Name extends string>(table: Readonly<Record<Name, Plain>>): Readonly<Record<Name, string>> {
  const entries = Object.entries<Plain>(table).map(([name, message]) => [name, say(message)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}
