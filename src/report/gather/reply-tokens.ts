import type { Reply } from '../../chat/reply.js';
import { tokenUse } from '../../chat/tokens.js';
import type { Usage } from '../../matrix/gathered.js';

/** The tokens that a reply reports; 0 where the service does not report any. */
export function usageIn(reply: Pick<Reply, 'usage'> | null): Usage {
  const { prompt, completion, reasoning, total } = tokenUse(reply);
  const prompt_tokens = prompt ?? 0;
  const completion_tokens = completion ?? 0;
  return {
    ...{ prompt_tokens, completion_tokens, reasoning_tokens: reasoning ?? 0 },
    total_tokens: total === null || total === 0 ? prompt_tokens + completion_tokens : total,
  };
}

/** Whether reasoning took the output tokens: the reply says nothing else, or at least half of them were reasoning. */
export function reasoningTookTokens(reply: Reply | null): boolean {
  if (reply === null) return false;
  const { completion_tokens, reasoning_tokens } = usageIn(reply);
  const reasoned = reasoning_tokens > 0 || (reply.reasoning ?? '').trim() !== '';
  const silent = (reply.content ?? '').trim() === '' && reply.tool_calls.length === 0;
  return reasoned && (silent || (completion_tokens > 0 && reasoning_tokens * 2 >= completion_tokens));
}
