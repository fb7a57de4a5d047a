import { outputCap } from '../../chat/output-cap.js';
import { replyOf, type JudgeContext } from '../context.js';
import { hiddenTokens, tokenUse } from '../../chat/token-use.js';

/** Whether the usage says that the cap was reached, whatever the finish_reason says. */
export function reachedCap(context: JudgeContext): boolean {
  const cap = outputCap(context.request);
  const { completion } = tokenUse(replyOf(context));
  return cap !== null && completion !== null && completion >= cap;
}

/** What the tokens were spent on, in words; null where the usage does not say. */
export function whereTokensWent(context: JudgeContext): string | null {
  const use = tokenUse(replyOf(context));
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
  const use = tokenUse(reply);
  return (use.reasoning ?? 0) > 0 || hiddenTokens(use) > 0 || (reply.reasoning ?? '') !== '';
}
