// Answers every request with one kind of hostile answer, named by the first argument.
import { createServer, type ServerResponse } from 'node:http';
import { serveHere } from '../serve-apart.js';

const [, , kind = ''] = process.argv;
const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const event = (choices: unknown): string => `data: ${JSON.stringify({ ...head, choices })}\n\n`;
const end = `${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}data: [DONE]\n\n`;

const streams: Readonly<Record<string, () => string>> = {
  'many-choices': () =>
    event(Array.from({ length: 130_000 }, (_, index) => ({ index, delta: { content: 'x' } }))) + end,
};

let requests = 0;
serveHere(
  createServer((request, response) => {
    requests++;
    request.resume().on('end', () => answer(response));
  }),
  () => ({ requests }),
);

const made = streams[kind]?.();
if (made === undefined) throw new Error(`unknown kind of answer: ${kind}`);
const body = Buffer.from(made);

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(body);
}
