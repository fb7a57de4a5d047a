// Stamps each request when it arrives, and says how many requests and tokens any sliding minute held. A request takes
// the tokens that its usage says, at the time of its arrival.
//   [most tokens of a prompt] [most milliseconds of an answer]
import { createServer } from 'node:http';
import { serveHere } from '../serve-apart.js';

const [, , mostPrompt = '0', mostMs = '300'] = process.argv;
const minute = 60_000;
const arrivals: { readonly at: number; tokens: number }[] = [];
/** The same sequence in each run. */
let state = 7;
const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

serveHere(
  createServer((request, response) => {
    const arrival = { at: performance.now(), tokens: 0 };
    arrivals.push(arrival);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { max_tokens: cap = 50 } = JSON.parse(text) as { readonly max_tokens?: number };
      const usage = {
        prompt_tokens: Math.ceil(random() * Number(mostPrompt)) || 10,
        completion_tokens: Math.ceil(random() * cap),
      };
      arrival.tokens = usage.prompt_tokens + usage.completion_tokens;
      const message = { role: 'assistant', content: 'Hello there.' };
      const choices = [{ index: 0, finish_reason: 'stop', message }];
      const body = { id: 'c-1', object: 'chat.completion', created: 1, model: 'm', choices, usage };
      setTimeout(
        () => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
        random() * Number(mostMs),
      );
    });
  }),
  () => {
    const within = arrivals.map(({ at }) => arrivals.filter((one) => one.at >= at && one.at < at + minute));
    return {
      requests: arrivals.length,
      mostRequests: within.reduce((most, one) => Math.max(most, one.length), 0),
      mostTokens: within.reduce((most, one) => Math.max(most, sum(one)), 0),
      seconds: ((arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0)) / 1000,
      sinceFirst: (performance.now() - (arrivals[0]?.at ?? Infinity)) / 1000,
    };
  },
);

function sum(of: readonly { readonly tokens: number }[]): number {
  return of.reduce((total, { tokens }) => total + tokens, 0);
}
