import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

// npm may leave optional packages of other platforms out of the lock file; `npm ci` then fails there.
test('the lock file contains every optional package that it names, for every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Locked;
  const named = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
});
