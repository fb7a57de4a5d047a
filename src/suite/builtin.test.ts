import { describe, expect, test } from 'vitest';
import { loadSuites } from './read/load-suites.js';

const place = { file: 'chatspec.yaml', line: 1, column: 1 };

describe('the suites that ship with the package', () => {
  test.each(['builtin:core', 'builtin:extended'])('%s has no problem', async (pattern) => {
    const { suites, problems } = await loadSuites([{ pattern, place }], '/', { recheck: true });
    expect(problems.map(({ message, place: at }) => `${at?.file ?? ''}:${at?.line ?? 0} ${message}`)).toEqual([]);
    expect(suites.length).toBeGreaterThan(0);
  });
});
