import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { ended, project, type Project } from './program.js';

/**
 * Everything is derived from the journal: a run that was cut, resumed, sharded or judged again tells the same facts.
 */

const suite = `suite: part
defaults: { request: { max_tokens: 512 } }
probes:
  plain: { request: { messages: [{ role: user, content: Say hello. }] } }
  task:
    request:
      messages: [{ role: user, content: Return a JSON object with the keys status and score. }]
      response_format: { type: json_object }
  order:
    needs: [part/plain]
    request:
      messages: [{ role: user, content: Order a lamp. }]
      tools:
        - type: function
          function:
            name: order
            parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false }
    vary: { tool_choice: { auto: auto, required: required, object: { type: function, function: { name: order } } } }
`;
const models = ['sim-reference', 'sim-schema-only', 'sim-rf-prose', 'sim-object-400-thinking', 'sim-json-word'];
const config = (ids: readonly string[]): string =>
  `targets: { demo: { base_url: simulator, models: [${ids.join(', ')}] } }\nsuites: [part.yaml]\nbaseline: baseline.yaml\n`;
const covers = models.map((id) => `{ cells: "*@demo/${id}", trials: 20 }`).join(', ');

let work: Project;
let whole: facts.Report;
const run = (args: string) => work.chatspec(args);
const reportOf = (folder: string) => work.json<facts.Report>(`${folder}/report.json`);
const totals = ({ cells }: facts.Report) => new Map(cells.map(({ key, trials }) => [key, trials]));

async function expectSame(folder: string, other: facts.Report = whole): Promise<void> {
  const report = await reportOf(folder);
  expect(facts.sameFacts(report)).toBe(facts.sameFacts(other));
  expect(totals(report)).toEqual(totals(other));
  expect(report.run.complete).toBe(true);
}

beforeAll(async () => {
  work = await project({
    'chatspec.yaml': config(models),
    'slow.yaml': config(['sim-slow']).replace('simulator,', 'simulator, limits: { concurrency: 1 },'),
    'part.yaml': suite,
    'baseline.yaml': `format: chatspec-baseline/1\ncovers: [${covers}]\nexpect: []\n`,
  });
  expect((await run('run --trials 10 --out whole')).code).toBe(1);
  whole = await reportOf('whole');
});

test('what the baseline covers and does not list is expected to pass', async () => {
  await expect(facts.cellTable(whole)).toMatchFileSnapshot('goldens/journal/whole-cells.txt');
});

describe('a run that its budget stopped', () => {
  test('ends with 3; resumed with a larger one, it is the whole run', async () => {
    expect((await run('run --trials 10 --out cut --budget-requests 30 --fail-on never')).code).toBe(3);
    const cut = await reportOf('cut');
    expect(cut.run.requests).toBeLessThanOrEqual(30);
    expect(cut.cells.some(({ verdict }) => verdict === 'not_run')).toBe(true);
    expect(cut.cells.map(({ key }) => key).sort()).toEqual(whole.cells.map(({ key }) => key).sort());
    await expect(run('report cut --format md --out again')).resolves.toMatchObject({ code: 0 });

    expect((await run('run --resume --out cut --budget-requests 5000')).code).toBe(1);
    await expectSame('cut');
  });
});

describe('a run that was ended', () => {
  const started = async (out: string) => {
    const child = work.start(['run', '--config', 'slow.yaml', '--trials', '3', '--out', out]);
    const done = ended(child);
    const journal = join(work.folder, out, 'journal.jsonl');
    const enough = async () =>
      existsSync(journal) && (await readFile(journal, 'utf8')).split('"type":"exchange"').length > 4;
    while (!(await enough())) await new Promise((resolve) => setTimeout(resolve, 30));
    return { child, done };
  };
  let unbroken: facts.Report;
  beforeAll(async () => {
    await run('run --config slow.yaml --trials 3 --out slow');
    unbroken = await reportOf('slow');
  });

  test('by SIGINT ends with 130, and is resumed from where it was', async () => {
    const { child, done } = await started('interrupted');
    child.kill('SIGINT');
    expect((await done).code).toBe(130);
    expect((await reportOf('interrupted')).run.complete).toBe(false);
    await resumed('interrupted');
  });

  test('by SIGKILL asks again only what was in flight', async () => {
    const { child, done } = await started('killed');
    child.kill('SIGKILL');
    await done;
    await resumed('killed');
  });

  async function resumed(out: string): Promise<void> {
    const { code } = await run(`run --config slow.yaml --resume --out ${out}`);
    expect(code).toBe(0);
    await expectSame(out, unbroken);
    const events = facts.linesOf<{ type: string; cell?: string | null }>(await work.read(`${out}/journal.jsonl`));
    const asked = events.filter(({ type, cell }) => type === 'exchange' && typeof cell === 'string').length;
    // One request at a time, so at most one was in flight.
    const trials = unbroken.cells.reduce((sum, cell) => sum + cell.trials.total, 0);
    expect([trials, trials + 1]).toContain(asked);
  }
});

describe('shards', () => {
  const folders = ['s1', 's2', 's3'];
  beforeAll(async () => {
    for (const [index, folder] of folders.entries()) {
      const { code } = await run(`run --trials 10 --shard ${index + 1}/3 --out ${folder}`);
      // What deviates in a shard is for the merge to say.
      expect(code).toBe(0);
    }
  });

  test('merged, in whatever order, are the run of one machine', async () => {
    const { code, stdout } = await run('merge s3 s1 s2 --out merged --json');
    expect(code).toBe(1);
    await expectSame('merged');
    expect(facts.sameFacts(JSON.parse(stdout) as facts.Report)).toBe(facts.sameFacts(whole));
    expect(await realpath(join(work.folder, 'reports/latest'))).toBe(await realpath(join(work.folder, 'merged')));
  });

  test('ask every cell once', async () => {
    const parts = await Promise.all(folders.map(reportOf));
    const keys = parts.flatMap(({ cells }) => cells.map(({ key }) => key));
    expect(keys.sort()).toEqual(whole.cells.map(({ key }) => key).sort());
  });

  test('of which one is missing are a truncated run', async () => {
    expect((await run('merge s1 s3 --out two --fail-on never')).code).toBe(3);
    const two = await reportOf('two');
    expect(two.run.complete).toBe(false);
    const missing = (await reportOf('s2')).cells.map(({ key }) => key);
    expect(
      two.cells
        .filter(({ verdict }) => verdict === 'not_run')
        .map(({ key }) => key)
        .sort(),
    ).toEqual(missing.sort());
    expect((await run('baseline accept two')).code).toBe(2);
  });

  test.each([
    ['merge s1 s2 s3 --out calm --fail-on never', 0],
    ['merge s1 s2 s2 s3 --out twice', 1],
    ['merge s1 whole --out mixed', 2],
  ])('%s ends with %i', async (line, code) => {
    expect((await run(line)).code).toBe(code);
  });
});

describe('rejudge', () => {
  test('tells the same facts, and leaves the run as it was', async () => {
    const [report, journal] = [
      await work.read('whole/report.json'),
      await stat(join(work.folder, 'whole/journal.jsonl')),
    ];
    expect((await run('rejudge whole')).code).toBe(1);
    await expectSame('whole-rejudged');
    expect(await work.read('whole/report.json')).toBe(report);
    expect((await stat(join(work.folder, 'whole/journal.jsonl'))).mtimeMs).toBe(journal.mtimeMs);
    expect((await run('rejudge whole --out calm-again --fail-on never')).code).toBe(0);
    expect((await run('rejudge whole --out whole')).code).toBe(2);
  });

  test("judges by today's rules what was answered then", async () => {
    const strict = suite.replace(
      '{ type: json_object }',
      '$&\n    expect: { rules: [{ id: never, assert: "false", message: no }] }',
    );
    await work.write({ 'part.yaml': strict });
    expect((await run('rejudge whole --out strict --only part/task@demo/sim-reference')).code).toBe(1);
    const [cell, ...others] = (await reportOf('strict')).cells;
    expect(others).toEqual([]);
    expect(cell).toMatchObject({ verdict: 'fail', class: 'rule_violation', rung: 'conforms', standing: 'regression' });
    await work.write({ 'part.yaml': suite });
  });
});

describe('a folder', () => {
  test('that holds a run is not written over', async () => {
    const files = await readdir(join(work.folder, 'whole'));
    expect((await run('run --out whole')).code).toBe(2);
    expect(await readdir(join(work.folder, 'whole'))).toEqual(files);
    await expectSame('whole');
  });
});
