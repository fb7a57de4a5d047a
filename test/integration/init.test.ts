import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtFolder, chatspec } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

const created = ['chatspec.yaml', 'suites/first.yaml', '.github/workflows/chatspec.yml', '.gitignore'];

test('the starter files are valid, run on the embedded service, and give a result that can be accepted', async () => {
  const cwd = await tempFolder();
  const { code, stdout } = await chatspec(['init'], { cwd });
  expect(code).toBe(0);
  // Without --no, npx fetches whatever has the name where the package is not installed.
  expect(stdout.match(/npx.*/g)).toHaveLength(4);
  expect(stdout.match(/npx (?!--no ).*/g)).toBeNull();
  for (const file of created) expect(stdout).toContain(`created  ${file}\n`);
  expect(await chatspec(['validate'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid:/) as string,
  });
  const first = await chatspec(['run', '--tags', 'smoke', '--models', 'sim-reference'], { cwd });
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sim-reference .*1 of 1/m) as string });
  expect((await chatspec(['baseline', 'accept', 'reports/latest'], { cwd })).code).toBe(0);
});

test('with a config elsewhere, the printed steps and the workflow look where its runs are, and keep no journal there', async () => {
  const cwd = await tempFolder();
  const { stdout } = await chatspec(['init', '--config', 'my conf/chatspec.yaml'], { cwd });
  const option = "--config 'my conf/chatspec.yaml'";
  expect(stdout).toContain(`npx --no chatspec baseline accept 'my conf/reports/latest' ${option}`);
  expect(stdout).not.toMatch(/Add --config/);
  expect(stdout.match(/npx --no chatspec .*/g)?.every((line) => line.includes(option))).toBe(true);

  const text = await readFile(join(cwd, '.github/workflows/chatspec.yml'), 'utf8');
  const { jobs } = parse(text) as { jobs: { chatspec: { steps: { run?: string; with?: { path?: string } }[] } } };
  const { steps } = jobs.chatspec;
  for (const { run = '' } of steps) if (run.includes('npx --no chatspec')) expect(run).toContain(option);
  const paths = steps.flatMap(({ with: { path } = {} }) => path?.trim().split('\n') ?? []);
  expect(paths.filter((path) => !/^(my conf\/reports\b|issue\.json$)/.test(path))).toEqual([]);

  // The cache can be read by every pull request, and a journal holds the answers as they came.
  const folder = join(cwd, 'my conf/reports/runs/one');
  await mkdir(folder, { recursive: true });
  for (const file of ['journal.jsonl', 'journal.jsonl.lock', 'report.json']) await writeFile(join(folder, file), '');
  const cleaning = steps.flatMap(({ run = '' }) => (run.includes('journal') ? [run] : []));
  expect(cleaning).toHaveLength(1);
  await promisify(execFile)('bash', ['-ec', cleaning[0] ?? ''], { cwd });
  expect(await readdir(folder)).toEqual(['report.json']);
  const shown = steps.find(({ run = '' }) => run.startsWith('cat '))?.run;
  expect(shown).toBe(`cat 'my conf'/reports/latest/report.md >> "$GITHUB_STEP_SUMMARY"`);
});

test('the steps with a config elsewhere work as printed', async () => {
  const cwd = await tempFolder();
  const { stdout } = await chatspec(['init', '--config', './conf/chatspec.yaml'], { cwd });
  const accept = /npx --no chatspec (baseline accept \S+ --config \S+)/.exec(stdout)?.[1]?.split(' ') ?? [];
  expect(accept.slice(2)).toEqual(['conf/reports/latest', '--config', 'conf/chatspec.yaml']);
  const config = ['--config', 'conf/chatspec.yaml'];
  expect((await chatspec(['run', '--tags', 'smoke', '--models', 'sim-reference', ...config], { cwd })).code).toBe(0);
  expect((await chatspec(accept, { cwd })).code).toBe(0);
  // Where the editor finds the schema.
  const schema = /\$schema=(\S+)/.exec(await readFile(join(cwd, 'conf/chatspec.yaml'), 'utf8'))?.[1];
  expect(schema).toBe('../node_modules/chatspec/schemas/config.schema.json');
});

test.each([
  ['python', 'python app.py'],
  ['go', 'go run .'],
  ['java', 'mvn '],
])('for an application in %s, the workflows need no package.json, and the gate is there', async (language, command) => {
  const cwd = await tempFolder();
  const { code, stdout } = await chatspec(['init', `--${language}`], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('created  .github/workflows/upgrade-gate.yml\n');
  expect(stdout).toContain(`CHATSPEC_CLIENT, such as: ${command}`);
  expect(stdout).toContain('\n  chatspec run --tags smoke\n');
  const nightly = await readFile(join(cwd, '.github/workflows/chatspec.yml'), 'utf8');
  expect(nightly).not.toMatch(/npm ci|cache: npm\n|package\.json/);
  expect(nightly).toMatch(/npm install --no-save .*"\$PACKAGE"\n +env:\n +PACKAGE: .*'chatspec@\d/);
  const gate = await readFile(join(cwd, '.github/workflows/upgrade-gate.yml'), 'utf8');
  expect(gate).toBe(await readFile('.github/workflows/upgrade-gate.yml', 'utf8'));
});

test('nothing is written where one of the files cannot be', async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, 'suites'), 'a file');
  const { code, stderr } = await chatspec(['init'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('suites');
  expect(stderr).toMatch(/→ .*nothing was written/);
  expect(await readdir(cwd)).toEqual(['suites']);
});

test('a disk that takes no whole file is told with the file, and nothing half stays', async () => {
  const folder = await tempFolder();
  const line = `ulimit -f 1; exec "$0" "$1" init`;
  const args = ['-c', line, process.execPath, join(builtFolder, 'cli', 'main.js')];
  const { status, stderr } = spawnSync('bash', args, { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(3);
  expect(stderr).toContain(join(folder, 'chatspec.yaml'));
  expect(await readdir(folder)).toEqual([]);
});
