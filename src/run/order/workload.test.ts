import { describe, expect, test } from 'vitest';
import { aModel, sequentialTrials } from '../../../test/support/build.js';
import { runTicket } from '../../../test/support/fake-run.js';
import { createWorkload } from './workload.js';

const model = aModel('t/m');
const needing = (...names: string[]) => ({ needs: names.map((name) => `s/${name}@t/m`) });
const find = { axis: 'max_tokens', from: 16, to: 16_384, tolerance: 0.125 };

describe('the workload of a model', () => {
  test('is what its cells are expected to take, less what was asked', () => {
    const work = createWorkload();
    work.plan([runTicket(model, 'a', 6), runTicket(model, 'b', 2)]);
    expect([work.left(1), work.left(4)]).toEqual([8, 2]);
    work.asked('s/a@t/m', 200);
    work.asked('s/a@t/m', 400);
    expect(work.left(1)).toBe(6 * 300);
    // A retry and a control are no less work.
    work.asked(null, 300);
    expect(work.left(1)).toBe(6 * 300);
    work.concluded('s/a@t/m');
    expect(work.left(1)).toBe(2 * 300);
  });

  test('tells what has begun from what is left', () => {
    const work = createWorkload();
    work.plan([runTicket(model, 'a', 6)]);
    work.began();
    work.began();
    expect([work.progress(), work.underWay()]).toEqual([{ begun: 2, left: 4, each: 1 }, 2]);
    work.asked('s/a@t/m', 200);
    work.ended();
    expect([work.progress(), work.underWay()]).toEqual([{ begun: 2, left: 4, each: 200 }, 1]);
  });

  test('is no shorter than the longest row of requests that follow one another', () => {
    const work = createWorkload();
    work.plan([
      runTicket(model, 'a', 4),
      runTicket(model, 'b', 1, needing('a')),
      runTicket(model, 'c', 1, needing('b')),
    ]);
    expect(['a', 'b', 'c'].map((name) => work.pathFrom(`s/${name}@t/m`))).toEqual([3, 2, 1]);
    expect(work.left(100)).toBe(3);
    work.concluded('s/a@t/m');
    expect(work.left(100)).toBe(2);
  });

  test('counts a search as one value after the other', () => {
    const work = createWorkload();
    work.plan([runTicket(model, 'a', 20), runTicket(model, 'f', 1, { course: 'find', probe: { find } })]);
    expect(work.pathFrom('s/f@t/m')).toBeGreaterThan(5);
    expect(work.pathFrom('s/f@t/m')).toBeGreaterThan(work.pathFrom('s/a@t/m'));
  });

  test('grows when a cell takes more than was expected, which makes it the most urgent', () => {
    const work = createWorkload();
    const decided = { ...runTicket(model, 'a'), course: 'sequential', trials: sequentialTrials } as const;
    work.plan([decided, runTicket(model, 'b', 1)]);
    work.begins('s/a@t/m', 10);
    expect([work.left(1), work.pathFrom('s/a@t/m')]).toEqual([11, 1]);
    for (let trial = 0; trial < 10; trial += 1) work.asked('s/a@t/m', 1);
    work.begins('s/a@t/m', 4);
    expect(work.left(1)).toBe(5);
    expect(work.pathFrom('s/a@t/m')).toBeGreaterThan(work.pathFrom('s/b@t/m'));
  });

  test('makes a cell urgent in which a trial fails, if it asks for more trials then', () => {
    const work = createWorkload();
    const decided = { ...runTicket(model, 'a'), course: 'sequential', trials: sequentialTrials } as const;
    work.plan([decided, runTicket(model, 'b', 5)]);
    for (const cell of ['s/a@t/m', 's/b@t/m', 's/other@t/m']) work.doubted(cell);
    expect(work.pathFrom('s/a@t/m')).toBeGreaterThan(1);
    expect(work.pathFrom('s/b@t/m')).toBe(1);
  });

  test('survives cells that need each other', () => {
    const work = createWorkload();
    work.plan([runTicket(model, 'a', 1, needing('b')), runTicket(model, 'b', 1, needing('a'))]);
    expect(work.left(1)).toBeGreaterThanOrEqual(2);
  });
});
