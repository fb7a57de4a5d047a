import { replyOf, tokensOf, type Failure, type JudgeContext, type RungCheck } from '../context.js';
import { belowCap, wentToReasoning, whereTokensWent } from './spent-tokens.js';

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
