import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.js';
import { inFolder } from '../attack-folder.js';
import { attackedCli, startCli } from '../attacked-cli.js';
import { serveApart, type ServerApart } from '../serve-apart.js';

/** What the service counted itself. */
interface Counted {
  readonly requests: number;
  readonly prompt: number;
  readonly completion: number;
}

interface Budget {
  readonly requests?: number;
  readonly tokens?: number;
  readonly cost?: number;
}

const price = { prompt: 1, completion: 4 };
/** A tenth of what the whole suite would take. */
const tokenBudget = 20_000;
const request = {
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Repeat abc until you are told to stop. '.repeat(3) }],
};
const suite = {
  suite: 'lies',
  probes: {
    plain: { trials: 1000, request },
    stream: { trials: 1000, request: { ...request, stream: true } },
  },
};

const lies: readonly (readonly [lie: string, concurrency: number])[] = [
  ['honest', 8],
  ['only total_tokens', 1],
  ['numbers as strings', 8],
  ['low numbers as strings', 32],
  ['negative', 8],
  ['NaN', 32],
  ['beyond counting', 8],
  ['a thousand billion', 1],
  ['absent', 32],
  ['one token', 8],
  ['one token, with reasoning', 32],
  ['one token, with tool arguments', 8],
  ['one token, in a second choice', 8],
  ['four times max_tokens, one reported', 8],
];

export const attacks: readonly Attack[] = [
  ...lies.map(([lie, concurrency]) => ({
    name: `usage: ${lie}; ${concurrency} at a time`,
    run: () => keepsTokens(lie, concurrency),
  })),
  ...[1, 8, 32].map((concurrency) => ({
    name: `killed five times; ${concurrency} at a time`,
    run: () => keepsOverKills(concurrency, { requests: 200 }),
  })),
  { name: 'killed five times; tokens, 8 at a time', run: () => keepsOverKills(8, { tokens: tokenBudget }) },
  { name: 'killed five times; cost, 32 at a time', run: () => keepsOverKills(32, { cost: 0.08 }) },
];

/** A budget of tokens holds whatever the service reports, and most of it is used. */
async function keepsTokens(lie: string, concurrency: number): ReturnType<Attack['run']> {
  return attacked(lie, concurrency, { tokens: tokenBudget }, async (cwd, server) => {
    const { code } = await attackedCli(['run', '--fail-on', 'never'], { cwd });
    return { code, counted: (await server.stats()) as Counted };
  });
}

/** What was in flight at each kill counts as well. */
async function keepsOverKills(concurrency: number, budget: Budget): ReturnType<Attack['run']> {
  return attacked('honest', concurrency, budget, async (cwd, server) => {
    for (let kill = 0; kill < 5; kill += 1) {
      const before = (await server.stats()) as Counted;
      const run = startCli(['run', '--fail-on', 'never', ...(kill === 0 ? [] : ['--resume'])], { cwd });
      const over = run.done.then(() => true);
      // It is killed while requests are in flight: at least one more than fit into a round.
      for (;;) {
        const { requests } = (await server.stats()) as Counted;
        if (requests >= before.requests + concurrency + 2) break;
        if (await Promise.race([over, sleep(5).then(() => false)])) break;
      }
      run.kill('SIGKILL');
      await over;
    }
    const { code } = await attackedCli(['run', '--fail-on', 'never', '--resume'], { cwd });
    return { code, counted: (await server.stats()) as Counted };
  });
}

async function attacked(
  lie: string,
  concurrency: number,
  budget: Budget,
  play: (cwd: string, server: ServerApart) => Promise<{ readonly code: number | null; readonly counted: Counted }>,
): ReturnType<Attack['run']> {
  const server = await serveApart('lying-usage', [lie, '25']);
  const config = {
    targets: {
      liar: { base_url: server.baseUrl, limits: { concurrency, timeout_s: 60 }, models: [{ id: 'm', price }] },
    },
    suites: ['suite.yaml'],
    budget,
  };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const { code, counted } = await play(cwd, server);
      const { requests, prompt, completion } = counted;
      const spent: Required<Budget> = {
        ...{ requests, tokens: prompt + completion },
        cost: (prompt * price.prompt + completion * price.completion) / 1e6,
      };
      const units = Object.keys(budget) as (keyof Budget)[];
      const within = units.every((unit) => spent[unit] <= (budget[unit] ?? 0) * (1 + 1e-9));
      const of = units.map((unit) => `${Number(spent[unit].toPrecision(6))} of ${budget[unit] ?? 0} ${unit}`);
      return { held: within && code === 3, figure: `${of.join(', ')} in ${requests} requests, exit ${code}` };
    });
  } finally {
    await server.close();
  }
}
