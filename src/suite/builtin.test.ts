import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSuites } from './read/load-suites.js';

const place = { file: 'chatspec.yaml', line: 1, column: 1 };
const root = fileURLToPath(new URL('../../', import.meta.url));

/** They leave the advised subset of JSON Schema on purpose, which is a warning. */
test.each(['core', 'extended'])(
  'the built-in suites %s, read as if somebody had written them, have no error',
  async (set) => {
    const { suites, problems } = await loadSuites([{ pattern: `suites/${set}/*.yaml`, place }], root);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, place: at }) => `${at?.file ?? ''}:${at?.line ?? 0} ${message}`)).toEqual([]);
    expect(suites.length).toBeGreaterThan(0);
  },
);
