import { expect, test } from 'vitest';
import { anExchange, anOutcome } from '../../test/support/build.js';
import { earlierAnswerOf, modelStates } from '../../test/support/model-states.js';
import { askUntilAnswered } from './ask-until-answered.js';
import type { AskRequest } from './requester.js';
import type { EarlierAnswer } from './retry-policy.js';

/** Asks a model, each time a second later, until it answers with the given number of its question. */
async function asking(answeredBefore: number, shows: (count: number) => EarlierAnswer['sign']['kind']) {
  const { clock, states, stops } = modelStates(1);
  const [state] = states;
  if (state === undefined) throw new Error('the model is there');
  for (let count = 0; count < answeredBefore; count += 1) state.answers.note(earlierAnswerOf('answered'));
  const log: string[] = [];
  const untils: number[] = [];
  const ask: AskRequest = async (_, request, trial) => {
    await clock.sleep(1000);
    trial.learn(request, earlierAnswerOf(shows(log.length)));
    log.push('ask');
    return { kind: 'exchange', id: `e${log.length}`, exchange: anExchange({}, { status: 500 }) };
  };
  const startedAt = clock.now();
  await clock.runUntil(
    askUntilAnswered(state, ask, {
      ...{ clock, startedAt, controlBody: () => ({}) },
      judgeControl: () => anOutcome({ passed: false, fault: true, class: 'http_error', status: 500 }),
      leaveAlone: () => Promise.resolve(void log.push('leave')),
    }),
  );
  return { log: log.join(' '), stops, untils };
}

test('a model that never answered is asked four times, left, asked once more and given up', async () => {
  const { log, stops } = await asking(0, () => 'none');
  expect(log).toBe('ask ask ask ask leave ask');
  expect(stops).toEqual(['t/m0 unanswered']);
});

test('the first answer ends it, before it is left and after', async () => {
  expect(await asking(0, (count) => (count === 2 ? 'answered' : 'none'))).toMatchObject({
    log: 'ask ask ask',
    stops: [],
  });
  const left = await asking(0, (count) => (count === 5 ? 'answered' : 'none'));
  expect(left).toMatchObject({ log: 'ask ask ask ask leave ask', stops: [] });
});

test.each([
  ['twenty first waits where it fails', 'none', 10],
  ['240 of them where it meets load', 'load', 120],
] as const)('a model that had answered is asked for %s', async (_, kind, seconds) => {
  const { log, stops } = await asking(1, () => kind);
  expect(log.split(' ').filter((one) => one === 'ask')).toHaveLength(seconds);
  expect(stops).toEqual(['t/m0 unanswered']);
});
