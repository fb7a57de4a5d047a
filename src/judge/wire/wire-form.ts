import type { Opportunity, Quirk } from '../../chat/quirks.js';

/** The four forms of answers. Services assemble them in different places, so a wire change often touches only some. */
export const wireForms = ['plain_text', 'plain_call', 'streamed_text', 'streamed_call'] as const;
export type WireForm = (typeof wireForms)[number];

/** Sets of forms that may have a quirk by themselves, the widest first. */
export const wireGroups = {
  all: wireForms,
  streamed: ['streamed_text', 'streamed_call'],
  plain: ['plain_text', 'plain_call'],
  text: ['plain_text', 'streamed_text'],
  call: ['plain_call', 'streamed_call'],
  plain_text: ['plain_text'],
  plain_call: ['plain_call'],
  streamed_text: ['streamed_text'],
  streamed_call: ['streamed_call'],
} as const satisfies Readonly<Record<string, readonly WireForm[]>>;
export type WireGroup = keyof typeof wireGroups;

/** What one judged exchange shows of the wire. */
export interface WireSighting {
  /** The step of a flow; null for a probe with a single step. */
  readonly step: string | null;
  readonly form: WireForm;
  /** The kinds of quirks that could show in it. */
  readonly could: readonly Opportunity[];
  readonly seen: readonly Quirk[];
}
