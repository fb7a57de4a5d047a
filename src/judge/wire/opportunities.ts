import { listOf, objectOf, own } from '../../chat/fields.js';
import type { Opportunity } from '../../chat/quirks.js';
import type { Reply, ToolCall } from '../../chat/reply.js';
import { isObject } from '../../json/json.js';
import { beyondAsciiIn } from '../damage.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from '../context.js';
import type { ReadCall } from '../json/read-call.js';

/** What kinds of quirks could show in an answer that was read as a completion. */
export function opportunitiesIn(context: JudgeContext): readonly Opportunity[] {
  const reply = replyOf(context);
  const { streamed, usage, tool_calls: calls, finish_reason: reason } = reply;
  const called = calls.length > 0;
  const hasText = (reply.content ?? '') !== '';
  // A service that has another word for `stop` may well say `length` of what was cut.
  const wasCut = reason === 'length' || reason === 'content_filter';
  const finished = reason !== null && !wasCut;
  const prose = !called && isProse(context, reply);
  const document = called ? callsOf(context).some(wasRead) : isDocument(context, reply);
  const parallelOff = called && isParallelOff(context);
  const held: Readonly<Record<Opportunity, boolean>> = {
    answer: true,
    plain_cut: wasCut && !streamed,
    cut_at_cap: reason === 'length',
    streamed,
    finished,
    finished_text: finished && !called,
    finished_call: finished && called,
    finished_beside_tools: finished && !called && offersTools(context),
    no_call: !called,
    text: hasText,
    prose,
    prose_beside_tools: prose && offersTools(context),
    prose_with_thoughts: prose && context.expectation.reasoning !== 'absent',
    reasoning: (reply.reasoning ?? '') !== '',
    json: document,
    json_asked: document && (called || asksForJson(context)),
    call: called,
    call_with_arguments: calls.some(hasArguments),
    call_without_arguments: called && callsOf(context).some(wasReadAsEmpty),
    call_one_meant: called && !parallelOff && namesOneFunction(context),
    call_parallel_off: parallelOff,
    calls_several: calls.length > 1,
    streamed_call: streamed && called,
    streamed_calls_several: streamed && calls.length > 1,
    usage: usage !== null,
    usage_of_answer: usage !== null && (called || hasText),
    usage_due: !streamed || asksForUsage(context),
    streamed_usage: streamed && usage !== null,
    beyond_ascii: beyondAsciiIn(context) !== 'nothing',
  };
  return (Object.keys(held) as Opportunity[]).filter((name) => held[name]);
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
