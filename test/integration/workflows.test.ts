import { readdirSync, readFileSync } from 'node:fs';
import { expect, describe, test } from 'vitest';
import { parse } from 'yaml';
import { fileFormats } from '../../src/report/report-formats.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const root = new URL('../../', import.meta.url);
const own = readdirSync(new URL('.github/workflows/', root)).map((name) => `.github/workflows/${name}`);
const workflows = [...own, 'fixtures/starter/workflow.yml'].map((name) => {
  const text = readFileSync(new URL(name, root), 'utf8');
  const { jobs } = parse(text) as { jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
  return { name, text, steps: Object.values(jobs).flatMap(({ steps }) => steps) };
});

describe.each(workflows)('$name', ({ name, text, steps }) => {
  test('pins every action by its commit, with the version beside it', () => {
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('keeps the reports, and the journal only if a variable asks for it', () => {
    const uploads = steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(uploads.length).toBeGreaterThan(0);
    if (name.endsWith('/release.yml')) {
      expect(uploads.map(({ with: given }) => given?.['path'])).toEqual(['chatspec-*.tgz']);
      return;
    }
    const reports = fileFormats.map(({ file }) => `reports/latest/${file}`).sort();
    for (const { with: given, if: when } of uploads) {
      const paths = (given?.['path'] ?? '').trim().split('\n').sort();
      if (paths.includes('reports/latest/journal.jsonl')) {
        expect(when).toContain("vars.CHATSPEC_UPLOAD_JOURNAL == 'true'");
        expect(paths).toHaveLength(1);
      } else expect(paths).toEqual(reports);
    }
    const cached = steps.findIndex(({ uses }) => uses?.startsWith('actions/cache/save@'));
    if (cached >= 0) {
      const before = steps.slice(0, cached).map(({ run }) => run);
      expect(before).toContain('rm -f reports/runs/*/journal.jsonl*');
    }
  });

  test('fetches no package by a name that npm does not know from the lock file', () => {
    for (const { run = '' } of steps) expect(run).not.toMatch(/\bnpx (?!--no )|npm exec|npm install|npm i /);
  });

  test('puts nothing that others wrote into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toMatch(/\$\{\{/);
  });
});

test('CI checks the signatures of packages and what a pull request adds', () => {
  const ci = workflows.find(({ name }) => name.endsWith('/ci.yml'))!;
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
  expect(Object.values(jobs).filter(({ permissions }) => permissions !== undefined)).toHaveLength(1);
});
