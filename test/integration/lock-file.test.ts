import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

// npm leaves out of a lock what it finds no place for at the time, and `npm ci` then refuses it elsewhere.
test('the lock file holds every optional package that it names, for every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Locked;
  const named = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
});
