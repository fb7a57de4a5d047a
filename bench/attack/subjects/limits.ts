import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Attack, AttackResult } from '../attack.js';
import { inFolder } from '../attack-folder.js';
import { startCli } from '../attacked-cli.js';
import { serveApart } from '../serve-apart.js';

/** What the service saw. */
interface Counted {
  readonly requests: number;
  readonly mostRequests: number;
  readonly mostTokens: number;
  /** Between the first request and the last. */
  readonly seconds: number;
  /** Seconds. */
  readonly sinceFirst: number;
}

interface Limits {
  readonly requests_per_minute?: number;
  readonly tokens_per_minute?: number;
}

interface Scene {
  readonly limits: Limits;
  /** Of the addresses of one service, each a target with a variable of its own that holds the same key. */
  readonly hosts?: readonly string[];
  /** When the run is killed, to be resumed at once: once so many requests have arrived, or so many seconds after the first. */
  readonly kills?: readonly ({ readonly requests: number } | { readonly seconds: number })[];
  /** Of the stand-in, in which a body has about 120 bytes. */
  readonly promptTokens?: number;
  readonly answerMs?: number;
}

const watchedSeconds = 90;
/** Also where the machine is so busy that a request comes late: one has to come more than a minute after the first. */
const longestSeconds = 160;
const concurrency = 8;
const fourKills = [{ requests: 10 }, { requests: 22 }, { requests: 34 }, { seconds: 40 }] as const;

const scenes = {
  'requests, cold start': { limits: { requests_per_minute: 40 } },
  'requests, answers of up to 8 s': { limits: { requests_per_minute: 40 }, answerMs: 8000 },
  'tokens, cold start': { limits: { tokens_per_minute: 3000 }, promptTokens: 100 },
  'requests, killed and resumed four times': { limits: { requests_per_minute: 60 }, kills: fourKills },
  'tokens, killed and resumed four times': { limits: { tokens_per_minute: 5000 }, kills: fourKills },
  'requests, one key in two variables, one service under two names': {
    limits: { requests_per_minute: 40 },
    hosts: ['127.0.0.1', 'localhost'],
  },
} satisfies Record<string, Scene>;

/** All scenes play at the same time, since each has to be watched for more than a minute. */
let playing: Map<string, Promise<AttackResult>> | null = null;

export const attacks: readonly Attack[] = Object.keys(scenes).map((name) => ({
  name: `${name}; ${watchedSeconds} s under CPU load`,
  async run() {
    playing ??= playAll();
    const result = playing.get(name);
    if (result === undefined) throw new Error(`no scene ${name}`);
    return result;
  },
}));

function playAll(): Map<string, Promise<AttackResult>> {
  const load = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  const plays = new Map(Object.entries<Scene>(scenes).map(([name, scene]) => [name, play(scene)]));
  void Promise.allSettled(plays.values()).then(() => Promise.all(load.map((worker) => worker.terminate())));
  return plays;
}

async function play({ limits, hosts = ['127.0.0.1'], kills = [], promptTokens = 30, answerMs = 300 }: Scene) {
  const server = await serveApart('counted-minutes', [String(promptTokens), String(answerMs)]);
  const target = (host: string, index: number): [string, unknown] => {
    const base_url = server.baseUrl.replace('127.0.0.1', host);
    return [
      `t${index}`,
      { base_url, api_key_env: `KEY_${index}`, limits: { concurrency, timeout_s: 30, ...limits }, models: ['m', 'n'] },
    ];
  };
  const config = { targets: Object.fromEntries(hosts.map(target)), suites: ['suite.yaml'] };
  const request = { max_tokens: 50, messages: [{ role: 'user', content: 'Say hello.' }] };
  const suite = { suite: 'limits', probes: { one: { trials: 500, request }, two: { trials: 500, request } } };
  const env = Object.fromEntries(hosts.map((_, index) => [`KEY_${index}`, 'sk-attack-limits-0123456789']));
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const begun = performance.now();
      for (const [index, kill] of [...kills, { seconds: watchedSeconds }].entries()) {
        const more = index === 0 ? [] : ['--resume'];
        const run = startCli(['run', '--fail-on', 'never', '--out', 'run', ...more], { cwd, env });
        const isDue = async (): Promise<boolean> => {
          const { requests, sinceFirst, seconds } = (await server.stats()) as Counted;
          if ('requests' in kill) return requests >= kill.requests;
          const isSeen = kill.seconds < watchedSeconds || seconds > 60;
          return (sinceFirst >= kill.seconds && isSeen) || performance.now() - begun > 1000 * longestSeconds;
        };
        while (!(await isDue())) {
          const early = await Promise.race([run.done, sleep(30, null)]);
          if (early !== null) throw new Error(`the run ended with ${early.code}: ${early.stderr.slice(-300)}`);
        }
        run.kill('SIGKILL');
        await run.done;
      }
      return judged(limits, (await server.stats()) as Counted);
    });
  } finally {
    await server.close();
  }
}

/** A limit that is hardly used would hold by itself. (What was in flight at a kill counts as it was reserved.) */
const leastUsed = 0.5;

function judged(limits: Limits, counted: Counted): AttackResult {
  const { requests_per_minute: requests, tokens_per_minute: tokens } = limits;
  const [most, limit, unit] =
    requests === undefined ? [counted.mostTokens, tokens ?? 0, 'tokens'] : [counted.mostRequests, requests, 'requests'];
  const problems = [
    ...(most <= limit ? [] : ['above the limit']),
    ...(most >= leastUsed * limit ? [] : ['hardly used']),
    ...(counted.seconds > 60 ? [] : ['too short']),
  ];
  const figure = `at most ${most} of ${limit} ${unit} in a minute, ${counted.requests} requests in ${counted.seconds.toFixed(0)} s`;
  return { held: problems.length === 0, figure: [figure, ...problems].join('; ') };
}
