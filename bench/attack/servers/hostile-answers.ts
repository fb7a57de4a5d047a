// Answers every request with one kind of hostile answer, named by the first argument.
import { createServer } from 'node:http';
import { serveHere } from '../serve-apart.js';

const [, , kind = ''] = process.argv;
const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const event = (choices: unknown): string => `data: ${JSON.stringify({ ...head, choices })}\n\n`;
const end = `${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}data: [DONE]\n\n`;
const delta = (fields: unknown): string => event([{ index: 0, delta: fields }]);
const call = (fragment: object): string => delta({ tool_calls: [{ index: 0, ...fragment }] });
const megabytes = (mb: number, piece: string): string => piece.repeat(Math.ceil((mb * 1e6) / piece.length));
const numbered = (mb: number, piece: (at: number) => string): string =>
  Array.from({ length: Math.ceil((mb * 1e6) / piece(100_000).length) }, (_, at) => piece(at)).join('');

const streams: Readonly<Record<string, () => string>> = {
  'many-choices': () =>
    event(Array.from({ length: 130_000 }, (_, index) => ({ index, delta: { content: 'x' } }))) + end,
  'deep-content': () => delta({ content: '['.repeat(100_000) + ']'.repeat(100_000) }) + end,
  'deep-body': () => `data: ${'{"choices":['.repeat(100_000)}\n\n${end}`,
  'content-deltas': () => megabytes(30, delta({ content: 'x' })) + end,
  'reasoning-deltas': () => megabytes(30, delta({ reasoning_content: 'x' })) + end,
  'tool-deltas': () =>
    call({ id: 'c0', type: 'function', function: { name: 'f', arguments: '{"a":"' } }) +
    numbered(30, (at) => call({ id: `c${at}`, function: { name: 'f', arguments: 'x' } })) +
    call({ function: { arguments: '"}' } }) +
    end,
  'large-text': () => delta({ content: 'x'.repeat(30e6) }) + end,
};

/** Every second one is a refusal for load, the others are cut off; only the first is an answer. */
const refused = kind === 'refused-or-cut';
const made = refused ? JSON.stringify({ error: { message: 'x'.repeat(30e6) } }) : streams[kind]?.();
if (made === undefined) throw new Error(`unknown kind of answer: ${kind}`);
const body = Buffer.from(made);
let requests = 0;
serveHere(
  createServer((request, response) => {
    requests++;
    request.resume().on('end', () => {
      if (!refused || requests === 1) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(refused ? delta({ content: 'Hello.' }) + end : body);
      } else if (requests % 2 === 0) {
        response.writeHead(503, { 'content-type': 'application/json' }).end(body);
      } else {
        response.writeHead(200, { 'content-length': body.length + 1 });
        response.write(body, () => setTimeout(() => response.destroy(), 50));
      }
    });
  }),
  () => ({ requests }),
);
