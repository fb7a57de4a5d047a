import { expect, test } from 'vitest';
import { earlierAnswerOf } from '../../test/support/model-states.js';
import type { RunRequest } from '../journal/read-journal.js';
import type { EarlierAnswer } from './retry-policy.js';
import { createTrialHistory } from './trial-history.js';

const request = (purpose: RunRequest['send']['purpose'], cell: string | null = 's/p@t/m'): RunRequest => ({
  ...{ model: 't/m', cell, ask: null },
  send: { purpose, step: 'request', attempt: 0, body: {} },
});
type Kind = EarlierAnswer['sign']['kind'];
type Step = readonly [purpose: 'probe' | 'control', kind: Kind];

/** How many faults the next request of each purpose repeats; null: it follows at once. */
function faultsAfter(steps: readonly Step[], cell: string | null = 's/p@t/m') {
  const history = createTrialHistory('cell');
  for (const [purpose, kind] of steps) history.learn(request(purpose, cell), earlierAnswerOf(kind));
  const faults = (purpose: 'probe' | 'control') => history.repeats(request(purpose, cell))?.faults ?? null;
  return { probe: faults('probe'), control: faults('control'), last: history.last()?.sign.kind ?? null };
}

test.each<[string, readonly Step[], { probe: number | null; control: number | null; last: Kind | null }]>([
  ['nothing', [], { probe: null, control: null, last: null }],
  ['an answer', [['probe', 'answered']], { probe: null, control: null, last: 'answered' }],
  ['a fault', [['probe', 'none']], { probe: 1, control: null, last: 'none' }],
  ['three faults', [...Array<Step>(3).fill(['probe', 'load'])], { probe: 3, control: null, last: 'load' }],
  [
    'a fault after an answer',
    [
      ['probe', 'none'],
      ['probe', 'answered'],
      ['probe', 'none'],
    ],
    { probe: 1, control: null, last: 'none' },
  ],
  [
    'a control that met load',
    [
      ['probe', 'none'],
      ['control', 'load'],
    ],
    { probe: 1, control: 1, last: 'none' },
  ],
  [
    'two controls that met load',
    [
      ['probe', 'none'],
      ['control', 'load'],
      ['control', 'load'],
    ],
    { probe: 1, control: 2, last: 'none' },
  ],
  [
    'a control that met another fault',
    [
      ['probe', 'none'],
      ['control', 'load'],
      ['control', 'none'],
    ],
    { probe: 1, control: null, last: 'none' },
  ],
])('the next request of a trial after %s', (_, steps, expected) => {
  expect(faultsAfter(steps)).toEqual(expected);
});

test('controls outside of a trial repeat one another', () => {
  const steps: readonly Step[] = [
    ['control', 'none'],
    ['control', 'none'],
  ];
  expect(faultsAfter(steps, null)).toEqual({ probe: 2, control: 2, last: 'none' });
});
