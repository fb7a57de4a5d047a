import { readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { chatspec, writeFiles, type CliResult } from '../support/cli.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { tempFolder } from '../support/temp-folder.js';

/** The parts of a report that must be the same on one machine and on several. */
function lasting({ models: asked, cells, capabilities, behaviours, recommendations, spend, wire, run }: Report) {
  const { requests, usage, complete, profile, seed, digests } = run;
  return {
    ...{
      asked,
      spend,
      wire: wire?.map((quirk) => ({ ...quirk, exchange: null })),
      capabilities,
      behaviours,
      recommendations,
      requests,
      usage,
      complete,
      profile,
      seed,
      digests,
    },
    cells: cells.map((cell) => ({
      ...cell,
      // The run before this one may differ.
      runs_in_a_row: null,
      evidence: cell.evidence && { ...cell.evidence, doubt: cell.evidence.doubt.map((one) => ({ ...one, run: null })) },
      exchanges: cell.exchanges.length,
      failures: cell.failures.map((failure) => ({
        ...{ ...failure, exchange: null, exchanges: failure.exchanges.length },
        ...{ traceresponse: null, response_id: null },
      })),
    })),
  };
}

const suite = `suite: part
probes:
  plain:
    request: { messages: [{ role: user, content: Say hello. }], max_tokens: 200 }
    trials: 3
  object:
    request:
      messages: [{ role: user, content: Order a lamp. }]
      max_tokens: 2000
      tools: [{ type: function, function: { name: order, parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false } } }]
    vary: { tool_choice: { auto: auto, object: { type: function, function: { name: order } } } }
    needs: [part/plain]
`;
const models = ['sim-reference', 'sim-object-500', 'sim-wobbly', 'sim-rf-empty', 'sim-budget'];
const files = {
  'chatspec.yaml': `targets: { t: { base_url: simulator, models: [${models.join(', ')}] } }\nsuites: [part.yaml]\nbaseline: baseline.yaml\n`,
  'part.yaml': suite,
  'baseline.yaml': 'format: chatspec-baseline/1\ncovers: ["*@t/*"]\nexpect: []\n',
};

let cwd: string;
/** What a run knows comes from the one before it, which must be the same for all that are compared. */
const followTheFirst = async (): Promise<void> => {
  const latest = join(cwd, 'reports', 'latest');
  await rm(latest);
  await symlink(join(cwd, 'first'), latest);
};
const codes: Record<string, number | null> = {};
const reportIn = async (folder: string): Promise<Report> =>
  JSON.parse(await readFile(resolve(cwd, folder, 'report.json'), 'utf8')) as Report;

beforeAll(async () => {
  cwd = await lastingFolder();
  await writeFiles(cwd, files);
  await chatspec(['run', '--out', 'first'], { cwd });
  codes['whole'] = (await chatspec(['run', '--out', 'whole'], { cwd })).code;
  await followTheFirst();
  for (const index of [1, 2, 3]) {
    const { code } = await chatspec(['run', '--shard', `${index}/3`, '--out', `s${index}`], { cwd });
    codes[`s${index}`] = code;
  }
  codes['merged'] = (await chatspec(['merge', 's3', 's1', 's2', '--out', 'merged'], { cwd })).code;
});

describe('the shards of a run, merged', () => {
  test('give the same report and exit code as one machine', async () => {
    expect(lasting(await reportIn('merged'))).toEqual(lasting(await reportIn('whole')));
    expect(codes).toEqual({ whole: 1, s1: 0, s2: 0, s3: 0, merged: 1 });
  });

  test('have a journal in which every exchange can be found and rejudged', async () => {
    const { cells } = await reportIn('merged');
    const ids = cells.flatMap(({ exchanges }) => exchanges);
    expect(new Set(ids).size).toBe(ids.length);
    const key = 'part/object[tool_choice=object]@t/sim-object-500';
    const { stdout, code } = await chatspec(['evidence', 'merged', key], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('HTTP 500');
    await chatspec(['rejudge', 'merged', '--out', 'again'], { cwd });
    expect(lasting(await reportIn('again'))).toEqual(lasting(await reportIn('merged')));
  });

  test('can be completed from the merged folder', async () => {
    await chatspec(['merge', 's2', 's3', '--out', 'rest', '--fail-on', 'never'], { cwd });
    const { code } = await chatspec(['run', '--resume', '--out', 'rest'], { cwd });
    expect(code).toBe(1);
    const { cells } = await reportIn('rest');
    expect(cells.map(({ key, verdict }) => [key, verdict])).toEqual(
      (await reportIn('whole')).cells.map(({ key, verdict }) => [key, verdict]),
    );
    const { run } = await reportIn('rest');
    expect(run.complete).toBe(true);
    expect(run.notes.filter((note) => note.includes('missing'))).toEqual([]);
  });
});

interface Listed {
  readonly shard?: { readonly index: number; readonly of: number };
  readonly cells: readonly { readonly key: string }[];
  readonly requests: { readonly expected: number };
  readonly seconds: { readonly expected: number };
}

test('the estimate counts targets of one key together', async () => {
  const folder = await lastingFolder();
  const target = (name: string, key: string) =>
    `${name}: { base_url: 'https://service.example/v1', api_key_env: ${key}, limits: { requests_per_minute: 5 }, models: [m] }`;
  const seconds = async (second: string) => {
    const text = `targets: { ${target('a', 'KEY_A')}, ${target('b', second)} }\nsuites: [part.yaml]\n`;
    await writeFiles(folder, { 'chatspec.yaml': text, 'part.yaml': suite });
    const env = { KEY_A: 'one-secret', KEY_B: 'one-secret', KEY_C: 'another-secret' };
    const { stdout } = await chatspec(['list', '--json', '--trials', '1'], { cwd: folder, env });
    return (JSON.parse(stdout) as Listed).seconds.expected;
  };
  // Four requests to each: the opening control and three cells.
  expect(await seconds('KEY_C')).toBe(1);
  // Two variables with one key are one account: eight requests, five in the first minute.
  expect(await seconds('KEY_B')).toBe(60);
});

describe('an interrupted shard', () => {
  test('can be resumed as the same part only', async () => {
    await followTheFirst();
    await chatspec(['run', '--shard', '2/3', '--out', 'cut'], { cwd });
    const journal = join(cwd, 'cut', 'journal.jsonl');
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
    await truncate(journal, Buffer.byteLength(`${lines.slice(0, 4).join('\n')}\n`));
    const other = await chatspec(['run', '--resume', '--shard', '1/3', '--out', 'cut'], { cwd });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('resume it without options') as string });
    const merged = await chatspec(['merge', 's1', 'cut', 's3', '--out', 'with-cut', '--fail-on', 'never'], { cwd });
    expect(merged.code).toBe(3);
    expect((await chatspec(['run', '--resume', '--out', 'cut'], { cwd })).code).toBe(0);
    expect(lasting(await reportIn('cut'))).toEqual(lasting(await reportIn('s2')));
  });
});

describe('a merge that was killed', () => {
  const merge = (...more: readonly string[]) =>
    chatspec(['merge', 's1', 's2', 's3', '--fail-on', 'never', ...more], { cwd });

  test('can be run again, wherever it was killed, and gives the same report', async () => {
    const whole = await readFile(join(cwd, 'merged', 'journal.jsonl'), 'utf8');
    const lines = whole.trimEnd().split('\n');
    const places = { start: 1, middle: lines.length >> 1, end: lines.length };
    for (const [name, length] of Object.entries(places)) {
      await writeFiles(cwd, { [`${name}/journal.jsonl`]: lines.slice(0, length).join('\n') + '\n{"type":"exch' });
      const hint = (await chatspec(['report', name], { cwd })).stderr;
      expect(hint).toContain('chatspec merge again');
      expect(hint).not.toContain('--resume');
      expect(await merge('--out', name)).toMatchObject({ code: 0 });
      expect(lasting(await reportIn(name))).toEqual(lasting(await reportIn('merged')));
      expect((await readdir(join(cwd, name))).filter((file) => file.includes('journal'))).toEqual(['journal.jsonl']);
    }
  });

  test('does not replace what the shards do not hold', async () => {
    const whole = await readFile(join(cwd, 'merged', 'journal.jsonl'), 'utf8');
    await writeFiles(cwd, { 'more/journal.jsonl': whole });
    const refused = await chatspec(['merge', 's1', 's2', '--out', 'more'], { cwd });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('these shards do not hold') as string });
    expect(refused.stderr).not.toContain('--resume');
    expect(await readFile(join(cwd, 'more', 'journal.jsonl'), 'utf8')).toBe(whole);
  });
});

const journalOf = (folder: string): Promise<string> => readFile(join(cwd, folder, 'journal.jsonl'), 'utf8');

test('the same shard twice counts once, the finished one, and merge says so', async () => {
  await chatspec(['merge', 's1', 's2', 's3', '--out', 'once'], { cwd });
  const part = (await journalOf('s2')).split('\n').slice(0, 4).join('\n');
  await writeFiles(cwd, { 'part/journal.jsonl': `${part}\n` });
  const line = ['merge', 's1', 'part', 's2', 's2', 's3', '--out', 'twice'];
  const { code, stderr } = await chatspec(line, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('2/3 is named 3 times')]);
  expect((await journalOf('twice')).split('\n').length).toBe((await journalOf('once')).split('\n').length);
});

test.each(['', '\n'])('a torn last line, ended by %j, is a truncated shard and no error', async (end) => {
  const journal = await journalOf('s2');
  await writeFiles(cwd, { 'torn/journal.jsonl': `${journal.slice(0, -30)}${end}` });
  const { code } = await chatspec(['merge', 's1', 'torn', 's3', '--out', `of-torn${end.length}`], { cwd });
  expect(code).not.toBe(2);
  expect((await reportIn(`of-torn${end.length}`)).run.complete).toBe(false);
});

describe('merge refuses', () => {
  test.each([
    [0, 2],
    [9, 2],
    [-1, 3],
    [1, 0],
    [1, 1_000_000_000],
  ])('a shard that says it is %i of %i', async (index, of) => {
    const [first = '', ...rest] = (await journalOf('s1')).split('\n');
    const started = { ...(JSON.parse(first) as object), shard: { index, of } };
    await writeFiles(cwd, { 'odd/journal.jsonl': [JSON.stringify(started), ...rest].join('\n') });
    const { code, stderr } = await chatspec(['merge', 'odd', '--out', 'of-odd'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('odd')]);
  });

  test('a folder that holds a run already', async () => {
    const { code, stderr } = await chatspec(['merge', 's1', 's2', 's3', '--out', 'whole'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('already holds a run') as string });
  });

  test('a damaged journal, and leaves the folder free for the repaired one', async () => {
    const lines = (await readFile(join(cwd, 's2', 'journal.jsonl'), 'utf8')).split('\n');
    const damaged = lines.with(2, `x${lines[2] ?? ''}`).join('\n');
    await writeFiles(cwd, { 'hurt/journal.jsonl': damaged, 'kept/notes.txt': 'mine' });
    for (const out of ['mended', 'kept']) {
      const refused = await chatspec(['merge', 's1', 'hurt', 's3', '--out', out], { cwd });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('hurt') as string });
    }
    expect(await readdir(join(cwd, 'kept'))).toEqual(['notes.txt']);
    await expect(readdir(join(cwd, 'mended'))).rejects.toThrow('ENOENT');
    expect((await chatspec(['merge', 's1', 's2', 's3', '--out', 'mended'], { cwd })).code).toBe(1);
  });

  test('shards of two runs, and a plan that has changed since', async () => {
    const elsewhere = await tempFolder();
    await writeFiles(elsewhere, files);
    await chatspec(['run', '--shard', '1/2', '--out', join(cwd, 'half')], { cwd: elsewhere });
    const expectRefusal = (result: CliResult, message: RegExp): void =>
      expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as string });
    expectRefusal(await chatspec(['merge', 'half', 's2', '--out', 'x'], { cwd }), /not shards of the same run/);
    await writeFile(join(elsewhere, 'part.yaml'), suite.replace('Say hello', 'Say good night'));
    expectRefusal(
      await chatspec(['merge', join(cwd, 'half'), '--out', 'x'], { cwd: elsewhere }),
      /the suites have changed since/,
    );
  });

  test.each(['0/3', '4/3', '3', '1/0', 'a/b', '1/3/5', '-1/3', '1.5/3'])('a part %s', async (part) => {
    const { code, stderr } = await chatspec(['run', `--shard=${part}`, '--out', 'x'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('I/N') as string });
  });
});
