import { expect, test } from 'vitest';
import { aFinding, anEntry, aTicket, type TicketChanges } from '../../../test/support/build.js';
import type { Finding } from '../../decide/course.js';
import { standingsOf } from './run-standings.js';

const fails = { ...anEntry({ verdict: 'fail', provisional: true }), trials: 2 };
const flaky = { ...anEntry({ verdict: 'flaky', passed: 3, total: 12 }), trials: 12 };
const ticket = (name: string, changes: TicketChanges = {}) =>
  aTicket({ path: `s/${name}`, expected: { kind: 'new' }, ...changes });
const keyOf = (name: string): string => ticket(name).cell.key;

/** How a cell that nobody has accepted stands after it failed, by the need that the baseline knows. */
function stands(
  need: TicketChanges,
  found: Finding,
  chain: readonly string[] = ['need'],
  now = aFinding(2, 3, { surprise: 'confirmed' }),
) {
  const names = chain.map((name, index) => ticket(name, index === 0 ? need : { needs: [keyOf(chain[index - 1]!)] }));
  const cell = ticket('cell', { needs: [keyOf(chain.at(-1)!)] });
  const findings = new Map([
    ...names.map(({ cell: { key } }, index) => [key, index === 0 ? found : aFinding(1, 0)] as const),
    [cell.cell.key, now],
  ]);
  return standingsOf([...names, cell], findings, 60, null).get(cell.cell.key);
}

test('a cell that was blocked because its need failed is shown, without an alarm, when the need passes at times', () => {
  expect(stands({ expected: fails }, aFinding(1, 2))).toEqual({ standing: 'new', unsettled: true });
  expect(stands({ expected: fails }, aFinding(1, 2), ['need', 'between'])).toEqual({
    standing: 'new',
    unsettled: true,
  });
});

test('where there is nothing to see, nothing is shown', () => {
  for (const now of [aFinding(3, 0), aFinding(29, 1, { surprise: 'cleared' })])
    expect(stands({ expected: fails }, aFinding(1, 2), ['need'], now)).toEqual({ standing: 'new', unsettled: false });
});

test('one that was never asked although its need was met is news, and so is one whose need always passes now', () => {
  const improved = aFinding(60, 0, {
    surprise: 'confirmed',
    fresh: { suspicion: 'improvement', passed: 59, total: 59, pValue: null },
  });
  for (const [need, found] of [
    [{ expected: flaky }, aFinding(1, 2)],
    [{ expected: { kind: 'pass', threshold: null } }, aFinding(1, 0)],
    [{ expected: { kind: 'new' } }, aFinding(1, 2)],
    [{ expected: fails }, improved],
  ] as const) {
    expect(stands(need, found)).toEqual({ standing: 'new', unsettled: false });
  }
});
