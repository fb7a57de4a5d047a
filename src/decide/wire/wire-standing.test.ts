import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AcceptedWire } from '../../baseline/entries.js';
import type { WireForm } from '../../judge/wire/wire-form.js';
import { doubtfulQuirks, quirkStandings, openWireTally } from './wire-standing.js';

/** `id_missing` could show in every answer; these are the answers with and without it. */
function tallyOf(answers: readonly (readonly [form: WireForm, shows: boolean])[]) {
  const tally = openWireTally();
  for (const [form, shows] of answers) {
    tally.add('shop/order@demo/m', 'e000001', {
      ...{ step: null, form, could: ['answer'] },
      seen: shows ? ['id_missing'] : [],
    });
  }
  return tally;
}

const times = (count: number, form: WireForm, shows: boolean) =>
  Array.from({ length: count }, () => [form, shows] as const);

const acceptedInStreams: AcceptedWire = { quirks: ['id_missing'], only: { id_missing: 'streamed' }, sometimes: [] };

const compared = (answers: readonly (readonly [WireForm, boolean])[]) =>
  quirkStandings(tallyOf(answers), acceptedInStreams).map(({ standing, seen, of, only }) => ({
    ...{ standing, seen, of, only },
  }));

describe('a quirk that was accepted for streams alone', () => {
  test('is as expected while only streams show it', () => {
    const answers = [...times(4, 'streamed_text', true), ...times(4, 'plain_text', false)];
    expect(compared(answers)).toEqual([{ standing: 'as_expected', seen: 4, of: 4, only: 'streamed' }]);
  });

  test('is a change once every answer shows it', () => {
    const answers = [...times(4, 'streamed_text', true), ...times(3, 'plain_text', true)];
    expect(compared(answers)).toEqual([{ standing: 'new', seen: 7, of: 7, only: null }]);
  });

  test('is a change once it moved to the plain answers', () => {
    const answers = [...times(4, 'streamed_text', false), ...times(3, 'plain_call', true)];
    expect(compared(answers)).toEqual([{ standing: 'new', seen: 3, of: 3, only: 'plain' }]);
  });

  test('is a change in the other answers although it now comes and goes in streams', () => {
    const answers = [
      ...times(2, 'streamed_text', false),
      ...times(2, 'streamed_text', true),
      ...times(3, 'plain_text', true),
    ];
    expect(compared(answers)).toEqual([{ standing: 'new', seen: 3, of: 3, only: 'plain' }]);
  });

  test('is no change where it comes and goes in the other answers', () => {
    const answers = [
      ...times(4, 'streamed_text', true),
      ...times(4, 'plain_text', true),
      ...times(1, 'plain_text', false),
    ];
    expect(compared(answers)).toMatchObject([{ standing: 'as_expected' }]);
  });

  test('is in doubt while fewer than three other answers show it, and not while streams alone do', () => {
    const streams = times(2, 'streamed_text', true);
    expect(doubtfulQuirks(tallyOf([...streams, ...times(2, 'plain_text', true)]), acceptedInStreams)).toEqual([
      'id_missing',
    ]);
    expect(doubtfulQuirks(tallyOf([...streams, ...times(2, 'plain_text', false)]), acceptedInStreams)).toEqual([]);
  });
});

describe('a quirk that shows in 60 % of the answers', () => {
  const night = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 40 });
  const forms: readonly WireForm[] = ['plain_text', 'plain_call', 'streamed_text', 'streamed_call'];
  const answers = (draws: readonly number[]) =>
    draws.map((draw, index) => [forms[index % forms.length] ?? 'plain_text', draw < 6] as const);
  const standings = (draws: readonly number[], accepted: AcceptedWire) =>
    quirkStandings(tallyOf(answers(draws)), accepted).map(({ standing }) => standing);

  test('never alarms once it is known to come and go', () => {
    const accepted: AcceptedWire = { quirks: [], only: {}, sometimes: ['id_missing'] };
    fc.assert(
      fc.property(night, (draws) => {
        for (const standing of standings(draws, accepted)) expect(standing).toBe('as_expected');
      }),
    );
  });

  test('does not alarm either where nobody has accepted it, unless no answer is without it', () => {
    const accepted: AcceptedWire = { quirks: [], only: {}, sometimes: [] };
    fc.assert(
      fc.property(night, (draws) => {
        fc.pre(forms.every((_, form) => draws.some((draw, index) => index % forms.length === form && draw >= 6)));
        for (const standing of standings(draws, accepted)) expect(standing).toBe('as_expected');
      }),
    );
  });
});
