import { expect, test } from 'vitest';
import { brokenLimits, lowerBound } from './makespan/bounds.js';
import { runWorld } from './makespan/run-world.js';
import { worldOf, type CellSpec, type TargetSpec } from './makespan/world.js';
import { worlds } from './makespan/worlds.js';

/** Times the lower bound, which is coarse where a limit per minute is what takes time. */
const allowed = (name: string): number => (name.includes('minute') ? 1.7 : 1.16);

test.each(worlds(1).map((world) => [world.name, world] as const))(
  '%s: hardly longer than needed',
  async (name, world) => {
    const run = await runWorld(world);
    expect(brokenLimits(world, run)).toEqual([]);
    const ratio = run.makespan / lowerBound(world);
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(allowed(name));
  },
);

const single = (name: string, more: Partial<CellSpec> = {}): CellSpec => ({ name, course: 'fixed', ...more });
const target = (models: TargetSpec['models'], concurrency: number): readonly TargetSpec[] => [
  { name: 't', key: 'KEY', limits: { concurrency }, models },
];
const firstCells = async (specs: readonly TargetSpec[], count: number): Promise<readonly string[]> => {
  const { sent } = await runWorld(worldOf('order', specs));
  const cells = sent.toSorted((a, b) => a.from - b.from).flatMap(({ cell }) => (cell === null ? [] : [cell]));
  return [...new Set(cells)].slice(0, count).map((cell) => cell.replace(/^s\/|@.*/g, ''));
};

test('a cell with a long row of requests begins before all others of its model', async () => {
  const cells = [...['a', 'b', 'c', 'd'].map((name) => single(name)), single('threshold', { course: 'find' })];
  expect(await firstCells(target([{ latency: 100, cells }], 1), 1)).toEqual(['threshold']);
});

test('a cell that others wait for begins before those that nothing waits for', async () => {
  const cells = [...['a', 'b', 'c'].map((name) => single(name)), single('first'), single('then', { needs: ['first'] })];
  expect(await firstCells(target([{ latency: 100, cells }], 1), 3)).toEqual(['first', 'a', 'b']);
});

test('every model is opened before any is asked more, so that it is known which of them take long', async () => {
  const models = [50, 2000, 400, 100, 800].map((latency) => ({ latency, cells: [single('a', { trials: 20 })] }));
  const { sent } = await runWorld(worldOf('order', target(models, 2)));
  const inOrder = sent.toSorted((a, b) => a.from - b.from);
  const lastControl = inOrder.findLastIndex(({ cell }) => cell === null);
  const others = inOrder.slice(0, lastControl).filter(({ cell }) => cell !== null);
  // While the last controls are in flight, a slot may be free that no control can use.
  expect(lastControl).toBe(models.length - 1);
  expect(others).toEqual([]);
});

test('a model with little to ask is not left to the end, and is asked while one has far more', async () => {
  const models = [
    { latency: 1000, cells: Array.from({ length: 10 }, (_, index) => single(`c${index}`, { trials: 40 })) },
    { latency: 100, cells: [single('a', { trials: 5 })] },
  ];
  const { sent, makespan } = await runWorld(worldOf('order', target(models, 4)));
  const few = sent.filter(({ model, cell }) => model === 't/m1' && cell !== null).map(({ to }) => to);
  expect(few).toHaveLength(5);
  expect(Math.max(...few)).toBeLessThan(makespan / 2);
});
