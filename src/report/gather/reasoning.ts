import type { Reply } from '../../chat/reply.js';
import { usageIn } from './usage.js';

/** Whether reasoning used a reply's output tokens up: no content is left beside it, or at least half of them were reasoning. */
export function reasoningTookTokens(reply: Reply | null): boolean {
  if (reply === null) return false;
  const { completion_tokens, reasoning_tokens } = usageIn(reply.usage ?? undefined);
  const reasoned = reasoning_tokens > 0 || (reply.reasoning ?? '').trim() !== '';
  const silent = (reply.content ?? '').trim() === '' && reply.tool_calls.length === 0;
  return reasoned && (silent || (completion_tokens > 0 && reasoning_tokens * 2 >= completion_tokens));
}
