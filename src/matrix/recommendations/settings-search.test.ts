import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { coveredBy } from './choice.js';
import type { Evidence } from './evidence.js';
import { searchSettings } from './settings-search.js';
import { withFewFailures, withoutFailure } from './standards.js';

type Labels = Readonly<Record<string, string>>;

function evidence(labels: Labels, passed: number, total: number, more: Partial<Evidence> = {}): Evidence {
  return {
    cell: aReportCell({ point: labels, trials: { passed, total }, class: passed === total ? null : 'not_json' }),
    ...{ probe: 'suite/probe', shape: 'text', labels, optional: new Set(['thinking']), cap: null, isSearched: false },
    ...{ trials: { passed, total }, onlyValuesWrong: false, isWithoutEffect: false, judgesValues: false },
    ...more,
  };
}

const on = (stream: boolean, thinking?: string): Labels => ({
  stream: String(stream),
  ...(thinking !== undefined && { thinking }),
});

describe('what a client has to observe', () => {
  test('nothing, where everything passes once', () => {
    expect(searchSettings([evidence(on(false), 1, 1)], withoutFailure)?.choice.labels).toEqual({});
  });

  test('no lucky setting of a form that passes at times', () => {
    const wavering = ['a', 'b', 'c', 'd'].map((label) => evidence(on(false, label), 4, 10));
    const lucky = evidence(on(false, 'e'), 3, 3);
    expect(searchSettings([...wavering, lucky], withoutFailure)).toBeNull();
    expect(searchSettings([...wavering, lucky], withFewFailures)).toBeNull();
  });

  test('no setting under which only the label that fails at times was asked too seldom to tell', () => {
    const plain = [undefined, 'on', 'off'].map((thinking) => evidence(on(false, thinking), 10, 10));
    const streamed = [evidence(on(true), 3, 3), evidence(on(true, 'on'), 1, 5), evidence(on(true, 'off'), 4, 7)];
    expect(searchSettings([...plain, ...streamed], withoutFailure)?.choice.labels).toEqual({ stream: 'false' });
    // Other requests that always fail without the setting have a reason of their own.
    const dead = evidence(on(false, 'on'), 0, 3, { cap: 512 });
    const found = searchSettings([...plain, ...streamed, dead], withoutFailure);
    expect(found?.choice.labels).toMatchObject({ stream: 'false' });
  });

  test('a setting, once streams with it have passed too often for luck', () => {
    const plain = [undefined, 'on', 'off'].map((thinking) => evidence(on(false, thinking), 10, 10));
    const streamed = [evidence(on(true), 30, 30), evidence(on(true, 'on'), 1, 5), evidence(on(true, 'off'), 4, 7)];
    const found = searchSettings([...plain, ...streamed], withoutFailure);
    expect(found?.choice.labels).toEqual({ thinking: null });
  });

  test('the same setting, once so many passes are no luck', () => {
    const wavering = ['a', 'b', 'c', 'd'].map((label) => evidence(on(false, label), 4, 10));
    const found = searchSettings([...wavering, evidence(on(false, 'e'), 20, 20)], withoutFailure);
    expect(found?.choice.labels).toEqual({ thinking: 'e' });
  });

  test('no setting for the sake of passes with more tokens than fail without it', () => {
    const search = (label: string | undefined, curve: readonly (readonly [number, number, number])[]) =>
      curve.map(([cap, passed, total]) => evidence(on(false, label), passed, total, { cap, isSearched: true }));
    const others = ['on', 'off'].flatMap((label) =>
      search(label, [
        [1024, 0, 3],
        [6144, 34, 40],
        [8192, 16, 16],
        [16384, 16, 16],
      ]),
    );
    const lucky = search(undefined, [
      [1024, 0, 3],
      [6144, 15, 15],
      [8192, 14, 14],
      [16384, 15, 15],
    ]);
    const found = searchSettings([...others, ...lucky], withoutFailure);
    expect(found?.choice).toMatchObject({ labels: {}, from: 8192 });
  });

  test('not to stream, where streams fail while thinking', () => {
    const labels = [on(false, 'on'), on(false, 'off'), on(true, 'on'), on(true, 'off')];
    const all = labels.map((one) => evidence(one, one['stream'] === 'true' && one['thinking'] === 'on' ? 0 : 3, 3));
    expect(searchSettings(all, withoutFailure)?.choice.labels).toEqual({ stream: 'false' });
  });

  test('not to stream either, where a larger cap only leaves out the streams that fail', () => {
    const plain = [512, 1024, 4096].map((cap) => evidence(on(false), cap === 512 ? 0 : 3, 3, { cap }));
    const streamed = evidence(on(true), 0, 4, { cap: 2048, probe: 'suite/streamed' });
    const found = searchSettings([...plain, streamed], withoutFailure);
    expect(found?.choice).toMatchObject({ labels: { stream: 'false' }, from: 1024 });
  });

  test('a cap above a hole of the curve', () => {
    const curve = [
      [256, 0, 3],
      [512, 3, 3],
      [1024, 0, 3],
      [2048, 3, 3],
      [4096, 3, 3],
    ] as const;
    const all = curve.map(([cap, passed, total]) => evidence(on(false), passed, total, { cap, isSearched: true }));
    expect(searchSettings(all, withoutFailure)?.choice.from).toBe(2048);
  });

  test('that a form fails at times, if seldom', () => {
    const all = [evidence(on(false), 29, 30), evidence(on(true), 40, 40)];
    expect(searchSettings(all, withoutFailure)).toBeNull();
    expect(searchSettings(all, withFewFailures)?.choice.labels).toEqual({});
    expect(searchSettings([evidence(on(false), 27, 30), evidence(on(true), 27, 30)], withFewFailures)).toBeNull();
  });

  test('no setting that only takes turns with another one in leaving out what fails', () => {
    const wavering = evidence(on(false, 'a'), 22, 24, { cap: 4096 });
    const once = evidence(on(true, 'b'), 1, 1, { cap: 2048 });
    expect(searchSettings([wavering, once], withoutFailure)).toBeNull();
  });

  test('a setting, where only requests with it pass, even if a cap would leave out all the others', () => {
    const unset = [1024, 2048].map((cap) => evidence(on(true), 0, 3, { cap }));
    const set = [768, 1024, 2048].map((cap) => evidence(on(true, 'off'), 3, 3, { cap }));
    expect(searchSettings([...unset, ...set], withoutFailure)?.choice.labels).toEqual({ thinking: 'off' });
    const capped = searchSettings([...unset, set[0]!], withoutFailure);
    expect(capped?.choice.labels).toEqual({ thinking: 'off' });
  });

  test('a setting without effect says nothing against a form, and nothing for it', () => {
    const idle = evidence(on(false, 'off'), 0, 3, { isWithoutEffect: true });
    expect(searchSettings([evidence(on(false), 2, 2), idle], withoutFailure)?.choice.labels).toEqual({});
    expect(searchSettings([evidence(on(false, 'on'), 0, 3), idle], withoutFailure)).toBeNull();
  });
});

test('never goes against a cell that was asked', () => {
  const cell = fc.record({
    labels: fc.record({ stream: fc.constantFrom('true', 'false'), thinking: fc.constantFrom('on', 'off', 'auto') }),
    cap: fc.constantFrom(null, 256, 1024, 4096),
    passed: fc.nat(4),
    failed: fc.nat(4),
  });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 12 }), (cells) => {
      const all = cells
        .filter(({ passed, failed }) => passed + failed > 0)
        .map(({ labels, cap, passed, failed }) => evidence(labels, passed, passed + failed, { cap }));
      const found = searchSettings(all, withoutFailure);
      const against = found === null ? [] : coveredBy(found.choice, all).filter((one) => !withoutFailure.isGood(one));
      expect(against).toEqual([]);
    }),
  );
});
