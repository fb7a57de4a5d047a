import { outputCap, completionTokens } from '../chat/tokens.js';
import type { Quirk } from '../chat/quirks.js';
import { callInContent, callsOf, documentOf, kindOf, readingOf, replyOf, type JudgeContext } from './context.js';
import { damageIn } from './damage.js';
import { withoutThinking, breaksOff } from './json/wrapped-json.js';
import { namesOneFunction } from './wire/opportunities.js';

/** All tolerated oddities of an answer: those found while reading it, and those that only the request reveals. */
export function replyQuirks(context: JudgeContext): readonly string[] {
  const reading = readingOf(context);
  if (reading.kind !== 'reply') return reading.partial?.quirks ?? [];
  const found = quirksAgainstRequest(context);
  return found.length === 0 ? reading.reply.quirks : [...new Set([...reading.reply.quirks, ...found])].sort();
}

function quirksAgainstRequest(context: JudgeContext): Quirk[] {
  const { exchange, expectation } = context;
  const reply = replyOf(context);
  const reason = reply.finish_reason;
  const called = reply.tool_calls.length > 0;
  const found: Quirk[] = called ? quirksOfCalls(context) : [];
  const oddEnd = reason === null ? null : quirkOfEnd(reason, called, reply.quirks.includes('legacy_function_call'));
  if (oddEnd !== null) found.push(oddEnd);
  if (reason !== null && isCutWithoutLength(context, reason)) found.push('cut_without_length');
  if (!called && (expectation.toolCall.kind === 'none' || expectation.toolCall.kind === 'optional')) {
    for (const quirk of quirksOfContent(context)) found.push(quirk);
  }
  if (reply.streamed && kindOf(context).streamsUsage && reply.usage === null) found.push('usage_missing');
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
  const calls = replyOf(context).tool_calls;
  const found: Quirk[] = [];
  if (calls.some(({ id }) => id === null)) found.push('missing_tool_call_id');
  if (calls.length > 1) {
    const ids = calls.flatMap(({ id }) => id ?? []);
    if (new Set(ids).size < ids.length) found.push('tool_call_id_repeated');
    if (kindOf(context).isParallelOff) found.push('parallel_tool_calls_ignored');
    else if (namesOneFunction(context)) found.push('tool_calls_several');
  }
  for (const read of callsOf(context)) if (read.kind === 'read') for (const quirk of read.quirks) found.push(quirk);
  return found;
}

function quirksOfContent(context: JudgeContext): readonly Quirk[] {
  const { content } = replyOf(context);
  if (content === null) return [];
  const { content: wanted } = context.expectation;
  if (wanted === 'json' || wanted === 'object') {
    const read = documentOf(context);
    return read.kind === 'json' ? read.quirks : [];
  }
  // Each of the others begins with this, and most texts have none.
  if (!content.includes('<')) return [];
  const found: Quirk[] = [];
  if (withoutThinking(content) !== content || /^\s*<think(?:ing)?>/i.test(content)) found.push('think_tags_in_content');
  const written = callInContent(context);
  if (written !== null && written.markup.startsWith('<')) found.push('tool_call_markup_in_content');
  return found;
}

/** How a text ends that may be whole: with a mark or an emoji, not in a word or behind a comma. */
const maySayAll = /[^\p{L}\p{N}\s,]\s*$/u;

/**
 * Whether an answer shows that its cap cut it although its finish_reason does not say so. The usage must have reached the
 * cap. That alone proves nothing: a whole answer may take just as many tokens, and a service that ignores the cap takes more.
 */
function isCutWithoutLength(context: JudgeContext, reason: string): boolean {
  if (reason === 'length' || reason === 'content_filter') return false;
  const reply = replyOf(context);
  const completion = completionTokens(reply);
  const cap = completion === null ? null : outputCap(context.request);
  if (completion === null || cap === null || completion < cap) return false;
  if (reply.tool_calls.length > 0) return callsOf(context).some((read) => read.kind === 'unreadable' && read.cut);
  const content = reply.content ?? '';
  if (content.trim() === '') return true;
  const { content: wanted } = context.expectation;
  if (wanted === 'json' || wanted === 'object') {
    const read = documentOf(context);
    return read.kind === 'cut' && breaksOff(read);
  }
  return completion === cap && !maySayAll.test(content);
}
