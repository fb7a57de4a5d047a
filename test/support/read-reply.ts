import { readExchangeAnswer } from '../../src/chat/read-answer.js';
import type { Reading, Reply } from '../../src/chat/reply.js';
import { anAnswerOf } from './build.js';

/** The reply; throws when the answer was read as something else. */
export function replyOf(reading: Reading): Reply {
  if (reading.kind !== 'reply') throw new Error(`no reply: ${JSON.stringify(reading)}`);
  return reading.reply;
}

/** Reads the text of a stream. */
export function readReply(text: string): Reply {
  return replyOf(readExchangeAnswer(anAnswerOf(text)));
}
