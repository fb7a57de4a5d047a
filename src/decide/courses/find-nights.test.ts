import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../test/support/random.js';
import { aTicket, failing, passing, sequentialTrials } from '../../../test/support/build.js';
import { conclude } from '../../../test/support/run-course.js';
import { acceptCell } from '../../baseline/accept-cell.js';
import type { AcceptedCell } from '../../baseline/accepted-run.js';
import type { Expected } from '../../baseline/entries.js';
import type { Finding } from '../course.js';
import { discoveryRate } from '../false-alarms.js';
import { findThreshold } from './find.js';

const spec = { axis: 'max_tokens', from: 16, to: 16_384, tolerance: 0.125 };
const find = (ticket: Parameters<typeof findThreshold>[0]) => findThreshold(ticket, 720);

/** The share that passes at each value. */
type Curve = (x: number) => number;

const sharp =
  (rate = 1) =>
  (least: number): Curve =>
  (x) =>
    x >= least ? rate : 0;

const slope =
  (width: number) =>
  (least: number): Curve =>
  (x) =>
    Math.min(1, Math.max(0, Math.log(x / least) / Math.log(width)));

const band =
  (rate: number) =>
  (least: number): Curve =>
  (x) =>
    x >= least && x < 3 * least ? rate : 0;

function night(curve: Curve, expected: Expected, random: () => number): Finding {
  const ticket = aTicket({ course: 'find', trials: sequentialTrials, expected, probe: { find: spec } });
  return conclude(find, ticket, ({ patch }) => (random() < curve(Number(patch['max_tokens'])) ? passing : failing))
    .finding;
}

/** What the baseline says of the cell once the night is accepted. */
function accepted(finding: Finding): Expected {
  const { key } = aTicket({}).cell;
  const cell: AcceptedCell = { ...finding, key, model: 't/m', unsettled: false, standing: 'new', expected: null };
  const acceptance = acceptCell(cell, null, { named: false, today: '2026-01-01' });
  const { total } = finding.trials;
  if (acceptance.kind === 'entry') return { kind: 'entry', entry: acceptance.entry, trials: total };
  if (acceptance.kind === 'keep' || acceptance.threshold === null) throw new Error('a search has a result');
  const { value, fails_at: failsAt } = acceptance.threshold;
  return { kind: 'pass', threshold: value, trials: total, ...(failsAt !== undefined && { failsAt }) };
}

const isNews = ({ surprise, fresh }: Finding): boolean =>
  surprise === 'confirmed' && (fresh?.pValue ?? 0) <= discoveryRate;

describe('the nights after a search was accepted', () => {
  test.each([
    ['a sharp threshold', sharp()],
    ['a sharp one from which 9 of 10 pass', sharp(0.9)],
    ['a slope', slope(2)],
    ['a long slope', slope(6)],
    ['a band that always passes', band(1)],
    ['a band in which 4 of 5 pass', band(0.8)],
  ])('hardly ever raise an alarm of %s that did not change', (_, curveFrom) => {
    const random = randomFrom(20);
    let alarms = 0;
    for (let index = 0; index < 25; index++) {
      const curve = curveFrom(Math.round(20 * 2 ** (6 * random())));
      const expected = accepted(night(curve, { kind: 'new' }, random));
      for (let next = 0; next < 8; next++) if (isNews(night(curve, expected, random))) alarms += 1;
    }
    expect(alarms).toBeLessThanOrEqual(1);
  });

  test.each([
    ['a sharp threshold', sharp()],
    ['a slope', slope(1.3)],
  ])('tell the same night that %s has risen, and to what', (_, curveFrom) => {
    const random = randomFrom(21);
    for (let index = 0; index < 25; index++) {
      const least = Math.round(20 * 2 ** (6 * random()));
      const before = night(curveFrom(least), { kind: 'new' }, random);
      const now = curveFrom(least * 2);
      const { surprise, fresh, threshold } = night(now, accepted(before), random);
      expect({ surprise, fresh }).toMatchObject({
        surprise: 'confirmed',
        fresh: { suspicion: 'regression', passed: 0 },
      });
      expect(now(threshold?.value ?? 0)).toBeGreaterThan(0.5);
    }
  });

  test('tell that a sharp threshold has fallen, and to what', () => {
    const random = randomFrom(22);
    for (let index = 0; index < 25; index++) {
      const least = Math.round(100 * 2 ** (6 * random()));
      const before = accepted(night(sharp()(least), { kind: 'new' }, random));
      const finding = night(sharp()(least / 2), before, random);
      expect(finding).toMatchObject({ surprise: 'confirmed', fresh: { suspicion: 'improvement' } });
      expect(finding.threshold?.value).toBeLessThanOrEqual(Math.ceil((least / 2) * 1.125));
    }
  });
});
