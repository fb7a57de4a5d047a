import { quirkTable, type Opportunity, type Quirk } from '../../chat/quirks.js';
import type { Reply, ToolCall } from '../../chat/reply.js';
import { outputCap } from '../../chat/tokens.js';
import { isObject } from '../../json/json.js';
import { type JudgeContext } from '../context.js';
import { beyondAsciiIn, damageIn, textIn } from '../damage.js';
import { withoutThinking, breaksOff } from '../json/wrapped-json.js';
import { arrivalOfContent } from './content-arrival.js';
import { holdsControlTokens } from './control-tokens.js';
import type { WireForm, WireSighting } from './wire-form.js';

/** The kinds of quirks that could show in an answer that was read as a completion. */
function opportunitiesIn(context: JudgeContext): readonly Opportunity[] {
  const reply = context.reply;
  const { streamed, usage, tool_calls: calls, finish_reason: reason } = reply;
  const called = calls.length > 0;
  const { tools, format, fields } = context.kind;
  const offersTools = tools.size > 0 || fields.includes('functions');
  const asksForJson = format === 'json_schema' || format === 'json_object';
  const hasText = (reply.content ?? '') !== '';
  // A service that has another word for `stop` may well say `length` of what was cut.
  const wasCut = reason === 'length' || reason === 'content_filter';
  const finished = reason !== null && !wasCut;
  const prose = !called && isProse(context, reply);
  const document = called ? context.calls.some(wasRead) : isReadableDocument(context, reply);
  const parallelOff = called && context.kind.isParallelOff;
  const held: Readonly<Record<Opportunity, boolean>> = {
    answer: true,
    plain_cut: wasCut && !streamed,
    cut_at_cap: reason === 'length',
    streamed,
    streamed_late: context.reply.streamed && arrivalOfContent(context.exchange) !== null,
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
    call_without_arguments: called && context.calls.some(wasReadAsEmpty),
    call_one_meant: called && !parallelOff && namesOneFunction(context),
    call_parallel_off: parallelOff,
    calls_several: calls.length > 1,
    streamed_call: streamed && called,
    streamed_calls_several: streamed && calls.length > 1,
    usage: usage !== null,
    usage_of_answer: usage !== null && (called || hasText),
    usage_due: !streamed || context.kind.streamsUsage,
    streamed_usage: streamed && usage !== null,
    beyond_ascii: beyondAsciiIn(context) !== 'nothing',
  };
  return (Object.keys(held) as Opportunity[]).filter((name) => held[name]);
}

type ContextCall = JudgeContext['calls'][number];

function wasRead({ kind }: ContextCall): boolean {
  return kind === 'read';
}

function hasArguments({ arguments: sent }: ToolCall): boolean {
  return isObject(sent) || (typeof sent === 'string' && sent.trim() !== '');
}

function wasReadAsEmpty(read: ContextCall): boolean {
  return read.kind === 'read' && isObject(read.value) && Object.keys(read.value).length === 0;
}

/** A content where no JSON is wanted. */
function isProse({ expectation: { toolCall, content } }: JudgeContext, reply: Reply): boolean {
  if (reply.content === null || (content !== 'text' && content !== 'any')) return false;
  return toolCall.kind === 'none' || toolCall.kind === 'optional';
}

/** A content where JSON is wanted, and that can be read as JSON. */
function isReadableDocument(context: JudgeContext, reply: Reply): boolean {
  const { content } = context.expectation;
  if (reply.content === null || (content !== 'json' && content !== 'object')) return false;
  return context.document.kind === 'json';
}

/** The request forces one function. A probe that says which one must be called may want it called several times. */
function namesOneFunction(context: JudgeContext): boolean {
  return context.kind.choice === 'object';
}

/** null: the answer was not read as a completion. */
export function sightingOf(context: JudgeContext, quirks: readonly string[]): WireSighting | null {
  if (context.reading.kind !== 'reply') return null;
  const seen = quirks.length === 0 ? [] : quirks.filter(isKnown);
  return { step: null, form: wireFormOf(context.reply), could: opportunitiesWithSeen(context, seen), seen };
}

function isKnown(name: string): name is Quirk {
  return Object.hasOwn(quirkTable, name);
}

function wireFormOf({ streamed, tool_calls: calls }: Reply): WireForm {
  if (streamed) return calls.length > 0 ? 'streamed_call' : 'streamed_text';
  return calls.length > 0 ? 'plain_call' : 'plain_text';
}

/** A quirk that showed had its opportunity, however odd the answer. */
function opportunitiesWithSeen(context: JudgeContext, seen: readonly Quirk[]): readonly Opportunity[] {
  const could = opportunitiesIn(context);
  if (seen.length === 0) return could;
  const further = seen.map(whereShown).filter((shows) => !could.includes(shows));
  return further.length === 0 ? could : [...could, ...new Set(further)];
}

function whereShown(name: Quirk): Opportunity {
  const facts = quirkTable[name];
  return facts.mayShow ?? facts.shows;
}

/** All tolerated oddities of an answer: those found while reading it, and those that only the request reveals. */
export function replyQuirks(context: JudgeContext): readonly string[] {
  const reading = context.reading;
  if (reading.kind !== 'reply') return reading.partial?.quirks ?? [];
  const found = quirksAgainstRequest(context);
  return found.length === 0 ? reading.reply.quirks : [...new Set([...reading.reply.quirks, ...found])].sort();
}

function quirksAgainstRequest(context: JudgeContext): Quirk[] {
  const { exchange, expectation } = context;
  const reply = context.reply;
  const reason = reply.finish_reason;
  const called = reply.tool_calls.length > 0;
  const found: Quirk[] = called ? quirksOfCalls(context) : [];
  const oddEnd = reason === null ? null : quirkOfEnd(reason, called, reply.quirks.includes('legacy_function_call'));
  if (oddEnd !== null) found.push(oddEnd);
  if (reason !== null && isCutWithoutLength(context, reason)) found.push('cut_without_length');
  if (!called && (expectation.toolCall.kind === 'none' || expectation.toolCall.kind === 'optional')) {
    for (const quirk of quirksOfContent(context)) found.push(quirk);
  }
  if (reply.streamed && context.kind.streamsUsage && reply.usage === null) found.push('usage_missing');
  if (reply.streamed && arrivalOfContent(exchange) === 'at_once') found.push('stream_in_one_piece');
  if (holdsControlTokens(reply.content ?? '', () => messageText(context))) found.push('control_tokens_in_content');
  if (damageIn(context) !== null) found.push('text_damaged');
  if (exchange.answer.failure !== null && expectation.outcome !== 'transport') found.push('cut_after_done');
  return found;
}

/** @param isMoved a call came in the retired field alone */
function quirkOfEnd(reason: string, called: boolean, isMoved: boolean): Quirk | null {
  switch (reason) {
    case 'stop':
      return called ? 'finish_reason_stop_with_tool_call' : null;
    case 'tool_calls':
    case 'function_call':
      return called || isMoved ? null : 'finish_reason_tool_calls_without_call';
    case 'length':
    case 'content_filter':
      return null;
    default:
      return 'unknown_finish_reason';
  }
}

function quirksOfCalls(context: JudgeContext): Quirk[] {
  const calls = context.reply.tool_calls;
  const found: Quirk[] = [];
  if (calls.some(({ id }) => id === null)) found.push('missing_tool_call_id');
  if (calls.length > 1) {
    const ids = calls.flatMap(({ id }) => id ?? []);
    if (new Set(ids).size < ids.length) found.push('tool_call_id_repeated');
    if (context.kind.isParallelOff) {
      found.push('parallel_tool_calls_ignored');
    } else if (namesOneFunction(context)) {
      found.push('tool_calls_several');
    }
  }
  for (const read of context.calls) if (read.kind === 'read') for (const quirk of read.quirks) found.push(quirk);
  return found;
}

function quirksOfContent(context: JudgeContext): readonly Quirk[] {
  const { content } = context.reply;
  if (content === null) return [];
  const { content: wanted } = context.expectation;
  if (wanted === 'json' || wanted === 'object') {
    const read = context.document;
    return read.kind === 'json' ? read.quirks : [];
  }
  const found: Quirk[] = [];
  if (withoutThinking(content) !== content || /^\s*<think(?:ing)?>/i.test(content)) found.push('think_tags_in_content');
  const written = context.callInContent;
  // Text that only looks like a call may be what was asked for; a tag is not.
  if (written !== null && (written.isSure || written.markup.startsWith('<'))) found.push('tool_call_markup_in_content');
  return found;
}

/** The messages to the model, as text. */
function messageText({ request }: JudgeContext): string {
  return textIn(request['messages'] ?? null);
}

/** How a text ends that may be whole: with a mark or an emoji, not in a word or behind a comma. */
const maySayAll = /[^\p{L}\p{N}\s,]\s*$/u;

/**
 * Whether an answer shows that its cap cut it although its finish_reason does not say so. The usage must have reached
 * the cap. That alone proves nothing: a whole answer may take just as many tokens, and a service that ignores the cap
 * takes more.
 */
function isCutWithoutLength(context: JudgeContext, reason: string): boolean {
  if (reason === 'length' || reason === 'content_filter') return false;
  const reply = context.reply;
  const { completion } = context.tokens;
  const cap = completion === null ? null : outputCap(context.request);
  if (completion === null || cap === null || completion < cap) return false;
  if (reply.tool_calls.length > 0) {
    return context.calls.some((read) => read.kind === 'unreadable' && read.flaw === 'cut');
  }
  const content = reply.content ?? '';
  if (content.trim() === '') return true;
  const { content: wanted } = context.expectation;
  if (wanted === 'json' || wanted === 'object') {
    const read = context.document;
    return read.kind === 'cut' && breaksOff(read);
  }
  return completion === cap && !maySayAll.test(content);
}
