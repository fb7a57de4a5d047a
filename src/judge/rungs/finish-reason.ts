import { replyOf, tokensOf, type Failure, type JudgeContext, type RungCheck } from '../context.js';
import { outputCap, hiddenTokens, type TokenUse } from '../../chat/tokens.js';

/** Other services' words for `length` and `content_filter`. */
const cutWords = /^(?:length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/i;
const filterWords =
  /^(?:content_filter|content_filtered|content-filter|safety|sensitive|recitation|prohibited_content|blocklist|spii)$/i;

/** How the generation ended is checked before its content: a truncated answer is never called bad JSON. */
export const finishReason: RungCheck = (context) => {
  const { finish_reason: reason } = replyOf(context);
  const { finishReasons } = context.expectation;
  if (finishReasons !== null) {
    if (reason !== null && finishReasons.includes(reason)) return null;
    return cutOrFiltered(context) ?? unexpected(reason, finishReasons);
  }
  return cutOrFiltered(context);
};

function cutOrFiltered(context: JudgeContext): Failure | null {
  const { finish_reason: reason } = replyOf(context);
  // As most answers end, and it is neither.
  if (reason === null || reason === 'stop' || reason === 'tool_calls') return null;
  if (cutWords.test(reason)) return { class: 'truncated', rung: 'accepted', detail: whyCut(context, reason) };
  if (!filterWords.test(reason)) return null;
  return { class: 'filtered', reason: 'content_filtered', rung: 'accepted', detail: `finish_reason is ${reason}` };
}

export function whyCut(context: JudgeContext, reason: string): string {
  const tokens = belowCap(context) ?? whereTokensWent(context);
  const what = wentToReasoning(context) ? 'the budget went to reasoning and no answer was left' : 'the answer was cut';
  const { completion } = tokensOf(context);
  return `${what}: finish_reason is ${reason}${tokens === null ? '' : ` ${completion === null ? 'with' : 'after'} ${tokens}`}`;
}

function unexpected(reason: string | null, expected: readonly string[]): Failure {
  const detail = `finish_reason is ${reason ?? 'missing'}; expected ${expected.join(' or ')}`;
  return { class: 'unexpected_finish_reason', rung: 'accepted', detail };
}

/** Whether the usage says that the cap was reached, whatever the finish_reason says. */
export function reachedCap(context: JudgeContext): boolean {
  const cap = outputCap(context.request);
  const { completion } = tokensOf(context);
  return cap !== null && completion !== null && completion >= cap;
}

/**
 * Whether the usage shows that something other than the cap ended an answer that was cut. Services count a little
 * differently, so the cap must be clearly missed, and where the total counts hidden tokens, nobody knows.
 */
export function endedBelowCap(use: TokenUse, cap: number | null): boolean {
  if (use.completion === null || cap === null || hiddenTokens(use) > 0) return false;
  return cap - Math.max(use.completion, use.reasoning ?? 0) > Math.max(2, cap * 0.03);
}

/** What an answer that was cut without having reached a cap says of the reason, in words; null for any other. */
function belowCap(context: JudgeContext): string | null {
  const cap = outputCap(context.request);
  const use = tokensOf(context);
  const { prompt, completion } = use;
  if (completion === null || hiddenTokens(use) > 0 || (cap !== null && !endedBelowCap(use, cap))) return null;
  const short = cap === null ? 'and the request sets no cap' : `short of the cap of ${cap}`;
  const window =
    prompt === null ? 'the context window is full' : `a context window of ${prompt + completion} tokens is full`;
  return `${completion} completion tokens, ${short}: ${window}, or the service has a cap of its own`;
}

/** What the tokens were spent on, in words; null where the usage does not say. */
export function whereTokensWent(context: JudgeContext): string | null {
  const use = tokensOf(context);
  const cap = outputCap(context.request);
  const hidden = hiddenTokens(use);
  const parts: string[] = [];
  if (use.completion !== null) parts.push(`${use.completion} completion tokens`);
  if (cap !== null) parts.push(`a cap of ${cap}`);
  if (use.reasoning !== null && use.reasoning > 0) parts.push(`${use.reasoning} of them for reasoning`);
  else if (hidden > 0) parts.push(`${hidden} further tokens of the total went to hidden reasoning`);
  return parts.length === 0 ? null : parts.join(', ');
}

/** Whether reasoning used up what the answer would have needed. */
export function wentToReasoning(context: JudgeContext): boolean {
  const reply = replyOf(context);
  const visible = (reply.content ?? '').trim() !== '' || reply.tool_calls.length > 0;
  if (visible) return false;
  const use = tokensOf(context);
  return (use.reasoning ?? 0) > 0 || hiddenTokens(use) > 0 || (reply.reasoning ?? '') !== '';
}
