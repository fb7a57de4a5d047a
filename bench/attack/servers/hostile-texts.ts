// Answers with one hostile text in every field, named by the first argument.
import { createServer, type ServerResponse } from 'node:http';
import { commands, markup } from '../../../test/support/hostile-texts.js';
import { serveHere } from '../serve-apart.js';

const texts: Readonly<Record<string, string>> = { commands, markup, long: '<n>'.repeat(1_700_000) };
const text = texts[process.argv[2] ?? ''] ?? '';

serveHere(
  createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => answer(body, response));
  }),
);

function answer(body: string, response: ServerResponse): void {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
  const prompt = messages.at(-1)?.content;
  const refused = prompt === 'refuse';
  const call = { id: text, type: 'function', function: { name: text, arguments: '{}' } };
  const message = prompt === 'call' ? { content: null, tool_calls: [call] } : { content: 'pong' };
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }];
  const sent = refused ? { error: { message: text, code: text } } : { id: text, model: text, choices };
  response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
}
