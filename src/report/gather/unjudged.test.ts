import { expect, test } from 'vitest';
import { aFailure, aFault, aTrialEvent, passing } from '../../../test/support/build.js';
import { openGathering } from './gather.js';

const own = aFault({ class: null, reason: null, detail: 'chatspec itself failed to judge this answer' });

test('trials that chatspec could not judge are counted in a note, whatever their order', () => {
  const events = [
    aTrialEvent('s/b@t/m', 0, own, ['e000002']),
    aTrialEvent('s/a@t/m', 0, passing, ['e000003']),
    aTrialEvent('s/a@t/m', 1, own, ['e000001']),
    aTrialEvent('s/a@t/m', 2, aFailure(), ['e000004']),
    aTrialEvent('s/a@t/m', 3, aFault(), ['e000005']),
  ];
  for (const order of [events, [...events].reverse()]) {
    const gathering = openGathering();
    for (const event of order) gathering.onEvent(event);
    expect(gathering.gathered().run.notes).toEqual([
      'chatspec could not judge 2 trials, which say nothing about the model: s/a@t/m, exchange e000001: chatspec itself failed to judge this answer',
    ]);
  }
});

test('nothing is said where everything was judged', () => {
  const gathering = openGathering();
  gathering.onEvent(aTrialEvent('s/a@t/m', 0, aFault(), ['e000001']));
  expect(gathering.gathered().run.notes).toEqual([]);
});
