import { listOf, objectOf, own } from '../../chat/fields.js';
import type { Opportunity } from '../../chat/quirks.js';
import type { Reply, ToolCall } from '../../chat/reply.js';
import { isObject } from '../../json/json.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from '../context.js';
import type { ReadCall } from '../json/read-call.js';

/**
 * All that hold for an answer that was read as a completion, in the order of their table. Asked one after another: a table
 * of functions takes three times as long, and this is done for each answer.
 */
export function opportunitiesIn(context: JudgeContext): Opportunity[] {
  const reply = replyOf(context);
  const { streamed, finish_reason: reason } = reply;
  const called = reply.tool_calls.length > 0;
  const wasCut = reason === 'length' || reason === 'content_filter';
  const could: Opportunity[] = ['answer', streamed ? 'streamed' : 'plain'];
  if (!streamed && wasCut) could.push('plain_cut');
  if (reason !== null) could.push('finished');
  if (reason !== null && !wasCut) could.push(called ? 'finished_call' : 'finished_text');
  if (!called || (reply.content ?? '') !== '') could.push('text');
  if (!called && isProse(context, reply)) could.push('prose');
  if ((reply.reasoning ?? '') !== '') could.push('reasoning');
  if (called ? callsOf(context).some(({ kind }) => kind === 'read') : isDocument(context, reply)) could.push('json');
  if (offersTools(context)) could.push('tools_offered');
  if (called) addThoseOfCalls(context, reply, could);
  if (reply.usage !== null) could.push('usage');
  if (!streamed || asksForUsage(context)) could.push('usage_due');
  if (streamed && reply.usage !== null) could.push('streamed_usage');
  return could;
}

function addThoseOfCalls(context: JudgeContext, { streamed, tool_calls: calls }: Reply, could: Opportunity[]): void {
  could.push('call');
  if (calls.some(hasArguments)) could.push('call_with_arguments');
  if (callsOf(context).some(wasReadAsEmpty)) could.push('call_without_arguments');
  if (isParallelOff(context)) could.push('call_parallel_off');
  else if (namesOneFunction(context)) could.push('call_one_meant');
  if (calls.length > 1) could.push('calls_several');
  if (streamed) could.push('streamed_call');
  if (streamed && calls.length > 1) could.push('streamed_calls_several');
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

function offersTools({ request }: JudgeContext): boolean {
  return listOf(own(request, 'tools')).length > 0 || listOf(own(request, 'functions')).length > 0;
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
