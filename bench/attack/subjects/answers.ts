import { join } from 'node:path';
import { readJournal } from '../../../src/journal/read-journal.js';
import type { Attack } from '../attack.js';
import { inFolder } from '../attack-folder.js';
import { attackedCli } from '../attacked-cli.js';
import { serveApart } from '../serve-apart.js';

const messages = [{ role: 'user', content: 'Say hello.' }];
const probe = (trials: number) => ({ request: { messages, stream: true }, trials });

export const attacks: readonly Attack[] = [
  { name: '130,000 choices in a chunk', run: () => endsWith('many-choices') },
  { name: 'content of 100,000 nested lists', run: () => endsWith('deep-content') },
  { name: 'an event of 100,000 nested objects', run: () => endsWith('deep-body') },
  { name: '30 MB of tool deltas, an id in each', run: () => endsWith('tool-deltas', { mostSecondsEach: 10 }) },
  { name: '30 MB of content deltas', run: () => endsWith('content-deltas', { mostSecondsEach: 10 }) },
  { name: '30 MB of reasoning deltas', run: () => endsWith('reasoning-deltas', { mostSecondsEach: 10 }) },
  { name: '32 answers of 30 MB at once, and judged again', run: () => endsWith('large-text', large) },
  {
    name: 'refusals and cut answers of 30 MB, 4 at once, asked again',
    run: () => endsWith('refused-or-cut', { trials: 4, retries: 1, mostMb: large.mostMb }),
  },
  { name: 'patterns that explode, beside answers that come in time', run: explodes },
];

interface Limits {
  readonly trials?: number;
  readonly retries?: number;
  /** Of CPU for each answer: reading, searching for keys, judging, writing down, and its part of start and report. */
  readonly mostSecondsEach?: number;
  readonly mostMb?: number;
  readonly rejudged?: boolean;
}

/** However many there are, only a few of them may be in memory. */
const large = { trials: 32, mostMb: 576, rejudged: true };

/** A run against one kind of answer ends with a report, whatever it says, and every exchange is in the journal. */
async function endsWith(
  kind: string,
  { trials = 1, retries = 0, mostSecondsEach = 60, mostMb = 1000, rejudged = false }: Limits = {},
): ReturnType<Attack['run']> {
  const server = await serveApart('hostile-answers', [kind]);
  const limits = { timeout_s: 60, concurrency: trials, retries };
  const config = {
    targets: { hostile: { base_url: server.baseUrl, api_key_env: 'HOSTILE_KEY', limits, models: ['m'] } },
    suites: ['suite.yaml'],
  };
  const suite = { suite: 'hostile', probes: { one: probe(trials) } };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const place = { cwd, env: { HOSTILE_KEY: 'sk-QzZjX9pL7m3RtVwB2kN8' } };
      const run = ['run', '--fail-on', 'never', '--out', 'run'];
      const { code, stderr, cpuSeconds, peakMb } = await attackedCli(run, place);
      const again = rejudged
        ? await attackedCli(['rejudge', 'run', '--fail-on', 'never', '--out', 'again'], place)
        : null;
      const { requests } = (await server.stats()) as { readonly requests: number };
      const recorded = await countExchanges(join(cwd, 'run', 'journal.jsonl'));
      const problems = [
        ...(code === 0 || code === 3 ? [] : [`exit ${code}: ${stderr.slice(-300)}`]),
        ...(/this is a bug/i.test(stderr) ? ['"this is a bug"'] : []),
        ...(recorded === requests ? [] : [`${recorded} of ${requests} exchanges in the journal`]),
        ...(cpuSeconds <= mostSecondsEach * requests ? [] : [`more than ${mostSecondsEach} s each`]),
        ...(Math.max(peakMb, again?.peakMb ?? 0) <= mostMb ? [] : [`more than ${mostMb} MB`]),
        ...(again === null || again.code === code ? [] : [`judged again: exit ${again.code}`]),
      ];
      return {
        held: problems.length === 0,
        figure: [
          `${requests} answers, exit ${code} after ${cpuSeconds.toFixed(1)} s of CPU, peak ${peakMb.toFixed(0)} MB`,
          ...(again === null ? [] : [`judged again: peak ${again.peakMb.toFixed(0)} MB`]),
          ...problems,
        ].join('; '),
      };
    });
  } finally {
    await server.close();
  }
}

/** Of CPU, for all that does not take long to judge. How long another target really waits depends on the machine, too. */
const mostMainSeconds = 5;

/**
 * What takes seconds to judge, for a schema, a rule or a map of keywords, makes no time-outs of answers that came in time,
 * and holds up no request to another target.
 */
async function explodes(): ReturnType<Attack['run']> {
  const server = await serveApart('exploding-pattern');
  const properties = { total: { type: 'string', pattern: '^(a+)+$' } };
  const schema = { type: 'object', properties, required: ['total'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const explode = [{ role: 'user', content: 'json explode' }];
  const slow = {
    pattern: { request: { messages: explode, response_format } },
    rule: {
      request: { messages: explode },
      expect: { rules: [{ id: 'r', assert: '$contains(reply.content, /(a+)+$/)' }] },
    },
    keywords: { enforce: { keyword: 'pattern', schema, valid: { total: 'aaa' }, invalid: { total: 'abc' } } },
    ...times(12, 'waits', { request: { messages } }),
  };
  const target = (name: string, limits: object) => ({
    base_url: server.baseUrl.replace(/v1$/, `${name}/v1`),
    limits: { retries: 0, ...limits },
    models: [name],
  });
  const config = {
    targets: { slow: target('slow', { concurrency: 16, timeout_s: 2 }), quick: target('quick', { concurrency: 1 }) },
    suites: ['slow.yaml', 'quick.yaml'],
  };
  const suites = {
    'slow.yaml': { suite: 'slow', probes: slow },
    'quick.yaml': { suite: 'quick', probes: times(600, 'at-once', { request: { messages } }) },
  };
  try {
    return await inFolder({ 'chatspec.yaml': config, ...suites }, async (cwd) => {
      const only = ['slow/*@slow/*', 'quick/*@quick/*'].flatMap((cells) => ['--only', cells]);
      const { mainCpuSeconds } = await attackedCli(
        ['run', '--profile', 'smoke', ...only, '--fail-on', 'never', '--out', 'run'],
        { cwd },
      );
      let timeOuts = 0;
      let answers = 0;
      for await (const line of readJournal(join(cwd, 'run', 'journal.jsonl'))) {
        if (line.type !== 'exchange') continue;
        answers += 1;
        if (/timeout/.test(line.exchange.answer.failure?.kind ?? '')) timeOuts += 1;
      }
      const { longestPauseMs } = (await server.stats()) as { readonly longestPauseMs: number };
      const pause = Math.round(longestPauseMs);
      return {
        held: timeOuts === 0 && answers >= 622 && mainCpuSeconds <= mostMainSeconds,
        figure: `${timeOuts} false time-outs in ${answers} answers, ${mainCpuSeconds.toFixed(1)} s of CPU where others wait, another target waited for ${pause} ms at most`,
      };
    });
  } finally {
    await server.close();
  }
}

const times = (count: number, name: string, probe: object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, probe]));

async function countExchanges(journal: string): Promise<number> {
  let count = 0;
  for await (const line of readJournal(journal)) if (line.type === 'exchange') count += 1;
  return count;
}
