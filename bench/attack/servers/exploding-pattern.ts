// Answers a request that says "explode" at once, with a text on which a nested pattern backtracks without end, and every
// other one after 1.5 seconds.
import { createServer } from 'node:http';
import { serveHere } from '../serve-apart.js';

const completion = (content: string): string =>
  JSON.stringify({
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const exploding = completion(JSON.stringify({ total: `${'a'.repeat(60)}b` }));

serveHere(
  createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (body.includes('explode')) response.end(exploding);
      else setTimeout(() => response.end(completion('Hello.')), 1500);
    });
  }),
);
