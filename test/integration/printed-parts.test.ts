import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** Parts of the output that people copy, or that a file takes. */

let cwd: string;
beforeEach(async () => {
  cwd = await tempFolder();
  await writeFiles(cwd, {
    'chatspec.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [part.yaml]\n',
    'part.yaml': `suite: part
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
  effort:
    request: { messages: [{ role: user, content: Say hello. }] }
    vary: { reasoning_effort: { settings: reasoning_effort } }
`,
  });
});

test.each(['list', 'run'])('the settings that %s names as missing can be copied into the config', async (verb) => {
  const { stdout } = await chatspec([verb], { cwd });
  const lines = stdout.split('\n');
  const begun = lines.findIndex((line) => /^ *settings:$/.test(line));
  expect(begun).toBeGreaterThan(0);
  const indent = lines[begun]!.search(/\S/);
  const end = lines.findIndex((line, at) => at > begun && line.search(/\S/) <= indent);
  expect(parse(lines.slice(begun, end).join('\n'))).toHaveProperty('settings.reasoning_effort');
});

test('report --format issue prints the issue, or writes it to --out', async () => {
  await chatspec(['run', '--out', 'r'], { cwd });
  const printed = await chatspec(['report', 'r', '--format', 'issue'], { cwd });
  const written = await chatspec(['report', 'r', '--format', 'issue', '--out', 'o'], { cwd });
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'o/issue.json\n' });
  expect(await readFile(join(cwd, 'o', 'issue.json'), 'utf8')).toBe(printed.stdout);
});

test('accepting says what of a run was not measured', async () => {
  await writeFiles(cwd, {
    'chatspec.yaml':
      'targets: { demo: { base_url: simulator, models: [sim-reference, sim-nowhere] } }\nsuites: [part.yaml]\nbaseline: b.yaml\n',
  });
  await chatspec(['run', '--out', 'r'], { cwd });
  const { stderr } = await chatspec(['baseline', 'accept', 'r'], { cwd });
  expect(stderr).toContain('1 of 2 cells of this run could not be measured, and is not accepted');
});

test('accepting says of a keyword of which nothing was proved that it is noted, and not that it stays as it was', async () => {
  await writeFiles(cwd, {
    'chatspec.yaml':
      "targets: { demo: { base_url: simulator, models: [sim-no-repeat] } }\nsuites: ['builtin:core']\nbaseline: b.yaml\n",
  });
  await chatspec(['run', '--only', 'schema/type-string', '--out', 'r'], { cwd });
  const { stdout, stderr } = await chatspec(['baseline', 'accept', 'r'], { cwd });
  const baseline = parse(await readFile(join(cwd, 'b.yaml'), 'utf8')) as { covers: object[] };
  expect(baseline.covers).toContainEqual({
    ...{ cells: 'schema/type-string[channel=response_format]@demo/sim-no-repeat', trials: 0 },
  });
  expect(stdout).toContain('1 cell could not be measured, and is noted with 0 trials: no news until something shows\n');
  expect(stdout).not.toContain('as it was');
  expect(stderr).not.toContain('could not be measured');
});
