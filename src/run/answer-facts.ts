import type { Answer } from '../chat/exchange.js';
import { readAnswer } from '../chat/read-answer.js';
import type { Reply } from '../chat/reply.js';
import { hiddenTokens, tokenUse } from '../chat/token-use.js';
import type { Usage } from './limits/token-estimator.js';

/** What a run reads off an answer for its books; judging is not its business. */
export interface AnswerFacts {
  readonly served: string | null;
  readonly fingerprint: string | null;
  readonly usage: Usage | null;
  /** A choice could be read. */
  readonly readable: boolean;
}

export function factsOf(answer: Answer): AnswerFacts {
  if (answer.body.length === 0) return { served: null, fingerprint: null, usage: null, readable: false };
  const reading = readAnswer(answer);
  const reply = reading.kind === 'reply' ? reading.reply : reading.partial;
  return {
    served: reply?.model ?? null,
    fingerprint: reply?.system_fingerprint ?? null,
    usage: reply === null ? null : usageOf(reply),
    readable: reading.kind === 'reply' && reading.reply.choices > 0,
  };
}

/**
 * Tokens that the service counts without naming them belong to what it wrote. No request takes none, and no text was
 * written with none: such a count is as good as missing.
 */
function usageOf(reply: Reply): Usage | null {
  const use = tokenUse(reply);
  const prompt = use.prompt === 0 ? null : use.prompt;
  const written = use.completion === null ? null : use.completion + hiddenTokens(use);
  const completion = written === 0 && (reply.content ?? '') !== '' ? null : written;
  return prompt === null && completion === null ? null : { prompt, completion };
}
