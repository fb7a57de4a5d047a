import { expect, test } from 'vitest';
import { aModel, anExpectation, aPlan, aTarget, passing } from '../../test/support/build.js';
import { driveOptions, eventsOf, fakeTarget, runTicket } from '../../test/support/fake-run.js';
import { createVirtualClock } from '../../test/support/virtual-clock.js';
import type { Answered, Trial } from '../decide/course.js';
import { drive } from './drive.js';

const partial = 'data: {"choices":[{"index":0,"delta":{"content":"part"}}]}\n\n';
const reset = { kind: 'reset', message: 'reset' } as const;

test.each([
  ['a refusal', { status: 503, body: ['{"error":{"message":"overloaded"}}'] }, { status: 503, class: 'http_error' }],
  ['an answer that was cut', { body: [partial], failure: reset }, { class: 'transport' }],
])(
  'a trial that waits to repeat %s gets its outcome, and keeps nothing of its body in memory',
  async (_, first, expected) => {
    const clock = createVirtualClock();
    const fake = fakeTarget(aTarget('t', { baseUrl: 'x' }), clock, (_, count) => (count === 2 ? first : {}));
    const got: Answered[] = [];
    const trial: Trial = function* () {
      const body = { model: 'm' };
      const judging = { expectation: anExpectation({}), values: { vars: {}, request: body, steps: {} } };
      for (let attempt = 0; attempt < 2; attempt += 1)
        got.push(yield { purpose: 'probe', step: 'request', attempt, body, judging });
      return passing;
    };
    const plan = aPlan([runTicket(aModel('t/m'), 'a', 1)]);
    await clock.runUntil(eventsOf(drive(driveOptions(plan, [fake.target], clock, { trial }))));
    expect(got.map(({ outcome }) => outcome)).toMatchObject([
      { ...expected, fault: true, reply: null },
      { passed: true, status: 200 },
    ]);
    expect(got.map(({ answer }) => answer.body)).toEqual([[], []]);
  },
);
