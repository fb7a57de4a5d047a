import type { Answer } from '../../src/chat/exchange.js';
import { readAnswer } from '../../src/chat/read-answer.js';
import type { Reading, Reply } from '../../src/chat/reply.js';

export const frame = { id: 'c-1', object: 'chat.completion.chunk', model: 'm-1' };

export function answer(body: string | readonly string[], type = 'text/event-stream'): Answer {
  const pieces = typeof body === 'string' ? [body] : body;
  return { status: 200, headers: { 'content-type': type }, body: pieces, failure: null };
}

export function chunk(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
}

export const end = (reason = 'stop'): string => `${chunk({}, { finish_reason: reason })}data: [DONE]\n\n`;

export function reply(reading: Reading): Reply {
  if (reading.kind !== 'reply') throw new Error(`no reply: ${JSON.stringify(reading)}`);
  return reading.reply;
}

export function read(text: string): Reply {
  return reply(readAnswer(answer(text)));
}

export const calls = (...fragments: object[]): string => chunk({ tool_calls: fragments });
export const call = (index: unknown, id: unknown, name: unknown, args: unknown): object => ({
  ...(index === undefined ? {} : { index }),
  id,
  type: 'function',
  function: { name, arguments: args },
});
