import type { ConnectionFault } from '../chat/exchange.js';
import type { JsonObject } from '../json/json.js';

/**
 * Signs of an answer beyond its class and reason, from which an advice follows: what a truncated answer
 * holds, or what a refusal wants instead. Codes and arguments; reports have the sentences.
 */
export type Clue =
  /** The answer is a call that was written as text. */
  | { readonly kind: 'call_as_text' }
  /** The end is the same piece over and over; `length` of the piece in characters. */
  | { readonly kind: 'repetition'; readonly length: number; readonly times: number }
  /** White space runs on to the cap. */
  | { readonly kind: 'white_space'; readonly characters: number }
  /** Reasoning took the tokens. */
  | { readonly kind: 'reasoning' }
  /**
   * The answer ended short of the cap that was sent: the context window is full, or the service has a cap of its own.
   */
  | { readonly kind: 'short_of_cap' }
  /** A field is taken under another name. */
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** Members of the request that the service wants; null: it wants the member left out. */
  | { readonly kind: 'set'; readonly members: JsonObject }
  /** A field of the request that the service does not take, and wants nothing in its place. */
  | { readonly kind: 'unsupported'; readonly field: string }
  /** No connection was made, or none that speaks HTTP. */
  | { readonly kind: 'connection'; readonly fault: ConnectionFault }
  /** The port takes HTTPS alone, and was asked with HTTP. */
  | { readonly kind: 'wants_tls' }
  /** The body has choices, so that a Chat Completions service sent it, and no client can read it. */
  | { readonly kind: 'broken_completion' };

const cutClueKinds = ['call_as_text', 'repetition', 'white_space', 'reasoning', 'short_of_cap'] as const;
export const clueKinds = [
  ...cutClueKinds,
  ...(['rename', 'set', 'unsupported', 'connection', 'wants_tls', 'broken_completion'] as const),
] satisfies readonly Clue['kind'][];

export type CutContent = Extract<Clue, { readonly kind: (typeof cutClueKinds)[number] }>;

/** Lines of a config that mend a refusal; null where the clue is none of a refusal. */
export function configFor(clue: Clue): JsonObject | null {
  switch (clue.kind) {
    case 'rename':
      return { rename: { [clue.from]: clue.to } };
    case 'set':
      return { request: clue.members };
    default:
      return null;
  }
}
