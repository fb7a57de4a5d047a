// Answers the model "quick" after 10 ms and measures how long it is left waiting between an answer and the next request.
// Another request that says "explode" is answered at once with a document on which a nested pattern backtracks without
// end, and so is one that repeats documents (in a fence where it has a schema). Every other answer takes 1.5 seconds.
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
const plain = completion('Hello.');
const document = JSON.stringify({ total: `${'a'.repeat(60)}b` });
const fenced = `\`\`\`json\n${document}\n\`\`\``;

let answers = 0;
let answeredAt = Infinity;
let longestPauseMs = 0;

serveHere(
  createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (body.includes('"model":"quick"')) {
        answers += 1;
        longestPauseMs = Math.max(longestPauseMs, performance.now() - answeredAt);
        setTimeout(() => response.end(plain, () => (answeredAt = performance.now())), 10);
      } else if (body.includes('"tools"')) response.end(plain);
      else if (body.includes('Repeat the JSON document'))
        response.end(completion(body.includes('json_schema') ? fenced : document));
      else if (body.includes('explode')) response.end(completion(document));
      else setTimeout(() => response.end(plain), 1500);
    });
  }),
  () => ({ answers, longestPauseMs }),
);
