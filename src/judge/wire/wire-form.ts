import type { Opportunity, Quirk } from '../../chat/quirks.js';

/** The four forms of answers. Services assemble them in different places, so a wire change often touches only some. */
const wireForms = ['plain_text', 'plain_call', 'streamed_text', 'streamed_call'] as const;
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

/** The wire of one judged exchange. */
export interface WireSighting {
  /** The step of a flow; null for a probe with a single step. */
  readonly step: string | null;
  readonly form: WireForm;
  /** The kinds of quirks that could show in it. */
  readonly could: readonly Opportunity[];
  readonly seen: readonly Quirk[];
}

const { all, streamed, plain, text, call, streamed_call } = wireGroups;

/** The forms of answers in which each could be. Calls come only to clients that offer tools. */
export const opportunityForms = {
  answer: all,
  plain_cut: plain,
  cut_at_cap: all,
  streamed,
  finished: all,
  finished_text: text,
  finished_call: call,
  finished_beside_tools: text,
  no_call: text,
  // A call may come with a text.
  text: all,
  prose: text,
  prose_beside_tools: text,
  prose_with_thoughts: text,
  reasoning: all,
  json: all,
  json_asked: all,
  beyond_ascii: all,
  call,
  call_with_arguments: call,
  call_without_arguments: call,
  call_one_meant: call,
  call_parallel_off: call,
  calls_several: call,
  streamed_late: streamed,
  streamed_call,
  streamed_calls_several: streamed_call,
  usage: all,
  usage_of_answer: all,
  usage_due: all,
  streamed_usage: streamed,
} as const satisfies Readonly<Record<Opportunity, readonly WireForm[]>>;
