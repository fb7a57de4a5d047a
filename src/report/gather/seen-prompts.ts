import { requestKind } from '../../chat/request-kind.js';
import { own, objectOf } from '../../chat/fields.js';
import type { Reply } from '../../chat/reply.js';
import { digest } from '../../json/digest.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { SeenPrompt } from '../../matrix/gathered.js';
import { usageIn } from './answer-times.js';

const mostPrompts = 10;

/** With what this exchange adds to what is known of the prompts of its cell: each conversation once. */
export function withPrompt(
  known: readonly SeenPrompt[],
  { purpose, exchange }: Pick<ExchangeRecord, 'purpose' | 'exchange'>,
  reply: Reply | null,
): readonly SeenPrompt[] {
  if (reply === null || purpose !== 'probe' || known.length >= mostPrompts) return known;
  const { choice, format } = requestKind(exchange.request.body);
  const tokens = usageIn(reply).prompt_tokens;
  // Services differ in the tokens that a form adds to a prompt, and in tools that may not be called.
  if (format !== null || choice === 'none' || tokens === 0) return known;
  const messages = digest(own(objectOf(exchange.request.body) ?? {}, 'messages') ?? null);
  if (known.some((one) => one.messages === messages)) return known;
  return [...known, { messages, tokens, has_tools: choice !== null, calls: reply.tool_calls.length }];
}
