import { appendFile, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, startChatspec, writeFiles, type CliProcess } from '../support/cli.js';
import {
  counts,
  journaledBodies,
  seededShares,
  serveCounted,
  withoutIdsAndTimes,
  type CountedService,
} from '../support/kill-and-resume.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

const concurrency = 4;
const seed = Number(process.env['CHATSPEC_KILL_SEED'] ?? 7);
const kills = Number(process.env['CHATSPEC_KILLS'] ?? 3);

const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo', 'Kim', 'Lou'];
const samples = names.map((name) => `${JSON.stringify({ name })}\n`).join('');
const format =
  'response_format: { type: json_schema, json_schema: { name: order_summary, strict: true, schema: { $ref: ./order-summary.json } } }';

/**
 * Fixed and sequential trials, needs, streams, follow-up points, repeated faults and answers that are sometimes wrong.
 * The cells whose every request fails with 500 ask twice, so that they wait for their repetitions side by side.
 */
const suite = `suite: kill
probes:
  greeting:
    samples: names.jsonl
    trials: 6
    request: { messages: [{ role: user, content: 'Greet {{name}}.' }], max_tokens: 200 }
  conflict:
    needs: [kill/greeting]
    samples: conflicts.jsonl
    trials: { until: decided }
    request: { messages: [{ role: system, content: Answer in JSON. }, { role: user, content: '{{text}}' }], ${format} }
    vary: { stream: { plain: false, streamed: true } }
  tool:
    samples: names.jsonl
    trials: 2
    request:
      messages: [{ role: user, content: 'Register {{name}}.' }]
      tools: [{ type: function, function: { name: register, parameters: { type: object, properties: { name: { type: string } }, required: [name], additionalProperties: false } } }]
    vary:
      tool_choice: { required: required, object: { type: function, function: { name: register } } }
      stream: { plain: false, streamed: true }
    combine: each
    fill: 1
`;

async function projectFor(
  baseUrl: string,
  models = ['sim-reference', 'sim-wobbly', 'sim-object-500'],
): Promise<string> {
  const folder = await tempFolder();
  const limits = `{ concurrency: ${concurrency}, retries: 0, timeout_s: 600 }`;
  await writeFiles(folder, {
    'chatspec.yaml': `targets: { t: { base_url: '${baseUrl}', limits: ${limits}, models: [${models.join(', ')}] } }\nsuites: [kill.yaml]\n`,
    'kill.yaml': suite,
    'names.jsonl': samples,
    'conflicts.jsonl': await readFile('fixtures/samples/conflicts.jsonl', 'utf8'),
    'order-summary.json': await readFile('fixtures/schemas/order-summary.json', 'utf8'),
  });
  return folder;
}

const run = (out: string, ...more: string[]): string[] => ['run', '--out', out, '--fail-on', 'never', ...more];

/** The files of a finished run that must be the same. */
async function outcome(folder: string): Promise<Readonly<Record<string, string>>> {
  const read = async (name: string): Promise<string> =>
    withoutIdsAndTimes(await readFile(join(folder, name), 'utf8')).replaceAll(/\b(undisturbed|killed)\b/g, 'run');
  const failures = (await read('failures.jsonl')).split('\n').sort().join('\n');
  return {
    report: await read('report.json'),
    markdown: await read('report.md'),
    junit: await read('junit.xml'),
    failures,
  };
}

async function counted(): Promise<CountedService> {
  const service = await serveCounted(seed);
  onTestFinished(() => service.close());
  return service;
}

describe('a run that is killed', () => {
  test(`has the same report after ${kills} kills, and asks nothing again that the journal contains`, async () => {
    const service = await counted();
    const folder = await projectFor(service.baseUrl);
    const place = { cwd: folder };
    expect(await chatspec(run('undisturbed'), place)).toMatchObject({ code: 0 });
    const wanted = counts(service.bodies);
    const total = service.bodies.length;
    const verdicts = (await reportIn(join(folder, 'undisturbed'))).cells.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['pass', 'fail', 'flaky']));
    expect(counts(await journaledBodies(join(folder, 'undisturbed')))).toEqual(wanted);

    const killed = join(folder, 'killed');
    const share = seededShares(seed);
    let repeated = 0;
    for (let kill = 0; kill <= kills; kill += 1) {
      const before = service.bodies.length;
      const known = counts(await journaledBodies(killed));
      // A last line may be torn.
      if (kill === 1) await appendFile(join(killed, 'journal.jsonl'), '{"type":"exchange","id":"e0');
      const resume = existsSync(join(killed, 'journal.jsonl')) ? ['--resume'] : [];
      const process = startChatspec(run('killed', ...resume), place);
      if (kill < kills) {
        await killSomewhere(process, service, before + share() * ((1.6 * total) / kills), share() * 25);
      }
      const { code, signal, stderr } = await process.done;
      const asked = counts(service.bodies.slice(before));
      for (const [body, times] of asked) {
        expect(times, body).toBeLessThanOrEqual((wanted.get(body) ?? 0) - (known.get(body) ?? 0));
      }
      const written =
        (await journaledBodies(killed)).length - [...known.values()].reduce((sum, times) => sum + times, 0);
      const lost = service.bodies.length - before - written;
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThanOrEqual(signal === 'SIGKILL' ? concurrency : 0);
      repeated += lost;
      if (kill === kills)
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('bug') as string });
    }
    expect(service.bodies.length).toBe(2 * total + repeated);
    expect(counts(await journaledBodies(killed))).toEqual(wanted);
    expect(await outcome(killed)).toEqual(await outcome(join(folder, 'undisturbed')));
  });
});

describe('a run that is interrupted', () => {
  test('cuts requests that are still in flight after five seconds', async () => {
    const { folder, process } = await hanging();
    process.kill('SIGTERM');
    expect(await process.done).toMatchObject({ code: 130, signal: null });
    expect((await reportIn(join(folder, 'killed'))).run.complete).toBe(false);
    expect(existsSync(join(folder, 'killed', 'journal.lock'))).toBe(false);
  });

  test('stops at once at the second signal', async () => {
    const { process } = await hanging();
    process.kill('SIGINT');
    await expect.poll(() => process.output().stderr).toContain('interrupt again to quit at once');
    process.kill('SIGINT');
    expect(await process.done).toMatchObject({ code: 130 });
  });
});

describe('a folder', () => {
  test('that another run uses is not touched', async () => {
    const { folder, process } = await hanging();
    const journal = join(folder, 'killed', 'journal.jsonl');
    const before = await readFile(journal, 'utf8');
    for (const args of [run('killed'), run('killed', '--resume')]) {
      const { code, stdout, stderr } = await chatspec(args, { cwd: folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`is in use by another run (process ${process.pid})`);
    }
    expect(await readFile(journal, 'utf8')).toBe(before);
    expect(existsSync(join(folder, 'killed', 'journal.lock'))).toBe(true);
    process.kill('SIGKILL');
    await process.done;
    // Nobody uses it any more, although its lock is still there.
    const refused = await chatspec(run('killed', '--resume', '--seed', '99'), { cwd: folder });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('a different plan') as string });
  });
});

/** Sends SIGKILL so many milliseconds after the service has received so many requests. */
async function killSomewhere(
  process: CliProcess,
  service: CountedService,
  requests: number,
  ms: number,
): Promise<void> {
  await Promise.race([service.reached(Math.ceil(requests)), process.done]);
  await after(ms);
  process.kill('SIGKILL');
}

/** A run that waits for its first answer, which never arrives. */
async function hanging(): Promise<{ folder: string; process: CliProcess }> {
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const service = await serveHttp(() => arrive());
  onTestFinished(() => service.close());
  const folder = await projectFor(service.baseUrl, ['m']);
  const process = startChatspec(run('killed'), { cwd: folder });
  await Promise.race([
    arrived,
    process.done.then(({ stderr }) => Promise.reject(new Error(`the run ended before it asked anything: ${stderr}`))),
  ]);
  return { folder, process };
}

async function reportIn(folder: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
}
