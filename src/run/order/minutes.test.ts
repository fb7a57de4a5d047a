import { describe, expect, test } from 'vitest';
import { createMinutes } from './minutes.js';

function aModel(left: number, each: number) {
  const state = { begun: 0, left, each, underWay: 0 };
  return { state, workload: { progress: () => state, underWay: () => state.underWay } };
}
type Model = ReturnType<typeof aModel>;

/** An account of these models, in a minute of so many requests. */
function account(models: readonly Model[], perMinute: number) {
  const window = { gone: 0 };
  const minutes = createMinutes(models, { perMinute: () => perMinute, gone: () => window.gone });
  const begin = (model: Model, count: number): void => {
    for (let request = 0; request < count; request += 1) minutes.begins();
    model.state.begun += count;
    model.state.left -= count;
  };
  return { minutes, window, begin };
}

describe('where a minute is what takes time', () => {
  test('nothing is ranked without a limit, or when no further minute is needed', () => {
    const model = aModel(100, 50);
    expect(account([model], Infinity).minutes.rank(model)).toBeNull();
    expect(account([model], 100).minutes.rank(model)).toBeNull();
    expect(account([model], 99).minutes.rank(model)).not.toBeNull();
  });

  test('quick models open it, slow ones fill it', () => {
    const [quick, slow] = [aModel(150, 50), aModel(100, 2000)];
    const { minutes, begin } = account([quick, slow], 100);
    const first = (): Model => ((minutes.rank(quick) ?? 0) > (minutes.rank(slow) ?? 0) ? quick : slow);
    expect(first()).toBe(quick);
    begin(quick, 50);
    expect(first()).toBe(slow);
    begin(slow, 50);
    expect(first()).toBe(quick);
  });

  test('what a model with few slots can send only later is kept for it', () => {
    const [quick, slow] = [aModel(150, 50), aModel(100, 2000)];
    const { minutes, window, begin } = account([quick, slow], 100);
    begin(quick, 50);
    slow.state.underWay = 1;
    expect(minutes.rank(quick)).toBe(-Infinity);
    // A minute later there is room again.
    window.gone = 1;
    expect(minutes.rank(quick)).toBeGreaterThan(-Infinity);
  });

  test('nothing is kept for a model that waits for something else', () => {
    const [quick, slow] = [aModel(150, 50), aModel(100, 2000)];
    const { minutes, begin } = account([quick, slow], 100);
    begin(quick, 50);
    expect(minutes.rank(quick)).toBeGreaterThan(-Infinity);
  });

  test('a request that was not sent does not count', () => {
    const model = aModel(101, 50);
    const { minutes, begin } = account([model], 100);
    begin(model, 100);
    expect(minutes.rank(model)).toBeNull();
    minutes.returns();
    model.state.begun -= 1;
    model.state.left += 1;
    expect(minutes.rank(model)).not.toBeNull();
  });
});
