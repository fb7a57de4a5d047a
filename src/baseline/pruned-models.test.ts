import { describe, expect, test } from 'vitest';
import { acceptRun } from './accept-run.js';
import { readBaseline } from './load-baseline.js';
import { unnamedEntries } from './pruned-models.js';

const text = `format: chatspec-baseline/1
covers:
  - { cells: "*@t/*", trials: 1 }
  - { cells: s/p@t/gone, trials: 12 }
  - { cells: s/p@t/here, trials: 12 }
wire:
  - { model: t/gone, quirks: [] }
expect:
  - { key: s/q@t/gone, verdict: fail, date: 2026-11-20 }
  - { key: s/q@t/here, verdict: fail, date: 2026-11-20, note: stays }
thresholds:
  - { key: s/find@t/gone, value: 12, date: 2026-11-20 }
`;
const isNamed = (model: string): boolean => model === 't/here';
const baseline = async () => (await readBaseline(text, 'baseline.yaml')).baseline!;

describe('entries of models that the config does not name', () => {
  test('are counted in every list; a pattern that leaves the model open names none', async () => {
    expect(unnamedEntries(await baseline(), isNamed)).toEqual({
      models: ['t/gone'],
      entries: { covers: ['s/p@t/gone'], wire: ['t/gone'], expect: ['s/q@t/gone'], thresholds: ['s/find@t/gone'] },
      count: 4,
    });
  });

  test.each([true, false])('are removed on demand alone: %s', async (prune) => {
    const run = { run: { complete: true, profile: 'standard' }, cells: [] };
    const accepted = acceptRun(run, await baseline(), { today: '2026-11-21', isNamed, prune });
    expect(accepted.unnamed).toMatchObject({ count: 4, models: ['t/gone'] });
    const removed = accepted.changes.flatMap(({ removed: gone }) => gone.map(({ name }) => name));
    expect(removed.length).toBe(prune ? 4 : 0);
    expect(accepted.text?.includes('gone') ?? false).toBe(false);
    if (prune) expect(accepted.text).toContain('note: stays');
  });
});
