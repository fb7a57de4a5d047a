import { serveHttp, type Loopback } from '../loopback.js';
import { echoes, sendEcho } from './echoes.js';

/** The ways in which the service gives keys back: the n-th cell of {@link leakySuite} asks for the n-th. */
export const ways = Object.keys(echoes);

/** A probe with a cell for each way. */
export const leakySuite = {
  suite: 'leak',
  probes: {
    way: {
      title: 'A service that gives keys back',
      request: { messages: [{ role: 'user', content: 'hello' }] },
      expect: { content: 'json' },
      vary: { seed: ways.map((_, index) => index) },
    },
  },
};

/** Two services with a key each; only the first is asked. */
export function leakyConfig(baseUrl: string): object {
  const limits = { retries: 0, timeout_s: 5 };
  return {
    targets: {
      leaky: { base_url: baseUrl, api_key_env: 'OWN_KEY', limits, models: ['parrot'] },
      other: { base_url: baseUrl, headers: { 'x-team-pass': { env: 'OTHER_KEY' } }, limits, models: ['owl'] },
    },
    suites: ['leak.yaml'],
    baseline: 'baseline.yaml',
  };
}

export interface LeakyService extends Loopback {
  /** How a request without a way is answered, as `doctor` sends it; null: as it should be. */
  wayOfPlain: string | null;
  /** Bodies that held one of the keys. */
  readonly keysSeen: readonly string[];
}

const well = JSON.stringify({
  id: 'c-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Gives back the keys in turn, each way with each of them. */
export async function serveLeaks(keys: readonly string[]): Promise<LeakyService> {
  const asked = new Map<string, number>();
  const keysSeen: string[] = [];
  let service: LeakyService | null = null;
  const loopback = await serveHttp((_, response, body) => {
    if (keys.some((key) => body.includes(key))) keysSeen.push(body);
    const { seed } = JSON.parse(body) as { seed?: number };
    const way = seed === undefined ? (service?.wayOfPlain ?? null) : (ways[seed] ?? null);
    if (way === null) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(well);
      return;
    }
    const times = asked.get(way) ?? 0;
    asked.set(way, times + 1);
    const key = keys[times % keys.length];
    const echo = echoes[way];
    if (key !== undefined && echo !== undefined) sendEcho(response, echo(key));
  });
  service = { ...loopback, wayOfPlain: null, keysSeen };
  return service;
}
