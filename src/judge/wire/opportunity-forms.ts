import type { Opportunity } from '../../chat/quirks.js';
import { wireGroups, type WireForm } from './wire-form.js';

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
  streamed_call,
  streamed_calls_several: streamed_call,
  usage: all,
  usage_of_answer: all,
  usage_due: all,
  streamed_usage: streamed,
} as const satisfies Readonly<Record<Opportunity, readonly WireForm[]>>;
