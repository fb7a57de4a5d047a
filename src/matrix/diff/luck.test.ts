import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../test/support/random.js';
import { acceptedAs, flip, ticketOf } from '../../../test/worlds/nights/simulated-cell.js';
import { aReport, aReportCell } from '../../../test/support/build.js';
import type { Expected } from '../../baseline/entries.js';
import { knowledgeOf } from '../../baseline/knowledge.js';
import { coursesFor } from '../../decide/courses/courses.js';
import type { Profile, Ticket } from '../../plan/ticket.js';
import type { ReportCell } from '../report-format.js';
import { standingOf } from '../standing/standing.js';
import { diffRuns, lostSomething } from './diff-reports.js';

/** A cell with a true pass rate; what it has in common with others decides with which it may change together. */
interface Coin {
  readonly capability: string;
  readonly probe: string;
  readonly rate: number;
}

const rates = [1, 0.97, 0.9, 0.7, 0.4, 0];

/** A model with ten capabilities; in half of them the cells have the same rate, in the others each another. */
const service: readonly Coin[] = Array.from({ length: 10 }, (_, family) =>
  Array.from({ length: 6 }, (__, index) => ({
    ...{ capability: `capability${family}`, probe: `probe${family}-${index}` },
    rate: rates[(family < 5 ? family : index) % rates.length] ?? 1,
  })),
).flat();

/** Their rates let a cell most often pass at once in one run and never in the next. */
const sometimes: readonly Coin[] = service.map((coin, index) => ({ ...coin, rate: index % 2 === 0 ? 0.25 : 0.4 }));

/** Two models of the same faults are compared cell by cell: rates that differ in nothing but luck. */
const equal: readonly Coin[] = service.map((coin) => ({ ...coin, rate: 0.9 }));

type Known = ReadonlyMap<string, Expected>;

// Making a cell or a ticket takes longer than tossing its coins.
const cells = new Map<string, ReportCell>();
const tickets = new Map<string, Ticket>();

function cellFor({ capability, probe }: Coin): ReportCell {
  const cell = cells.get(probe) ?? aReportCell({ capability, probe, suite: 'luck' });
  cells.set(probe, cell);
  return cell;
}

/** That of an unknown cell is made once; of what is known of a cell, there are many. */
function ticketFor(key: string, expected: Expected, profile: Profile): Ticket {
  const name = `${key} ${profile}`;
  const ticket = tickets.get(name) ?? ticketOf({ key, rate: 1, expected: unknown, trials: 1 }, profile);
  tickets.set(name, ticket);
  return expected === unknown ? ticket : { ...ticket, expected };
}

const unknown: Expected = { kind: 'new' };
const noReport = aReport();

/** One run with the courses of a real one. */
function runOf(coins: readonly Coin[], profile: Profile, random: () => number, known: Known = new Map()): ReportCell[] {
  const courses = coursesFor({ plannedCells: coins.length });
  return coins.map((coin) => {
    const cell = cellFor(coin);
    const { rate } = coin;
    const expected = known.get(cell.key) ?? unknown;
    const ticket = ticketFor(cell.key, expected, profile);
    const { finding } = flip(courses[ticket.course], ticket, () => random() < rate);
    const before = knowledgeOf(expected);
    return {
      ...cell,
      ...{ verdict: finding.verdict, class: finding.class, surprise: finding.surprise },
      trials: { ...finding.trials, needed: 0 },
      ...standingOf(ticket, finding, coins.length, null),
      ...(before && { known: { since: 'accepted', passed: 0, total: 0, before } }),
    };
  });
}

const accepted = (cells: readonly ReportCell[]): Known =>
  new Map(
    cells.map((cell) => {
      const expected = acceptedAs(cell.key, { ...cell, needed: 0, fresh: null });
      return [cell.key, { ...expected, trials: cell.trials.total }];
    }),
  );

const diffs = 200;

interface Pairing {
  readonly base: readonly ReportCell[];
  readonly head: readonly ReportCell[];
  /** Of both sides; absent: the same. */
  readonly profiles?: readonly [Profile, Profile];
}

/** How many of the diffs exit with 1; of none may a cell be both changed and luck. */
function shareLost(pairing: () => Pairing): number {
  const lost = Array.from({ length: diffs }, () => {
    const { base, head, profiles } = pairing();
    const of = (cells: readonly ReportCell[], profile = noReport.run.profile) => ({
      ...noReport,
      run: { ...noReport.run, profile },
      cells,
    });
    const diff = diffRuns(of(base, profiles?.[0]), of(head, profiles?.[1]));
    const named = [...diff.lost, ...diff.gained].map(({ cell }) => cell);
    expect(new Set(named).size).toBe(named.length);
    expect(diff.rates.filter(({ cell }) => named.includes(cell))).toEqual([]);
    return lostSomething(diff);
  });
  return lost.filter(Boolean).length / diffs;
}

describe('two runs of unchanged models', () => {
  const scenarios: Readonly<Record<string, (random: () => number) => Pairing>> = {
    'one trial a cell': (random) => ({
      base: runOf(service, 'smoke', random),
      head: runOf(service, 'smoke', random),
    }),
    'standard, without a baseline': (random) => ({
      base: runOf(service, 'standard', random),
      head: runOf(service, 'standard', random),
    }),
    'standard, the first accepted as the baseline': (random) => {
      const base = runOf(service, 'standard', random);
      return { base, head: runOf(service, 'standard', random, accepted(base)) };
    },
    'standard, both with the baseline of a certify run': (random) => {
      const known = accepted(runOf(service, 'certify', random));
      return { base: runOf(service, 'standard', random, known), head: runOf(service, 'standard', random, known) };
    },
    'one trial a cell, and then certify': (random) => ({
      base: runOf(service, 'smoke', random),
      head: runOf(service, 'certify', random),
      profiles: ['smoke', 'certify'],
    }),
    'certify twice': (random) => ({
      base: runOf(service, 'certify', random),
      head: runOf(service, 'certify', random),
    }),
    'certify twice, and every cell passes nine times in ten': (random) => ({
      base: runOf(equal, 'certify', random),
      head: runOf(equal, 'certify', random),
    }),
    'cells that pass every third time, without a baseline': (random) => ({
      base: runOf(sometimes, 'standard', random),
      head: runOf(sometimes, 'standard', random),
    }),
  };
  test.each(Object.keys(scenarios))('%s: at most 5 of 100 lose anything', (name) => {
    const random = randomFrom(17);
    expect(shareLost(() => scenarios[name]!(random))).toBeLessThanOrEqual(0.05);
  });
});

describe('a form that died', () => {
  const dead = (coin: Coin): Coin => (coin.capability === 'capability0' ? { ...coin, rate: 0 } : coin);
  /** The form has as many cells, as those of the nightly suites: few and each asked once. */
  const withCells = (count: number): readonly Coin[] =>
    service.filter(({ capability, probe }) => capability !== 'capability0' || Number(probe.split('-')[1]) < count);

  test.each([
    ['smoke', 6],
    ['standard', 6],
    ['standard', 4],
    ['standard', 3],
  ] as const)('%s, %d cells: is found in 99 of 100 diffs', (profile, count) => {
    const random = randomFrom(23);
    const coins = withCells(count);
    const share = shareLost(() => ({
      base: runOf(coins, profile, random),
      head: runOf(coins.map(dead), profile, random),
    }));
    expect(share).toBeGreaterThanOrEqual(0.99);
  });
});

describe('forms that now fail two times in ten', () => {
  const reliable = service.filter(({ capability }) => ['capability0', 'capability6'].includes(capability));
  const coins = reliable.map((coin) => ({ ...coin, rate: 1 }));
  const fails = (coin: Coin): Coin => ({ ...coin, rate: 0.8 });

  test('certify: are found in 99 of 100 diffs, and so is the way back', () => {
    const random = randomFrom(29);
    const gained = { count: 0 };
    const share = shareLost(() => {
      const [base, head] = [runOf(coins, 'certify', random), runOf(coins.map(fails), 'certify', random)];
      const back = diffRuns({ ...noReport, cells: head }, { ...noReport, cells: base });
      gained.count += back.gained.length > 0 && back.lost.length === 0 ? 1 : 0;
      return { base, head };
    });
    expect(share).toBeGreaterThanOrEqual(0.99);
    expect(gained.count / diffs).toBeGreaterThanOrEqual(0.99);
  });
});
