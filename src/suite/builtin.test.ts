import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { digest as digestOf } from '../json/digest.js';
import { versioned } from './read/find-suite-files.js';
import { loadSuites } from './read/load-suites.js';

const place = { file: 'chatspec.yaml', line: 1, column: 1 };
const root = fileURLToPath(new URL('../../', import.meta.url));

/** They leave the advised subset of JSON Schema on purpose, which is a warning. */
test.each(['core{,@2}', 'extended{,@2}'])(
  'the built-in suites %s, read as if somebody had written them, have no error',
  async (set) => {
    const { suites, problems } = await loadSuites([{ pattern: `suites/${set}/*.yaml`, place }], root);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, place: at }) => `${at?.file ?? ''}:${at?.line ?? 0} ${message}`)).toEqual([]);
    expect(suites.length).toBeGreaterThan(0);
  },
);

/** What a set asks and expects, without titles, tags and where it stands. */
async function askedBy(pattern: string) {
  const { suites, problems } = await loadSuites([{ pattern, place }], root);
  const probes = suites.flatMap((suite) => suite.probes);
  const asked = probes.map(({ suite, name, axes, steps, when, samples, vars, find, load, enforce, ...probe }) => ({
    key: `${suite}/${name}`,
    axes: axes.map((axis) => (axis.kind === 'values' ? { ...axis, points: [...axis.points] } : axis)),
    points: [probe.combine, probe.exclude, probe.include],
    asks: [steps, samples, vars, find, load, enforce],
    expects: [when, probe.trials, probe.retry],
  }));
  return { messages: problems.map(({ message }) => message), asked };
}

test.each([
  ['builtin:core@1', 102, '4d5e6f2a7b0edaa12a8423829c66e825f182242fb8ed4fd02d652cd15a65681e'],
  ['builtin:extended@1', 48, '23a1825232a8bb76f83bd9f2ccc4515ff4b1861db5fbba269e28d9697ac883e8'],
])('%s asks and expects what it did when it was released', async (pattern, count, digest) => {
  const { messages, asked } = await askedBy(pattern);
  expect(messages).toEqual([]);
  expect([asked.length, digestOf(asked as never)]).toEqual([count, digest]);
});

test('a newer version of core holds all that the older one asked', async () => {
  expect(versioned('builtin:core')).toBe('builtin:core@2');
  const [first, second, newest] = await Promise.all(
    ['@1', '@2', ''].map((version) => askedBy(`builtin:core${version}`)),
  );
  expect(second).toEqual(newest);
  expect(second?.asked).toEqual(expect.arrayContaining(first?.asked ?? []));
  expect(second!.asked.length).toBeGreaterThan(first!.asked.length);
});

test('a version that does not exist is refused, with those that do', async () => {
  const { problems } = await loadSuites([{ pattern: 'builtin:core@3', place }], root);
  expect(problems).toMatchObject([{ severity: 'error', hint: 'write builtin:core@1 or builtin:core@2' }]);
});
