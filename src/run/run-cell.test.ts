import { expect, test } from 'vitest';
import {
  aFinding,
  anExchange,
  anOutcome,
  aPlannedCell,
  aModel,
  countedTrials,
  passing,
} from '../../test/support/build.js';
import { modelStates } from '../../test/support/model-states.js';
import type { Course, Finding } from '../decide/course.js';
import { runCell } from './run-cell.js';

const wrong = anOutcome({ passed: false, fault: false, class: 'rule_violation', reason: null });

/** The causes that a cell proves, given the outcomes of two trials and what its course concludes. */
async function provedBy(doubtOutcome: Finding['doubtOutcome'], outcomes: readonly (typeof passing)[]) {
  const [state] = modelStates(1).states;
  if (state === undefined) throw new Error('the model is there');
  const course: Course = function* () {
    yield outcomes.map((_, sample) => ({ kind: 'trial', patch: {}, sample }));
    return aFinding(0, 2, { doubtOutcome });
  };
  const proved: string[] = [];
  const planned = aPlannedCell({ path: 's/p', model: aModel('t/m0'), trials: countedTrials(2) });
  await runCell(planned, state, {
    courses: { fixed: course, sequential: course, find: course, enforce: course },
    trial: () =>
      function* ({ sample }) {
        yield { purpose: 'probe', step: 'request', attempt: 0, body: {} };
        return outcomes[sample] ?? passing;
      },
    request: {
      ask: (_, __, trial) => {
        trial.underWay();
        return Promise.resolve({ kind: 'exchange', id: 'e1', exchange: anExchange({}, {}) });
      },
      lookUp: () => Promise.resolve(null),
    },
    emit: () => Promise.resolve(),
    asksLeft: null,
    mayBeRecorded: () => false,
    proof: {
      isProved: () => Promise.resolve(false),
      proved: (cause) => void proved.push(cause),
      left: () => undefined,
    },
  });
  return proved.length;
}

test.each([
  ['confirmed, with failures that are alike', 'confirmed', [wrong, wrong], 1],
  ['not settled', 'unsettled', [wrong, wrong], 0],
  ['confirmed, with one failure', 'confirmed', [wrong], 0],
  ['confirmed, with a pass among its trials', 'confirmed', [wrong, passing], 0],
] as const)('proves its cause to cells like it: %s', async (_, doubtOutcome, outcomes, expected) => {
  expect(await provedBy(doubtOutcome, outcomes)).toBe(expected);
});
