import { type Opportunity, quirkTable, type Quirk, type QuirkFacts } from '../../chat/quirks.js';
import type { Reply, ToolCall } from '../../chat/reply.js';
import { isObject } from '../../json/json.js';
import { beyondAsciiIn } from '../damage.js';
import { callsOf, documentOf, kindOf, replyOf, type JudgeContext, readingOf } from '../context.js';
import type { ReadCall } from '../json/read-call.js';
import type { WireForm, WireSighting } from './wire-form.js';

/** What kinds of quirks could show in an answer that was read as a completion. */
function opportunitiesIn(context: JudgeContext): readonly Opportunity[] {
  const reply = replyOf(context);
  const { streamed, usage, tool_calls: calls, finish_reason: reason } = reply;
  const called = calls.length > 0;
  const { tools, format, fields } = kindOf(context);
  const offersTools = tools.size > 0 || fields.includes('functions');
  const asksForJson = format === 'json_schema' || format === 'json_object';
  const hasText = (reply.content ?? '') !== '';
  // A service that has another word for `stop` may well say `length` of what was cut.
  const wasCut = reason === 'length' || reason === 'content_filter';
  const finished = reason !== null && !wasCut;
  const prose = !called && isProse(context, reply);
  const document = called ? callsOf(context).some(wasRead) : isDocument(context, reply);
  const parallelOff = called && kindOf(context).isParallelOff;
  const held: Readonly<Record<Opportunity, boolean>> = {
    answer: true,
    plain_cut: wasCut && !streamed,
    cut_at_cap: reason === 'length',
    streamed,
    finished,
    finished_text: finished && !called,
    finished_call: finished && called,
    finished_beside_tools: finished && !called && offersTools,
    no_call: !called,
    text: hasText,
    prose,
    prose_beside_tools: prose && offersTools,
    prose_with_thoughts: prose && context.expectation.reasoning !== 'absent',
    reasoning: (reply.reasoning ?? '') !== '',
    json: document,
    json_asked: document && (called || asksForJson),
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
    usage_due: !streamed || kindOf(context).streamsUsage,
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

/** The request forces one function, or the probe says which one must be called. */
export function namesOneFunction(context: JudgeContext): boolean {
  return kindOf(context).choice === 'object' || context.expectation.toolCall.kind === 'named';
}

/** null: the answer was not read as a completion. */
export function sightingOf(context: JudgeContext, quirks: readonly string[]): WireSighting | null {
  if (readingOf(context).kind !== 'reply') return null;
  const seen = quirks.length === 0 ? [] : quirks.filter(isKnown);
  return { step: null, form: formOf(replyOf(context)), could: couldShow(context, seen), seen };
}

function isKnown(name: string): name is Quirk {
  return Object.hasOwn(quirkTable, name);
}

function formOf({ streamed, tool_calls: calls }: Reply): WireForm {
  if (streamed) return calls.length > 0 ? 'streamed_call' : 'streamed_text';
  return calls.length > 0 ? 'plain_call' : 'plain_text';
}

/** What showed could show, however odd the answer. */
function couldShow(context: JudgeContext, seen: readonly Quirk[]): readonly Opportunity[] {
  const could = opportunitiesIn(context);
  if (seen.length === 0) return could;
  const further = seen.map(whereShown).filter((shows) => !could.includes(shows));
  return further.length === 0 ? could : [...could, ...new Set(further)];
}

function whereShown(name: Quirk): Opportunity {
  const facts: QuirkFacts = quirkTable[name];
  return facts.mayShow ?? facts.shows;
}
