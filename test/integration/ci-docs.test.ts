import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { Report } from '../../src/index.js';
import { fakePrograms, runLines, type ShellResult } from '../support/ci-steps.js';
import { writeFiles } from '../support/cli.js';
import { codeBlocks, section } from '../support/documents.js';
import { tempFolder } from '../support/temp-folder.js';

/** docs/ci.md, run as it is written. */

const models = ['sim-reference', 'sim-object-500', 'sim-wobbly', 'sim-rf-empty', 'sim-budget'];
const files = {
  'chatspec.yaml': `targets: { t: { base_url: simulator, models: [${models.join(', ')}] } }\nsuites: [part.yaml]\n`,
  'part.yaml': `suite: part
defaults: { request: { messages: [{ role: user, content: Say hello. }], max_tokens: 200 } }
probes:
  plain: { tags: [nightly], request: {} }
  late: { tags: [weekly], request: {} }
`,
};

interface Place {
  readonly cwd: string;
  readonly run: (lines: string, env?: Readonly<Record<string, string>>) => Promise<ShellResult>;
}

async function place(): Promise<Place> {
  const cwd = await tempFolder();
  await writeFiles(cwd, files);
  const bin = await fakePrograms(await tempFolder());
  const base = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: cwd };
  return { cwd, run: (lines, env = {}) => runLines(lines, { cwd, env: { ...base, ...env } }) };
}

const blocksOf = (title: string, language: string): readonly string[] => {
  const text = section('docs/ci.md', title);
  return codeBlocks('docs/ci.md')
    .filter((block) => block.language === language && text.includes(block.text))
    .map((block) => block.text);
};

test('GitLab: the script and what comes after it leave the report, the issue and no journal', async () => {
  const [block = ''] = blocksOf('## GitLab', 'yaml');
  const { chatspec: job } = parse(block) as {
    readonly chatspec: {
      readonly script: readonly string[];
      readonly after_script: readonly string[];
      readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
    };
  };
  const { cwd, run } = await place();
  const { code, output } = await run(job.script.join('\n'));
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('5 models') as string });
  expect(await run(job.after_script.join('\n'))).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, job.artifacts.reports.junit))).toBe(true);
  const kept = await Promise.all(job.artifacts.paths.map((path) => readdir(join(cwd, path)).catch(() => [path])));
  expect(kept.flat()).toEqual(expect.arrayContaining(['index.html', 'report.json', 'issue.json']));
  expect(kept.flat().filter((name) => name.includes('journal'))).toEqual([]);
  expect(JSON.parse(await readFile(join(cwd, 'issue.json'), 'utf8'))).toMatchObject({ state: 'closed' });
});

test('Jenkins: every sh line runs, the key is bound around the run alone, and no journal is archived', async () => {
  const [block = ''] = blocksOf('## Jenkins', 'groovy');
  const { cwd, run } = await place();
  for (const [, line = ''] of block.matchAll(/\bsh '([^']*)'/g)) {
    const { code, output } = await run(line);
    expect(code, `${line}\n${output}`).toBe(0);
  }
  expect(/withCredentials\(.*\) \{\n(.*)\n +\}/.exec(block)?.[1]?.trim()).toBe(
    "sh 'npx --no chatspec run --tags nightly'",
  );
  expect(existsSync(join(cwd, 'reports/latest/junit.xml'))).toBe(true);
  expect(block).toContain("excludes: 'reports/latest/journal.jsonl*'");
  expect(block.match(/\{/g)).toHaveLength(block.match(/\}/g)?.length ?? 0);
});

describe('Kubernetes', () => {
  interface KubernetesJob {
    readonly spec: {
      readonly completions?: number;
      readonly completionMode?: string;
      readonly podFailurePolicy?: object;
      readonly template: {
        readonly spec: {
          readonly containers: readonly [
            { readonly command: readonly string[]; readonly args: readonly [string]; readonly env?: readonly object[] },
          ];
        };
      };
    };
  }
  interface Manifest {
    readonly spec: { readonly jobTemplate?: KubernetesJob };
  }
  let shardJob: KubernetesJob;
  let mergeJob: KubernetesJob;
  beforeAll(() => {
    [shardJob, mergeJob] = blocksOf('## Kubernetes', 'yaml').map((block) => parse(block) as KubernetesJob) as [
      KubernetesJob,
      KubernetesJob,
    ];
  });

  test('an indexed Job asks every shard once, a pod that starts again asks nothing twice, and merge joins them', async () => {
    const { cwd, run } = await place();
    const { completions = 0, completionMode, template } = shardJob.spec;
    const [{ command, args, env = [] }] = template.spec.containers;
    expect({ completionMode, command }).toEqual({ completionMode: 'Indexed', command: ['bash', '-euc'] });
    expect(args[0]).toContain(`/${completions}"`);
    expect(JSON.stringify(env)).toContain('secretKeyRef');
    const pods = await Promise.all(
      Array.from({ length: completions }, (_, index) => run(args[0], { JOB_COMPLETION_INDEX: String(index) })),
    );
    expect(pods.map(({ code }) => code)).toEqual(pods.map(() => 0));
    const again = await run(args[0], { JOB_COMPLETION_INDEX: '1' });
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('nothing was sent') as string });

    const [merging] = mergeJob.spec.template.spec.containers;
    expect(merging.env).toBeUndefined();
    expect(await run(merging.args[0])).toMatchObject({ code: 0 });
    const report = JSON.parse(await readFile(join(cwd, 'reports/latest/report.json'), 'utf8')) as Report;
    expect(report.cells.map(({ key }) => key).sort()).toEqual(models.map((model) => `part/plain@t/${model}`).sort());
    expect(report.run.complete).toBe(true);
    expect(existsSync(join(cwd, 'shards'))).toBe(false);
  });

  test('the manifests of examples ask by the same script, every night, and try again only what another try mends', async () => {
    const text = await readFile(new URL('../../examples/kubernetes.yaml', import.meta.url), 'utf8');
    const [, night, merge] = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    const job = night?.spec.jobTemplate?.spec;
    expect(job?.template.spec.containers[0].args).toEqual(shardJob.spec.template.spec.containers[0].args);
    expect(job?.podFailurePolicy).toEqual(shardJob.spec.podFailurePolicy);
    const [merging] = merge?.spec.jobTemplate?.spec.template.spec.containers ?? [];
    expect(merging?.args[0]).toContain(mergeJob.spec.template.spec.containers[0].args[0]);
  });

  test('shards stay for another merge while one is missing', async () => {
    const { cwd, run } = await place();
    const [{ args }] = shardJob.spec.template.spec.containers;
    expect((await run(args[0], { JOB_COMPLETION_INDEX: '0' })).code).toBe(0);
    expect((await run(mergeJob.spec.template.spec.containers[0].args[0])).code).toBe(3);
    expect(existsSync(join(cwd, 'shards', '1', 'journal.jsonl'))).toBe(true);
  });
});

test('GitHub: ten lines call the action of this repository with inputs that it has', async () => {
  const [block = ''] = blocksOf('## GitHub', 'yaml');
  expect(block.trim().split('\n').length).toBeLessThanOrEqual(10);
  const { jobs } = parse(block) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly with?: object }[] }>>;
  };
  const given = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ with: inputs = {} }) => Object.keys(inputs)),
  );
  const { inputs } = parse(await readFile(new URL('../../action.yml', import.meta.url), 'utf8')) as {
    readonly inputs: object;
  };
  expect(given.length).toBeGreaterThan(0);
  for (const name of given) expect(Object.keys(inputs)).toContain(name);
});

describe('what stands beside the CI', () => {
  test('a branch keeps the history: a second clone of a bare repository knows the night before', async () => {
    const [lines = ''] = blocksOf('## History on a branch', 'bash');
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(11);
    const origin = await tempFolder();
    await expect(
      runLines('git init -q --bare', { cwd: origin, env: { PATH: process.env['PATH'] ?? '' } }),
    ).resolves.toMatchObject({
      code: 0,
    });
    const nights = [];
    for (const night of [1, 2]) {
      const { cwd, run } = await place();
      const { code, output } = await run(`git init -q && git remote add origin ${origin}\n${lines}`);
      expect(code, `night ${night}: ${output}`).toBe(0);
      nights.push(cwd);
    }
    const kept = join(nights[1] ?? '', 'history', 'runs');
    const runs = await readdir(kept);
    expect(runs).toHaveLength(2);
    const files = await Promise.all(runs.map((name) => readdir(join(kept, name))));
    expect(files.flat()).toContain('summary.json');
    expect(files.flat().filter((name) => name.startsWith('journal'))).toEqual([]);
    const page = await readFile(join(nights[1] ?? '', 'reports', 'latest', 'index.html'), 'utf8');
    expect(page).toContain(`../${runs.toSorted()[0] ?? ''}/index.html`);
  });

  test('Slack and Teams get what their webhooks take', async () => {
    const { cwd, run } = await place();
    await writeFiles(cwd, { 'reports/latest/report.md': '# ▼ 1 model got worse\n\n"quoted" `code`\n\nmore\n' });
    const posted: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        posted.push(JSON.parse(body));
        response.end('ok');
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      for (const lines of blocksOf('## Slack and Teams', 'bash')) {
        const { code, output } = await run(lines, {
          SLACK_WEBHOOK_URL: url,
          TEAMS_WEBHOOK_URL: url,
          REPORT_URL: 'https://report.example',
        });
        expect(code, output).toBe(0);
      }
    } finally {
      server.close();
    }
    expect(posted).toMatchObject([
      { text: '# ▼ 1 model got worse\n\n"quoted" `code` https://report.example' },
      { type: 'message', attachments: [{ content: { body: [{ text: expect.stringContaining('more') as string }] } }] },
    ]);
  });

  test('the dashboard asks only for families that are written', async () => {
    const text = await readFile(new URL('../../examples/grafana.json', import.meta.url), 'utf8');
    const { cwd, run } = await place();
    const priced = '{ id: sim-reference, price: { prompt: 1, completion: 2 } }';
    await writeFiles(cwd, { 'chatspec.yaml': files['chatspec.yaml'].replace('sim-reference', priced) });
    await run('npx --no chatspec run --tags nightly --format openmetrics --out run');
    const metrics = await readFile(join(cwd, 'run', 'openmetrics.txt'), 'utf8');
    const families = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    const asked = [...text.matchAll(/\bchatspec_[a-z_]+/g)].map(([name]) => name);
    expect(new Set(asked).size).toBeGreaterThan(5);
    for (const name of asked) expect(families).toContain(name);
  });
});
