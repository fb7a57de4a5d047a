import type { Answer } from '../../chat/exchange.js';
import { readAnswer } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';

/** What can be read of an answer as a completion, whole or in part; null for none. */
export function replyOf(answer: Answer): Reply | null {
  const reading = readAnswer(answer);
  return reading.kind === 'reply' ? reading.reply : reading.partial;
}
