import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../bench/random.js';
import { acceptedAs, flip, ticketOf } from '../../../bench/simulated-cell.js';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { Expected } from '../../baseline/entries.js';
import { coursesFor } from '../../decide/courses/courses.js';
import type { Finding } from '../../decide/course.js';
import type { Profile } from '../../plan/ticket.js';
import type { ReportCell } from '../report-format.js';
import { standingOf } from '../standing/standing.js';
import { diffRuns, lostSomething } from './diff-reports.js';

/** A cell with a true pass rate; what it has in common with others decides with which it may change together. */
interface Coin {
  readonly model: string;
  readonly capability: string;
  readonly probe: string;
  readonly rate: number;
}

const rates = [1, 0.97, 0.9, 0.7, 0.4, 0];

/** Two models with ten capabilities each; in half of them the cells have the same rate, in the others each another. */
const service: readonly Coin[] = ['demo/one', 'demo/two'].flatMap((model) =>
  Array.from({ length: 10 }, (_, family) =>
    Array.from({ length: 6 }, (__, index) => ({
      ...{ model, capability: `capability${family}`, probe: `probe${family}-${index % 3}-${index}` },
      rate: rates[(family < 5 ? family : index) % rates.length] ?? 1,
    })),
  ).flat(),
);

type Known = ReadonlyMap<string, Expected>;

/** One run with the courses of a real one. */
function runOf(coins: readonly Coin[], profile: Profile, random: () => number, known: Known = new Map()): ReportCell[] {
  const courses = coursesFor({ plannedCells: coins.length });
  return coins.map((coin) => {
    const { key } = cellOf(coin, {});
    const expected = known.get(key) ?? { kind: 'new' };
    const ticket = ticketOf({ key, rate: coin.rate, expected, trials: 1 }, profile);
    const { finding } = flip(courses[ticket.course], ticket, () => random() < coin.rate);
    return cellOf(coin, { ...finding, ...standingOf(ticket, finding, coins.length, null) });
  });
}

function cellOf({ model, capability, probe }: Coin, found: Partial<Finding>): ReportCell {
  const { verdict, class: failure, surprise, trials } = found;
  return aReportCell({
    ...{ model, capability, probe, suite: 'luck' },
    ...(verdict && { verdict, class: failure ?? null, surprise: surprise ?? null }),
    ...(trials && { trials }),
    ...('standing' in found ? { standing: found.standing as ReportCell['standing'] } : {}),
    ...('unsettled' in found ? { unsettled: found.unsettled as boolean } : {}),
  });
}

const accepted = (cells: readonly ReportCell[]): Known =>
  new Map(cells.map((cell) => [cell.key, acceptedAs(cell.key, { ...cell, needed: 0, fresh: null })]));

const diffs = 200;

interface Pairing {
  readonly base: readonly ReportCell[];
  readonly head: readonly ReportCell[];
}

/** How many of the diffs exit with 1; of none may a cell be both changed and luck. */
function shareLost(pairing: () => Pairing): number {
  const lost = Array.from({ length: diffs }, () => {
    const { base, head } = pairing();
    const diff = diffRuns(aReport({ cells: base }), aReport({ cells: head }));
    const named = [...diff.lost, ...diff.gained].map(({ cell }) => cell);
    expect(new Set(named).size).toBe(named.length);
    expect(diff.rates.filter(({ cell }) => named.includes(cell))).toEqual([]);
    return lostSomething(diff);
  });
  return lost.filter(Boolean).length / diffs;
}

describe('two runs of unchanged models', () => {
  test.each<[string, (random: () => number) => () => Pairing]>([
    [
      'one trial a cell',
      (random) => () => ({ base: runOf(service, 'smoke', random), head: runOf(service, 'smoke', random) }),
    ],
    [
      'standard, without a baseline',
      (random) => () => ({ base: runOf(service, 'standard', random), head: runOf(service, 'standard', random) }),
    ],
    [
      'standard, the first accepted as the baseline',
      (random) => () => {
        const base = runOf(service, 'standard', random);
        return { base, head: runOf(service, 'standard', random, accepted(base)) };
      },
    ],
    [
      'standard, both with the baseline of a certify run',
      (random) => () => {
        const known = accepted(runOf(service, 'certify', random));
        return { base: runOf(service, 'standard', random, known), head: runOf(service, 'standard', random, known) };
      },
    ],
    [
      'certify',
      (random) => () => ({ base: runOf(service, 'certify', random), head: runOf(service, 'certify', random) }),
    ],
    [
      'one trial a cell, and certify',
      (random) => () => ({ base: runOf(service, 'smoke', random), head: runOf(service, 'certify', random) }),
    ],
  ])('%s: at most 5 %% lose anything', (_, pairing) => {
    expect(shareLost(pairing(randomFrom(17)))).toBeLessThanOrEqual(0.05);
  });
});

describe('a form that died', () => {
  const dead = (coin: Coin): Coin => (coin.capability === 'capability0' ? { ...coin, rate: 0 } : coin);

  test.each<[string, Profile]>([
    ['one trial a cell', 'smoke'],
    ['standard', 'standard'],
  ])('%s: is found in at least 99 %%', (_, profile) => {
    const random = randomFrom(23);
    const share = shareLost(() => ({
      base: runOf(service, profile, random),
      head: runOf(service.map(dead), profile, random),
    }));
    expect(share).toBeGreaterThanOrEqual(0.99);
  });
});
