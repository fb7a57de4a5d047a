import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder, textOf } from '../support/documents.js';

/** What npm would pack of this folder, without building it first. */
const packed = (
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: projectFolder, encoding: 'utf8' }),
  ) as readonly [{ readonly files: readonly { readonly path: string }[] }]
)[0].files.map(({ path }) => path);

describe('the package', () => {
  test('holds what users need, and nothing else', () => {
    const rest = packed.filter((path) => !/^(dist|schemas|suites|docs|fixtures)\//.test(path));
    expect(rest).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']);
    const fixtures = packed.filter((path) => path.startsWith('fixtures/')).map((path) => path.split('/')[1]);
    expect([...new Set(fixtures)]).toEqual(['clients.yaml', 'profiles', 'samples', 'schemas', 'starter']);
    expect(packed.filter((path) => /\.test\.|\.ts\.map$|(?<!\.d)\.ts$|\.png$|\.svg$/.test(path))).toEqual([]);
  });

  test('holds every schema, built-in suite and document', () => {
    for (const folder of ['schemas', 'suites/core', 'docs'])
      for (const entry of readdirSync(join(projectFolder, folder), { withFileTypes: true }))
        if (entry.isFile()) expect(packed).toContain(`${folder}/${entry.name}`);
  });

  test('declares types for its entries alone', () => {
    const { exports: entries } = JSON.parse(textOf('package.json')) as {
      exports: Record<string, string | { readonly types: string }>;
    };
    for (const target of Object.values(entries))
      if (typeof target !== 'string') expect(packed).toContain(normalize(target.types));
    expect(packed.filter((path) => /^dist\/cli\/.*\.d\.ts$/.test(path))).toEqual([]);
  });

  test('has documents whose links lead to files of the package', () => {
    // Pictures, and what only those who work on chatspec read, stay in the repository; SECURITY.md cites its tests.
    const ofRepository = /\.(png|svg)$|^(ARCHITECTURE|CONTRIBUTING)\.md$/;
    for (const page of packed.filter((path) => /^(docs\/.*|README)\.md$/.test(path))) {
      const targets = [...textOf(page).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, target = '']) => target);
      const local = targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
      const missing = local.filter((target) => !ofRepository.test(target) && !packed.includes(target));
      expect({ page, missing }).toEqual({ page, missing: [] });
    }
  });

  test('names a program that Node can start', () => {
    const { bin } = JSON.parse(textOf('package.json')) as { bin: Record<string, string> };
    for (const file of Object.values(bin)) {
      expect(existsSync(join(projectFolder, file))).toBe(true);
      expect(readFileSync(join(projectFolder, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });
});
