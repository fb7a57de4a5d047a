import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anEntry,
  aPlannedCell,
  countedTrials,
  failing,
  faulty,
  passing,
  sequentialTrials,
} from '../../../../test/support/build.js';
import { randomFrom } from '../../../../test/support/random.js';
import { conclude } from '../../../../test/support/run-course.js';
import type { Ask, PlannedCell } from '../../../plan/plan.js';
import type { FailsAt } from '../../../baseline/entries.js';
import type { FindSpec } from '../../../suite/probe.js';
import { courseCost, coursesFor } from '../courses.js';

const { find } = coursesFor({ plannedCells: 720 });
const spec: FindSpec = { axis: 'max_tokens', from: 16, to: 16_384, tolerance: 0.125 };
const asked = (over: Partial<PlannedCell> = {}, of: FindSpec = spec, texts = 0) =>
  aPlannedCell({
    course: 'find',
    expected: { kind: 'new' },
    ...over,
    probe: { find: of, samples: Array.from({ length: texts }, (_, text) => ({ text })) },
  });
const xOf = ({ patch }: Ask) => patch['max_tokens'] as number;
const from = (least: number) => (ask: Ask) => (xOf(ask) >= least ? passing : failing);
const stored = (threshold: number | null) => ({ expected: { kind: 'pass', threshold } as const });

describe('the largest cost', () => {
  const policies: [string, (seen: number, x: number) => boolean][] = [
    ['passes once', (seen) => seen < 1],
    ['passes twice', (seen) => seen < 2],
    ['passes three times', (seen) => seen < 3],
    ['fails at first', (seen) => seen > 0],
    ['passes once, and at the top all but one in seven', (seen, x) => (x === 16_384 ? seen % 7 !== 1 : seen < 1)],
  ];
  const specs: FindSpec[] = [spec, { ...spec, tolerance: 0.01 }, { ...spec, from: 16_384 }, { ...spec, from: 12_000 }];
  const cases = policies.flatMap(([name, policy]) =>
    specs.map((of) => [name, of.from, of.tolerance, policy, of] as const),
  );
  test.each(cases)(
    'is not exceeded by a model that %s, from %d, tolerance %d',
    (_name, _from, _tolerance, policy, of) => {
      for (const over of [
        {},
        { trials: countedTrials(3) },
        { trials: countedTrials(3), confirm: false },
        { trials: sequentialTrials },
        stored(12_000),
      ]) {
        const seen = new Map<number, number>();
        const answer = (ask: Ask) => {
          const before = seen.get(xOf(ask)) ?? 0;
          seen.set(xOf(ask), before + 1);
          return policy(before, xOf(ask)) ? passing : failing;
        };
        const probed = asked(over, of);
        expect(conclude(find, probed, answer).asks.length).toBeLessThanOrEqual(courseCost(probed).largest);
      }
    },
  );
});

describe('a search', () => {
  test('doubles, bisects to the tolerance, and asks the value again', () => {
    const { finding, asks } = conclude(find, asked(), from(1280));
    const { value, last_failing: lastFailing, monotonic } = finding.threshold ?? {};
    expect(asks.slice(0, 8).map(xOf)).toEqual([16, 32, 64, 128, 256, 512, 1024, 2048]);
    expect(value).toBe(1280);
    expect(lastFailing).toBe(1152);
    expect(monotonic).toBe(true);
    expect(finding).toMatchObject({ verdict: 'pass', class: null, trials: { passed: 10, total: 10 } });
  });

  test('the curve holds every value asked, ascending, with its counts', () => {
    const { finding, asks } = conclude(find, asked(), from(100));
    const curve = finding.threshold?.curve ?? [];
    expect(curve.map(([x]) => x)).toEqual([...new Set(asks.map(xOf))].sort((a, b) => a - b));
    expect(curve.reduce((sum, [, , total]) => sum + total, 0)).toBe(asks.length);
    for (const [x, passed, total] of curve) expect(passed).toBe(x >= 100 ? total : 0);
  });

  test.each([1, 16, 17, 100, 5000, 16_384])('a step at %i is found within the tolerance', (least) => {
    const { value, last_failing: lastFailing } = conclude(find, asked(), from(least)).finding.threshold ?? {};
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(Math.max(16, Math.ceil(least * 1.125)));
    if (least <= 16) {
      expect(lastFailing).toBeNull();
    } else {
      expect(lastFailing).toBeLessThan(least);
    }
  });

  test('where nothing passes, the cell fails as it does at the largest value', () => {
    const { finding } = conclude(find, asked({ confirm: false }), () => failing);
    expect(finding).toMatchObject({
      verdict: 'fail',
      class: 'not_json',
      threshold: { value: null, last_failing: 16_384 },
    });
  });

  test('an axis that fails again at large values is not monotonic', () => {
    const hump = (ask: Ask) => (xOf(ask) >= 256 && xOf(ask) <= 8192 ? passing : failing);
    const { finding } = conclude(find, asked(), hump);
    expect(finding).toMatchObject({ verdict: 'pass', threshold: { value: 256, monotonic: false } });
    expect(finding.threshold?.curve).toContainEqual([16_384, 0, 4]);
  });

  test('a value that passed by chance is replaced by one that passes every time', () => {
    let passesByChance = true;
    const soft = (ask: Ask) => {
      if (xOf(ask) >= 2000) return passing;
      if (xOf(ask) < 1000 || !passesByChance) return failing;
      passesByChance = false;
      return passing;
    };
    const { finding } = conclude(find, asked(), soft);
    expect(finding.verdict).toBe('pass');
    expect(finding.threshold?.value).toBeGreaterThanOrEqual(2000);
    expect(finding.threshold?.value).toBeLessThanOrEqual(2250);
    expect(finding.threshold?.curve.some(([, passed, total]) => passed > 0 && passed < total)).toBe(true);
  });

  test('an axis that is flaky up to its end has no threshold', () => {
    const coin = (_: Ask, index: number) => (index % 2 === 0 ? failing : passing);
    const { finding } = conclude(find, asked({ confirm: true }), coin);
    expect(finding.threshold?.value).toBeNull();
    expect(finding.verdict).toBe('flaky');
  });

  test('until decided, the value found has satisfied the sequential test', () => {
    const { finding } = conclude(find, asked({ trials: sequentialTrials }), from(1280));
    expect(finding.trials).toMatchObject({ passed: 10, total: 10 });
  });

  test('until decided, a value too small for the longest texts is replaced by one that is enough for all', () => {
    const longest = (ask: Ask) => from(ask.sample % 4 === 1 ? 400 : 320)(ask);
    const { finding } = conclude(find, asked({ trials: sequentialTrials }, spec, 4), longest);
    expect(finding.threshold?.value).toBeGreaterThanOrEqual(400);
    expect(finding.threshold?.value).toBeLessThanOrEqual(450);
    expect(finding).toMatchObject({ verdict: 'pass', trials: { passed: 14, total: 14 } });
  });

  test('until decided, failures that also occur at larger values do not raise the threshold', () => {
    const atTimes = (ask: Ask) => (ask.sample % 25 === 7 ? failing : from(64)(ask));
    const { finding } = conclude(find, asked({ trials: sequentialTrials }), atTimes);
    expect(finding.threshold?.value).toBeGreaterThanOrEqual(64);
    expect(finding.threshold?.value).toBeLessThanOrEqual(128);
    expect(finding.verdict).toBe('flaky');
  });

  test.each([
    ['wrong', failing],
    ['cut at the cap', { ...failing, class: 'truncated' } as const],
  ])('rare answers at every value that are %s hardly ever move the value found', (_, spoilt) => {
    const random = randomFrom(23);
    const values = Array.from({ length: 200 }, () => {
      const rarely = (ask: Ask) => (random() < 0.97 ? from(1200)(ask) : spoilt);
      return conclude(find, asked({}, spec, 12), rarely).finding.threshold?.value ?? 0;
    });
    expect(values.filter((value) => value < 1200 || value > 1350).length).toBeLessThanOrEqual(6);
  });

  test.each([0.4, 0.7, 0.97])('a rate of %d at every value is never said to fail again at larger ones', (rate) => {
    const random = randomFrom(18);
    const findings = Array.from({ length: 300 }, () => {
      const sometimes = () => (random() < rate ? passing : failing);
      return conclude(find, asked({}, spec, 12), sometimes).finding.threshold;
    });
    expect(findings.filter((threshold) => threshold?.monotonic === false)).toEqual([]);
  });

  test.each([0, 3])(
    'text %d of 12 that fails at times at every value does not make larger values fail again',
    (bad) => {
      const random = randomFrom(29);
      const findings = Array.from({ length: 300 }, () => {
        const sometimes = (ask: Ask) => (ask.sample % 12 === bad && random() < 0.6 ? failing : from(64)(ask));
        return conclude(find, asked({}, spec, 12), sometimes).finding.threshold;
      });
      expect(findings.filter((threshold) => threshold?.monotonic === false)).toEqual([]);
    },
  );

  test('where two of three pass at every value, hardly any value is taken for reliable', () => {
    const random = randomFrom(19);
    const taken = Array.from({ length: 300 }, () => {
      const sometimes = () => (random() < 2 / 3 ? passing : failing);
      return conclude(find, asked({}, spec, 12), sometimes).finding.threshold?.value ?? null;
    }).filter((value) => value !== null);
    expect(taken.length).toBeLessThanOrEqual(6);
  });

  test('where it passes only sometimes at any value, the cell is flaky and never fails for one unlucky value', () => {
    const random = randomFrom(3);
    for (let run = 0; run < 200; run++) {
      const sometimes = (ask: Ask) => (random() < 0.5 ? from(300)(ask) : failing);
      const { finding } = conclude(find, asked(), sometimes);
      const passes = finding.threshold?.curve.some(([, passed]) => passed > 0) ?? false;
      expect(finding.verdict === 'fail').toBe(!passes);
      if (passes) expect(finding.trials.passed).toBeGreaterThan(0);
    }
  });

  test('a band in which it passes sometimes, below values that fail, makes the cell flaky', () => {
    const band = (ask: Ask) => (xOf(ask) >= 900 && xOf(ask) < 2500 && ask.sample % 5 < 3 ? passing : failing);
    const { finding } = conclude(find, asked(), band);
    expect(finding).toMatchObject({ verdict: 'flaky', threshold: { value: null, monotonic: false } });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('finds the threshold although sample %i of 10 fails at any value', (bad) => {
    const { finding } = conclude(find, asked({}, spec, 10), (ask) =>
      ask.sample % 10 === bad ? failing : from(700)(ask),
    );
    expect(finding.verdict).toBe('flaky');
    expect(finding.threshold?.value).toBeGreaterThanOrEqual(700);
    expect(finding.threshold?.value).toBeLessThanOrEqual(788);
  });

  test('a hole above the value found is noticed', () => {
    const hole = (ask: Ask) => (xOf(ask) >= 100 && !(xOf(ask) >= 900 && xOf(ask) < 2000) ? passing : failing);
    expect(conclude(find, asked(), hole).finding.threshold).toMatchObject({ value: 104, monotonic: false });
  });

  test('the value just below was seen to fail as clearly as the value found to pass', () => {
    const { value, last_failing: below, curve = [] } = conclude(find, asked(), from(1280)).finding.threshold ?? {};
    expect(curve).toContainEqual([value, 10, 10]);
    expect(curve).toContainEqual([below, 0, 3]);
  });

  test('on a slope, the value found passes reliably in nearly all searches', () => {
    const random = randomFrom(11);
    const least = 200;
    const rate = (x: number) => Math.min(1, Math.max(0, Math.log2(x / least) / 2));
    const rates = Array.from({ length: 300 }, () => {
      const slope = (ask: Ask) => (random() < rate(xOf(ask)) ? passing : failing);
      return rate(conclude(find, asked(), slope).finding.threshold?.value ?? 0);
    });
    expect(rates.filter((one) => one < 0.7).length).toBeLessThanOrEqual(15);
    expect(rates.filter((one) => one < 0.5)).toEqual([]);
  });

  test('a given number of trials applies to each value, and nothing is asked above the one found', () => {
    const { finding, asks } = conclude(find, asked({ trials: countedTrials(2), confirm: false }), from(64));
    for (const [, , total] of finding.threshold?.curve ?? []) expect(total).toBe(2);
    expect(Math.max(...asks.map(xOf))).toBe(64);
  });

  test('a search that is cut short before anything passed has no verdict', () => {
    const { finding } = conclude(find, asked(), (_, index) => (index < 3 ? failing : undefined));
    expect(finding).toMatchObject({ verdict: 'inconclusive', threshold: { value: null } });
    expect(finding.needed).toBeGreaterThan(0);
  });

  test('faults do not count as failures at a value', () => {
    const flickering = (ask: Ask, index: number) => (index % 3 === 1 ? faulty : from(1280)(ask));
    expect(conclude(find, asked(), flickering).finding.threshold?.value).toBe(1280);
  });

  test("the axis's pointer names the field", () => {
    const at = ['thinking', 'budget'];
    const axis = { kind: 'values', name: 'room', at, points: new Map(), listed: true } as const;
    const of = aPlannedCell({
      course: 'find',
      confirm: false,
      probe: { find: { ...spec, axis: 'room' }, axes: [axis] },
    });
    expect(conclude(find, of, () => passing).asks[0]?.patch).toEqual({ thinking: { budget: 16 } });
  });

  test('a fractional axis is bisected in fractions', () => {
    const of = asked({}, { axis: 'max_tokens', from: 0.1, to: 1.5, tolerance: 0.05 });
    const value = conclude(find, of, from(0.55)).finding.threshold?.value ?? 0;
    expect(value).toBeGreaterThanOrEqual(0.55);
    expect(value).toBeLessThanOrEqual(0.55 * 1.06);
  });
});

describe('a stored threshold', () => {
  test('that still applies is asked at its value and just below, and nowhere else', () => {
    const { finding, asks } = conclude(find, asked(stored(1280)), from(1280));
    expect(asks.map(xOf)).toEqual([1280, 1137]);
    expect(finding).toMatchObject({
      verdict: 'pass',
      doubtOutcome: null,
      threshold: { value: 1280, last_failing: 1137, monotonic: true },
    });
  });

  test('that has risen is searched again once the rise is confirmed', () => {
    const { finding } = conclude(find, asked(stored(1280)), from(3000));
    expect(finding).toMatchObject({
      verdict: 'pass',
      doubtOutcome: 'confirmed',
      law: { suspicion: 'regression' },
    });
    expect(finding.threshold?.value).toBeGreaterThanOrEqual(3000);
    expect(finding.threshold?.value).toBeLessThanOrEqual(3375);
  });

  test('that failed once by chance stays', () => {
    const { finding, asks } = conclude(find, asked(stored(1280)), (ask, index) =>
      index === 0 ? failing : from(1280)(ask),
    );
    expect(finding).toMatchObject({ doubtOutcome: 'cleared', threshold: { value: 1280 } });
    expect(new Set(asks.map(xOf))).toEqual(new Set([1280, 1137]));
  });

  test('that has fallen is searched again', () => {
    const { finding } = conclude(find, asked(stored(1280)), from(500));
    expect(finding).toMatchObject({
      doubtOutcome: 'confirmed',
      law: { suspicion: 'improvement' },
    });
    expect(finding.threshold?.value).toBeLessThanOrEqual(563);
  });

  test('stays when a trial below it passed by chance', () => {
    const oneBelow = (ask: Ask, index: number) => (index === 1 ? passing : from(1280)(ask));
    const { finding, asks } = conclude(find, asked(stored(1280)), oneBelow);
    expect(finding).toMatchObject({ doubtOutcome: null, threshold: { value: 1280 } });
    expect(asks).toHaveLength(3);
  });

  test('known from many trials, on a slope that did not change, raises hardly any alarm', () => {
    const random = randomFrom(5);
    const rate = (x: number) => Math.min(1, Math.max(0, Math.log2(x / 200) / 2));
    const slope = (ask: Ask) => (random() < rate(xOf(ask)) ? passing : failing);
    const expected = { kind: 'pass', threshold: 700, failsAt: 256, trials: 10 } as const;
    const alarms = Array.from({ length: 1000 }, () => conclude(find, asked({ expected }), slope).finding).filter(
      ({ doubtOutcome }) => doubtOutcome === 'confirmed',
    );
    expect(alarms.length).toBeLessThanOrEqual(4);
  });

  test('that has risen is searched again at once, however little or much is known of it', () => {
    for (const trials of [1, 3, 9, 10, 40]) {
      const expected = { kind: 'pass', threshold: 1280, trials } as const;
      const { finding } = conclude(find, asked({ expected }), from(3000));
      expect(finding).toMatchObject({ doubtOutcome: 'confirmed', law: { suspicion: 'regression' } });
      expect(finding.threshold?.value).toBeGreaterThanOrEqual(3000);
      expect(finding.threshold?.value).toBeLessThanOrEqual(3375);
      expect(finding.threshold?.curve.find(([x]) => x === 1280)?.[1]).toBe(0);
    }
  });

  test('at and above which it fails, though it passes below, is searched below as well', () => {
    const { finding } = conclude(find, asked(stored(1280)), (ask) => (xOf(ask) < 1000 ? from(300)(ask) : failing));
    expect(finding).toMatchObject({ doubtOutcome: 'confirmed', threshold: { monotonic: false } });
    expect(finding.threshold?.value).toBeLessThanOrEqual(338);
  });

  test('with a slope below it is asked where nothing passed', () => {
    const asks = (failsAt: FailsAt) =>
      conclude(find, asked({ expected: { kind: 'pass', threshold: 1280, failsAt } }), from(1280)).asks.map(xOf);
    expect(asks(640)).toEqual([1280, 640]);
    expect(asks('none')).toEqual([1280]);
  });

  test('of a cell without a reliable value, only the largest value is asked again', () => {
    const entry = anEntry({ verdict: 'flaky', passed: 10, total: 20 });
    const half = (ask: Ask) => (ask.sample % 2 === 0 ? failing : passing);
    const { finding, asks } = conclude(find, asked({ expected: entry }), half);
    expect(new Set(asks.map(xOf))).toEqual(new Set([16_384]));
    expect(finding).toMatchObject({ verdict: 'flaky', threshold: { value: null } });
  });

  describe('of a cell that is known to fail at every value', () => {
    const entry = anEntry({ class: 'empty_content', status: 200 });
    const empty = { ...failing, class: 'empty_content', status: 200 } as const;
    test('only the largest value is asked again', () => {
      const { finding, asks } = conclude(find, asked({ expected: entry }), () => empty);
      expect(asks.map(xOf)).toEqual([16_384, 16_384, 16_384]);
      expect(finding).toMatchObject({
        ...{ verdict: 'fail', class: 'empty_content', doubtOutcome: null },
        threshold: { value: null, last_failing: 16_384, curve: [[16_384, 0, 3]] },
      });
      expect(courseCost(asked({ expected: entry })).expected).toBe(3);
    });
    test('all are searched as soon as it fails in another way, or passes', () => {
      expect(conclude(find, asked({ expected: entry }), () => failing).asks.length).toBeGreaterThan(12);
      const { finding } = conclude(find, asked({ expected: entry }), (ask) => (xOf(ask) >= 1280 ? passing : empty));
      expect(finding).toMatchObject({ verdict: 'pass', doubtOutcome: 'confirmed', threshold: { value: 1280 } });
    });
    test('and that refuses the value: the others too, since it may take a smaller one now', () => {
      const refusal = { ...failing, class: 'http_error', reason: 'parameter_rejected', status: 400 } as const;
      const refusing = anEntry({ class: 'http_error', reason: 'parameter_rejected', status: 400 });
      const { asks } = conclude(find, asked({ expected: refusing }), () => refusal);
      expect(asks.map(xOf)).toEqual(expect.arrayContaining([16, 1024, 16_384]));
      const small = (ask: Ask) => (xOf(ask) <= 8192 && xOf(ask) >= 64 ? passing : refusal);
      expect(conclude(find, asked({ expected: refusing }), small).finding.threshold?.value).toBe(64);
    });
  });

  test('at the lower end has nothing below it', () => {
    expect(conclude(find, asked(stored(16)), () => passing).asks.map(xOf)).toEqual([16]);
  });

  test('at and above which nothing passes any longer makes the cell fail', () => {
    const { finding } = conclude(find, asked(stored(1280)), () => failing);
    expect(finding).toMatchObject({ verdict: 'fail', doubtOutcome: 'confirmed', threshold: { value: null } });
  });
});

test('a threshold for a cell that was known to have none is an improvement', () => {
  const { finding } = conclude(find, asked({ expected: anEntry({}) }), from(1280));
  expect(finding).toMatchObject({ verdict: 'pass', doubtOutcome: 'confirmed', law: { suspicion: 'improvement' } });
});

test('any search ends after a bounded number of asks, at a value that did not always fail', () => {
  const answers = fc.infiniteStream(fc.constantFrom(passing, failing, faulty, undefined));
  fc.assert(
    fc.property(
      answers,
      fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: null }),
      fc.boolean(),
      (stream, threshold, decided) => {
        const of = asked({ ...stored(threshold), trials: decided ? sequentialTrials : countedTrials(1) });
        const { finding, asks } = conclude(find, of, () => stream.next().value as typeof passing | undefined);
        expect(asks.length).toBeLessThan(1500);
        const { value, curve } = finding.threshold ?? { value: null, curve: [] };
        if (value !== null) expect(curve.find(([x]) => x === value)?.[1] ?? 0).toBeGreaterThan(0);
      },
    ),
  );
});
