// A service that counts what it really did, and reports something else. Arguments: how it lies, and its delay in ms.
import { createServer, type ServerResponse } from 'node:http';
import { serveHere } from '../serve-apart.js';

const [, , lie = 'honest', delay = '20'] = process.argv;

/** Of this text a token has exactly four bytes. */
const token = 'abc ';
const counted = { requests: 0, prompt: 0, completion: 0 };

interface Asked {
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

interface Use {
  readonly prompt: number;
  readonly completion: number;
}

/** `usage` as JSON text; undefined: it is left out. */
const usages: Readonly<Record<string, (use: Use) => string | undefined>> = {
  honest: ({ prompt, completion }) => usage(prompt, completion, prompt + completion),
  'only total_tokens': ({ prompt, completion }) => `{"total_tokens":${prompt + completion}}`,
  'numbers as strings': ({ prompt, completion }) => `{"prompt_tokens":"${prompt}","completion_tokens":"${completion}"}`,
  'low numbers as strings': () => '{"prompt_tokens":"1","completion_tokens":"1","total_tokens":"2"}',
  negative: () => usage(-1000, -1000, -2000),
  NaN: () => usage('NaN', 'NaN', 'NaN'),
  'beyond counting': () => usage('1e300', '1e300', '1e300'),
  'a thousand billion': () => usage(5, 1e12, 1e12),
  absent: () => undefined,
  'one token': () => usage(1, 1, 2),
  'one token, with reasoning': () => usage(1, 1, 2),
  'one token, with tool arguments': () => usage(1, 1, 2),
  'one token, in a second choice': () => usage(1, 1, 2),
  'four times max_tokens, one reported': () => usage(1, 1, 2),
};

serveHere(
  createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      counted.requests++;
      const asked = JSON.parse(text) as Asked;
      const times = lie.startsWith('four times') ? 4 : 1;
      const prompt = Math.ceil(asked.messages.reduce((bytes, { content }) => bytes + content.length, 0) / 4);
      const completion = times * (asked.max_tokens ?? 100);
      counted.prompt += prompt;
      counted.completion += completion;
      setTimeout(() => answer(response, asked, { prompt, completion }), Number(delay));
    });
  }),
  () => counted,
);

function answer(response: ServerResponse, asked: Asked, use: Use): void {
  const message = messageOf(token.repeat(use.completion));
  const head = { id: 'c-1', created: 1, model: 'm' };
  const reported = usages[lie]?.(use);
  const withUsage = (body: object): string =>
    reported === undefined ? JSON.stringify(body) : `${JSON.stringify(body).slice(0, -1)},"usage":${reported}}`;
  if (asked.stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
    if (lie.endsWith('choice'))
      choices.unshift({ ...choices[0], message: { role: 'assistant', content: 'ok' } } as never);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(withUsage({ ...head, object: 'chat.completion', choices }));
    return;
  }
  const chunk = (choices: readonly unknown[]): object => ({ ...head, object: 'chat.completion.chunk', choices });
  const index = lie.endsWith('choice') ? 1 : 0;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (index === 1) response.write(`data: ${JSON.stringify(chunk([{ index: 0, delta: { content: 'ok' } }]))}\n\n`);
  response.write(`data: ${JSON.stringify(chunk([{ index, delta: { role: 'assistant', ...message } }]))}\n\n`);
  response.write(`data: ${JSON.stringify(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]))}\n\n`);
  response.end(`data: ${withUsage(chunk([]))}\n\ndata: [DONE]\n\n`);
}

function messageOf(text: string): object {
  if (lie.endsWith('reasoning')) return { reasoning_content: text, content: 'ok' };
  if (lie.endsWith('arguments')) {
    const call = { name: 'note', arguments: JSON.stringify({ text }) };
    return { content: 'ok', tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: call }] };
  }
  return { content: text };
}

function usage(prompt: number | string, completion: number | string, total: number | string): string {
  return `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total}}`;
}
