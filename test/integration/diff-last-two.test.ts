import { expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

test('diff without arguments compares the last two whole runs, and a repeated run keeps its tags', async () => {
  const cwd = await tempFolder();
  await writeFiles(cwd, {
    'chatspec.yaml':
      "targets: { demo: { base_url: simulator, models: [sim-object-500] } }\nsuites: ['builtin:core']\nbaseline: b.yaml\n",
  });
  expect((await chatspec(['diff'], { cwd })).code).toBe(2);
  const smoke = ['run', '--tags', 'smoke', '--fail-on', 'never'];
  for (const name of ['one', 'two', 'three']) await chatspec([...smoke, '--out', `reports/runs/${name}`], { cwd });
  const again = await chatspec(['run', '--last-failed', 'reports/runs/three', '--dry-run', '--json'], { cwd });
  expect(again.stderr).toContain('--tags smoke');
  const { code, stdout } = await chatspec(['diff', '--json'], { cwd });
  expect(code).toBe(0);
  const runs = JSON.parse(stdout) as { base: string; head: string; compared: number };
  expect(runs.compared).toBeGreaterThan(0);
  const named = await chatspec(['diff', 'reports/runs/two', 'reports/runs/three', '--json'], { cwd });
  expect(named.stdout).toBe(stdout);
});
