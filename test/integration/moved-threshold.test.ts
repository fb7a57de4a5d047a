import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/**
 * A threshold that rises and then falls, over the command line: told the first night, accepted, and quiet from then on.
 */

/** A project that searches for the least cap of one model, whose need can change between command lines. */
async function aMovingThreshold() {
  const folder = await tempFolder();
  const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
  const text = (...path: string[]) => readFile(join(folder, ...path), 'utf8');
  await writeFiles(folder, {
    's.yaml': `suite: s
probes:
  least:
    request: { messages: [{ role: user, content: Say hello. }] }
    find: { axis: max_tokens, from: 64, to: 4096, tolerance: 0.125 }
`,
  });
  /** Runs command lines while the model cuts every answer whose cap is lower. */
  const needing = async (cap: number, lines: readonly string[]) => {
    await writeFiles(folder, {
      'profiles/m.yaml': `profiles:
  - id: m
    summary: Needs a larger cap than its answers are long.
    source: A threshold that moves.
    traits: {}
    faults: [{ when: { max_tokens_below: ${cap} }, do: { finish_reason: length } }]
`,
    });
    const service = await startSimulator({ profiles: join(folder, 'profiles') });
    try {
      await writeFiles(folder, {
        'chatspec.yaml': `targets:
  demo: { base_url: "${service.baseUrl}", models: [m] }
suites: [s.yaml]
baseline: baseline.yaml
`,
      });
      const results = [];
      for (const line of lines) results.push(await run(line));
      return results;
    } finally {
      await service.close();
    }
  };
  const cellOf = async (name: string) =>
    (JSON.parse(await text(name, 'report.json')) as Report).cells.find((cell) => cell.key === 's/least@demo/m');
  return { folder, run, text, needing, cellOf };
}

test('a threshold that moves is news the first night, before and after, and quiet once it is accepted', async () => {
  const { run, text, needing, cellOf } = await aMovingThreshold();
  await needing(500, ['run --out first', 'baseline accept first']);
  expect(await text('baseline.yaml')).toContain('value: 512');

  const [up] = await needing(1500, ['run --out up', 'rejudge up']);
  expect(up?.code).toBe(1);
  expect(up?.stdout.replaceAll(/\s+/g, ' ')).toMatch(/▼ m: .*: needs 1,536 now; 512 was enough before/);
  for (const name of ['report.md', 'index.html', 'junit.xml'])
    expect(await text('up', name)).toContain('1,536 now; 512 was enough before');
  expect(await cellOf('up')).toMatchObject({ standing: 'regression', unsettled: false, threshold: { value: 1536 } });
  expect(await cellOf('up-rejudged')).toEqual(await cellOf('up'));
  expect((await run('diff first up')).stdout).toContain('passes from 512 → 1536');

  const [accepted, quiet] = await needing(1500, ['baseline accept up', 'run --out quiet']);
  expect(accepted?.stdout).toContain('1 changed');
  expect(await text('baseline.yaml')).toContain('value: 1536');
  expect(quiet?.code).toBe(0);
  expect(quiet?.stdout).toMatch(/^✓ /);

  const [down] = await needing(300, ['run --out down']);
  expect(down?.stdout.replaceAll(/\s+/g, ' ')).toMatch(/▲ m: .*: 320 is enough now; it needed 1,536 before/);
  expect((await run('diff up down')).stdout).toContain('passes from 1536 → 320');

  const [again, calm] = await needing(300, ['baseline accept down', 'run --out calm']);
  expect(again?.stdout).toContain('1 changed');
  expect(await text('baseline.yaml')).toContain('value: 320');
  expect(calm).toMatchObject({ code: 0 });
  expect((await run('diff down calm')).stdout).not.toContain('thresholds');
});

/** A recorded search of a model that needs a cap of 500, and a way to change what the baseline says of it. */
async function recorded() {
  const { folder, run, text, needing, cellOf } = await aMovingThreshold();
  await needing(500, ['run --out night', 'baseline accept night']);
  const accept = async (value: number) => {
    const accepted = await text('baseline.yaml');
    expect(accepted).toContain('value: 512');
    await writeFile(join(folder, 'baseline.yaml'), accepted.replaceAll('value: 512', `value: ${value}`));
  };
  return { run, cellOf, accept };
}

test.each([256, 4000])(
  'a search is concluded from what was recorded although the baseline says %d by now',
  async (value) => {
    const { run, cellOf, accept } = await recorded();
    const before = await cellOf('night');
    expect(before).toMatchObject({ verdict: 'pass', threshold: { value: 512 } });
    await accept(value);
    const { stdout } = await run('rejudge night');
    const after = await cellOf('night-rejudged');
    expect(after).toMatchObject({ verdict: 'pass', threshold: before?.threshold });
    expect(stdout).not.toContain('Nothing has changed');
  },
);
