import { listOf, objectOf, own } from '../../chat/fields.js';
import type { Opportunity } from '../../chat/quirks.js';
import type { Reply, ToolCall } from '../../chat/reply.js';
import { isObject } from '../../json/json.js';
import { beyondAsciiIn } from '../damage.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from '../context.js';
import type { ReadCall } from '../json/read-call.js';

/** A bit for each. */
const bits = {
  answer: 1 << 0,
  plain: 1 << 1,
  plain_cut: 1 << 2,
  cut_at_cap: 1 << 3,
  streamed: 1 << 4,
  finished: 1 << 5,
  finished_text: 1 << 6,
  finished_call: 1 << 7,
  finished_beside_tools: 1 << 8,
  no_call: 1 << 9,
  text: 1 << 10,
  prose: 1 << 11,
  prose_beside_tools: 1 << 12,
  prose_with_thoughts: 1 << 13,
  reasoning: 1 << 14,
  json: 1 << 15,
  json_asked: 1 << 16,
  call: 1 << 17,
  call_with_arguments: 1 << 18,
  call_without_arguments: 1 << 19,
  call_one_meant: 1 << 20,
  call_parallel_off: 1 << 21,
  calls_several: 1 << 22,
  streamed_call: 1 << 23,
  streamed_calls_several: 1 << 24,
  usage: 1 << 25,
  usage_of_answer: 1 << 26,
  usage_due: 1 << 27,
  streamed_usage: 1 << 28,
  beyond_ascii: 1 << 29,
} as const satisfies Readonly<Record<Opportunity, number>>;

/** What held before, by its bits: answers of one kind share a list, since there are few kinds and many answers. */
const known = new Map<number, readonly Opportunity[]>();

/** All that hold for an answer that was read as a completion, in the order of their bits. */
export function opportunitiesIn(context: JudgeContext): readonly Opportunity[] {
  const held = bitsOf(context);
  const before = known.get(held);
  if (before !== undefined) return before;
  const list = (Object.keys(bits) as Opportunity[]).filter((name) => (held & bits[name]) !== 0);
  known.set(held, Object.freeze(list));
  return list;
}

/** One question after another: a table of functions takes three times as long, and this is done for each answer. */
function bitsOf(context: JudgeContext): number {
  const reply = replyOf(context);
  const { streamed, usage } = reply;
  const called = reply.tool_calls.length > 0;
  const hasText = (reply.content ?? '') !== '';
  let held = bits.answer | (streamed ? bits.streamed : bits.plain) | bitsOfEnd(context, reply);
  if (hasText) held |= bits.text;
  if ((reply.reasoning ?? '') !== '') held |= bits.reasoning;
  held |= called ? bitsOfCalls(context, reply) : bitsOfText(context, reply);
  if (beyondAsciiIn(context) !== 'nothing') held |= bits.beyond_ascii;
  if (usage !== null) held |= bits.usage;
  if (usage !== null && (called || hasText)) held |= bits.usage_of_answer;
  if (!streamed || asksForUsage(context)) held |= bits.usage_due;
  if (streamed && usage !== null) held |= bits.streamed_usage;
  return held;
}

/** A service that has another word for `stop` may well say `length` of what was cut. */
function bitsOfEnd(context: JudgeContext, { streamed, finish_reason: reason, tool_calls: calls }: Reply): number {
  const ofCap = reason === 'length' ? bits.cut_at_cap : 0;
  if (reason === 'length' || reason === 'content_filter') return streamed ? ofCap : ofCap | bits.plain_cut;
  if (reason === null) return 0;
  if (calls.length > 0) return bits.finished | bits.finished_call;
  return bits.finished | bits.finished_text | (offersTools(context) ? bits.finished_beside_tools : 0);
}

function bitsOfText(context: JudgeContext, reply: Reply): number {
  let held: number = bits.no_call;
  if (isProse(context, reply)) {
    held |= bits.prose;
    if (offersTools(context)) held |= bits.prose_beside_tools;
    if (context.expectation.reasoning !== 'absent') held |= bits.prose_with_thoughts;
  }
  if (isDocument(context, reply)) held |= asksForJson(context) ? bits.json | bits.json_asked : bits.json;
  return held;
}

function bitsOfCalls(context: JudgeContext, { streamed, tool_calls: calls }: Reply): number {
  let held: number = bits.call;
  if (callsOf(context).some(wasRead)) held |= bits.json | bits.json_asked;
  if (calls.some(hasArguments)) held |= bits.call_with_arguments;
  if (callsOf(context).some(wasReadAsEmpty)) held |= bits.call_without_arguments;
  if (isParallelOff(context)) held |= bits.call_parallel_off;
  else if (namesOneFunction(context)) held |= bits.call_one_meant;
  if (calls.length > 1) held |= bits.calls_several;
  if (streamed) held |= bits.streamed_call;
  if (streamed && calls.length > 1) held |= bits.streamed_calls_several;
  return held;
}

function wasRead({ kind }: ReadCall): boolean {
  return kind === 'read';
}

function hasArguments({ arguments: sent }: ToolCall): boolean {
  return isObject(sent) || (typeof sent === 'string' && sent.trim() !== '');
}

function wasReadAsEmpty(read: ReadCall): boolean {
  return read.kind === 'read' && isObject(read.value) && Object.keys(read.value).length === 0;
}

/** A content where no JSON is wanted. */
function isProse({ expectation: { toolCall, content } }: JudgeContext, reply: Reply): boolean {
  if (reply.content === null || (content !== 'text' && content !== 'any')) return false;
  return toolCall.kind === 'none' || toolCall.kind === 'optional';
}

/** A content where JSON is wanted, and that can be read as JSON. */
function isDocument(context: JudgeContext, reply: Reply): boolean {
  const { content } = context.expectation;
  if (reply.content === null || (content !== 'json' && content !== 'object')) return false;
  return documentOf(context).kind === 'json';
}

/** No object inherits a member of these names. */
function offersTools({ request: { tools, functions } }: JudgeContext): boolean {
  return listOf(tools).length > 0 || listOf(functions).length > 0;
}

function asksForJson({ request: { response_format: format } }: JudgeContext): boolean {
  const type = isObject(format) ? format['type'] : undefined;
  return type === 'json_schema' || type === 'json_object';
}

/** Whether a stream was asked to end with its usage; without that, most services leave it out. */
export function asksForUsage({ request }: JudgeContext): boolean {
  return own(objectOf(own(request, 'stream_options')) ?? {}, 'include_usage') === true;
}

export function isParallelOff({ request }: JudgeContext): boolean {
  return own(request, 'parallel_tool_calls') === false;
}

/** The request forces one function, or the probe says which one must be called. */
export function namesOneFunction({ request, expectation }: JudgeContext): boolean {
  return isObject(own(request, 'tool_choice')) || expectation.toolCall.kind === 'named';
}
