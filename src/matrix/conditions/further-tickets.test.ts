import { describe, expect, test } from 'vitest';
import { aFinding, aTicket } from '../../../test/support/build.js';
import type { Finding } from '../../decide/course.js';
import type { Reserve } from '../../plan/ticket.js';
import { furtherTicketsFrom } from './further-tickets.js';

const [passed, failed] = [aFinding(1, 0), aFinding(0, 1)];
const point = (form: string, thinking: string) => ({ form, thinking });
const planned = [point('string', 'on'), point('object', 'on'), point('string', 'off'), point('string', 'high')].map(
  (at) => aTicket({ path: 's/p', point: at }),
);
const spare = [point('object', 'off'), point('object', 'high')].map((at) => aTicket({ path: 's/p', point: at }));
const condition = (most: number, tickets = spare): Reserve[] =>
  tickets.map((held) => ({ ticket: held, settles: { kind: 'condition', most } }));

const composite = aTicket({ path: 's/all' });
const parts = ['s/type', 's/enum'].map((path) => aTicket({ path }));
const ofComposite = parts.map((part): Reserve => ({
  ticket: part,
  settles: { kind: 'composite', cell: composite.cell.key },
}));

function asked(reserve: readonly Reserve[], found: readonly (readonly [string, Finding])[]): string[] {
  const cells = [...planned, composite].map(({ cell }) => cell);
  const further = furtherTicketsFrom(reserve, cells);
  return further('demo/one', new Map(found)).map(({ cell }) => cell.key.replace('@demo/one', ''));
}

const [string, object, disabled, high] = planned.map(({ cell }) => cell.key) as [string, string, string, string];
const [objectOff, objectHigh] = spare.map(({ cell }) => cell.key) as [string, string];
const objectFails = [
  [string, passed],
  [object, failed],
  [disabled, passed],
  [high, passed],
] as const;

describe('the points that decide between conditions', () => {
  test('are asked when some fail and others pass', () => {
    expect(asked(condition(4), objectFails)).toEqual(['s/p[form=object,thinking=off]']);
  });

  test('are not asked twice, nor more often than allowed', () => {
    const offFails = [...objectFails, [objectOff, failed]] as const;
    expect(asked(condition(2), offFails)).toEqual(['s/p[form=object,thinking=high]']);
    expect(asked(condition(1), offFails)).toEqual([]);
    expect(asked(condition(4), [...offFails, [objectHigh, failed]])).toEqual([]);
  });

  test('are not asked when everything passes, everything fails, or what fails could not be judged', () => {
    expect(
      asked(condition(4), [
        [string, passed],
        [object, passed],
        [disabled, passed],
      ]),
    ).toEqual([]);
    expect(
      asked(condition(4), [
        [string, failed],
        [object, failed],
        [disabled, failed],
      ]),
    ).toEqual([]);
    const unreachable: Finding = { ...failed, verdict: 'inconclusive' };
    expect(
      asked(condition(4), [
        [string, passed],
        [object, unreachable],
        [disabled, passed],
      ]),
    ).toEqual([]);
  });

  test('are not asked for a cell that is only flaky, which is not a condition', () => {
    const flaky = aFinding(9, 1);
    expect(flaky.verdict).toBe('flaky');
    expect(
      asked(condition(4), [
        [string, passed],
        [object, flaky],
        [disabled, passed],
        [high, passed],
      ]),
    ).toEqual([]);
  });

  test('are only asked of the model with the open question', () => {
    const cells = planned.map(({ cell }) => cell);
    expect(furtherTicketsFrom(condition(4), cells)('demo/other', new Map(objectFails))).toEqual([]);
  });
});

describe('the parts of a composite document', () => {
  const fresh = (suspicion: 'regression' | 'changed' | 'improvement' | 'new') =>
    ({ fresh: { suspicion, passed: 0, total: 7, pValue: null } }) as const;

  test.each<[string, Partial<Finding>, boolean]>([
    ['it broke and a fresh sample confirmed that', { surprise: 'confirmed', ...fresh('regression') }, true],
    ['it may have broken', { surprise: 'unsettled', ...fresh('regression') }, true],
    ['it fails in another way', { surprise: 'confirmed', ...fresh('changed') }, true],
    ['a fresh sample cleared it', { surprise: 'cleared', ...fresh('regression') }, false],
    ['it fails as the baseline says', { surprise: null, fresh: null }, false],
    ['it is new', { surprise: 'confirmed', ...fresh('new') }, false],
    ['it now enforces everything', { verdict: 'pass', surprise: 'confirmed', ...fresh('improvement') }, false],
  ])('when %s: asked %s', (_, how, expected) => {
    const found = asked(ofComposite, [[composite.cell.key, { ...failed, ...how }]]);
    expect(found).toEqual(expected ? ['s/type', 's/enum'] : []);
  });

  test('are asked once', () => {
    const broke: Finding = { ...failed, surprise: 'confirmed', ...fresh('regression') };
    const both: Reserve[] = [...ofComposite, ...ofComposite];
    const found = [
      [composite.cell.key, broke],
      [parts[0]!.cell.key, passed],
    ] as const;
    expect(asked(both, found)).toEqual(['s/enum']);
  });
});
