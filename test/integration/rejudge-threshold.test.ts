import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/matrix/report-format.js';
import { startSimulator } from '../../src/simulator/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const key = 's/least@demo/m';

/** A recorded search of a model that cuts every answer below a cap of 500, and ways to judge it again. */
async function recorded() {
  const folder = await tempFolder();
  await writeFiles(folder, {
    's.yaml': `suite: s
probes:
  least:
    request: { messages: [{ role: user, content: Say hello. }] }
    find: { axis: max_tokens, from: 64, to: 4096, tolerance: 0.125 }
`,
    'profiles/m.yaml': `profiles:
  - id: m
    summary: Needs a larger cap than its answers are long.
    source: A threshold.
    traits: {}
    faults: [{ when: { max_tokens_below: 500 }, do: { finish_reason: length } }]
`,
  });
  const service = await startSimulator({ profiles: join(folder, 'profiles') });
  await writeFiles(folder, {
    'chatspec.yaml': `targets:
  demo: { base_url: "${service.baseUrl}", models: [m] }
suites: [s.yaml]
baseline: baseline.yaml
`,
  });
  const run = (line: string) => chatspec(line.split(' '), { cwd: folder });
  await run('run --out night');
  await run('baseline accept night');
  await service.close();
  const report = async (name: string) =>
    JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
  const cellOf = async (name: string) => (await report(name)).cells.find((cell) => cell.key === key);
  const accept = async (value: number) => {
    const file = join(folder, 'baseline.yaml');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('value: 512');
    await writeFile(file, text.replaceAll('value: 512', `value: ${value}`));
  };
  return { run, cellOf, accept };
}

test.each([256, 640, 1024, 2000, 4000])(
  'a search is concluded from what was recorded although the baseline says %d by now',
  async (value) => {
    const { run, cellOf, accept } = await recorded();
    const before = await cellOf('night');
    expect(before).toMatchObject({ verdict: 'pass', threshold: { value: 512 } });
    await accept(value);
    const { stdout } = await run('rejudge night');
    const after = await cellOf('night-rejudged');
    expect(after).toMatchObject({ verdict: 'pass', threshold: before?.threshold });
    expect(stdout).not.toContain('No deviations:');
  },
);
