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
  { name: '32 answers of 30 MB at once', run: () => endsWith('large-text', { trials: 32 }) },
  { name: 'a pattern that explodes, beside answers that come in time', run: explodes },
];

interface Limits {
  readonly trials?: number;
  /** Of CPU for each answer: reading, searching for keys, judging, writing down, and its part of start and report. */
  readonly mostSecondsEach?: number;
  readonly mostMb?: number;
}

/** A run against one kind of answer ends with a report, whatever it says, and every exchange is in the journal. */
async function endsWith(
  kind: string,
  { trials = 1, mostSecondsEach = 60, mostMb = 1000 }: Limits = {},
): ReturnType<Attack['run']> {
  const server = await serveApart('hostile-answers', [kind]);
  const limits = { timeout_s: 60, concurrency: trials, retries: 0 };
  const config = {
    targets: { hostile: { base_url: server.baseUrl, api_key_env: 'HOSTILE_KEY', limits, models: ['m'] } },
    suites: ['suite.yaml'],
  };
  const suite = { suite: 'hostile', probes: { one: probe(trials) } };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': suite }, async (cwd) => {
      const { code, stderr, cpuSeconds, peakMb } = await attackedCli(['run', '--fail-on', 'never', '--out', 'run'], {
        cwd,
        env: { HOSTILE_KEY: 'sk-QzZjX9pL7m3RtVwB2kN8' },
      });
      const { requests } = (await server.stats()) as { readonly requests: number };
      const recorded = await countExchanges(join(cwd, 'run', 'journal.jsonl'));
      const problems = [
        ...(code === 0 || code === 3 ? [] : [`exit ${code}: ${stderr.slice(-300)}`]),
        ...(/this is a bug/i.test(stderr) ? ['"this is a bug"'] : []),
        ...(recorded === requests ? [] : [`${recorded} of ${requests} exchanges in the journal`]),
        ...(cpuSeconds <= mostSecondsEach * requests ? [] : [`more than ${mostSecondsEach} s each`]),
        ...(peakMb <= mostMb ? [] : [`more than ${mostMb} MB`]),
      ];
      return {
        held: problems.length === 0,
        figure: [
          `${requests} answers, exit ${code} after ${cpuSeconds.toFixed(1)} s of CPU, peak ${peakMb.toFixed(0)} MB`,
          ...problems,
        ].join('; '),
      };
    });
  } finally {
    await server.close();
  }
}

/** Judgements of seconds in one cell make no time-outs in another, whose answers came in time. */
async function explodes(): ReturnType<Attack['run']> {
  const server = await serveApart('exploding-pattern');
  const properties = { total: { type: 'string', pattern: '^(a+)+$' } };
  const schema = { type: 'object', properties, required: ['total'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const probes = {
    pattern: { request: { messages: [{ role: 'user', content: 'json explode' }], response_format }, trials: 6 },
    waits: { request: { messages }, trials: 12 },
  };
  const limits = { timeout_s: 2, concurrency: 16, retries: 0 };
  const config = { targets: { slow: { base_url: server.baseUrl, limits, models: ['m'] } }, suites: ['suite.yaml'] };
  try {
    return await inFolder({ 'chatspec.yaml': config, 'suite.yaml': { suite: 's', probes } }, async (cwd) => {
      await attackedCli(['run', '--fail-on', 'never', '--out', 'run'], { cwd });
      let timeOuts = 0;
      let answers = 0;
      for await (const line of readJournal(join(cwd, 'run', 'journal.jsonl'))) {
        if (line.type !== 'exchange') continue;
        answers += 1;
        if (/timeout/.test(line.exchange.answer.failure?.kind ?? '')) timeOuts += 1;
      }
      return { held: timeOuts === 0 && answers >= 19, figure: `${timeOuts} false time-outs in ${answers} answers` };
    });
  } finally {
    await server.close();
  }
}

async function countExchanges(journal: string): Promise<number> {
  let count = 0;
  for await (const line of readJournal(journal)) if (line.type === 'exchange') count += 1;
  return count;
}
