import { describe, expect, test } from 'vitest';
import { earlierAnswerOf, modelStates } from '../../test/support/model-states.js';
import { createAnswerEffects } from './answer-effects.js';
import type { AnswerSeen, AskRequest } from './requester.js';
import { longestPause, type EarlierAnswer } from './retry-policy.js';
import type { ModelState } from './target-state.js';

type Kind = EarlierAnswer['sign']['kind'];

/** The effects of answers, where a plain request shows what `plain` says of its model; null: nothing was sent. */
function effectsWhere(models: number, plain: (state: ModelState) => Kind | null = () => 'answered', simulator = false) {
  const { clock, states, stops } = modelStates(models, simulator);
  const questions: Promise<void>[] = [];
  const asked: string[] = [];
  const ask: AskRequest = (state, request, trial) => {
    asked.push(state.model.key);
    const shown = plain(state);
    if (shown === null) {
      state.stopSwitch.stop({ kind: 'interrupted' });
    } else {
      trial.learn(request, earlierAnswerOf(shown));
    }
    return Promise.resolve({ kind: 'missing', stop: { kind: 'interrupted' } });
  };
  const effects = createAnswerEffects({
    clock,
    startedAt: 0,
    controlBody: () => ({}),
    judgeControl: () => {
      throw new Error('nothing is judged here');
    },
    leaveAlone: () => Promise.resolve(),
    failed: (error) => {
      throw error;
    },
    beside: (question) => void questions.push(question),
  });
  const see = async (index: number, answer: EarlierAnswer, kind: AnswerSeen['kind'] = 'cell') => {
    const state = states[index];
    if (state === undefined) throw new Error('the model is there');
    state.answers.note(answer);
    effects({ state, kind, answer, sentAt: clock.now() }, ask);
    await Promise.all(questions);
  };
  return { states, stops, asked, see };
}

describe('an account slows down', () => {
  const slotsAfter = async (refusalsBefore: number, simulator = false): Promise<readonly number[]> => {
    const { states, see } = effectsWhere(2, undefined, simulator);
    for (let count = 0; count < refusalsBefore; count += 1) await see(0, earlierAnswerOf('none'));
    for (let count = 0; count < 6; count += 1) await see(0, earlierAnswerOf('load'));
    const [first] = states;
    return [first?.limiter.slots() ?? 0, first?.target.shared.limiter.slots() ?? 0];
  };
  test('for the first four refusals in a row of a model, and for those of others', async () => {
    const { states, see } = effectsWhere(2);
    const slots = () => states[0]?.target.shared.limiter.slots();
    // Six refusals slow it down, of which the first model counts for four.
    for (let count = 0; count < 6; count += 1) await see(0, earlierAnswerOf('load'));
    await see(1, earlierAnswerOf('load'));
    expect(slots()).toBe(4);
    await see(1, earlierAnswerOf('load'));
    expect(slots()).toBe(2);
  });
  test('but not for a model that answers nothing, or of the embedded service', async () => {
    expect(await slotsAfter(0)).toEqual([2, 4]);
    expect(await slotsAfter(4)).toEqual([2, 4]);
    expect(await slotsAfter(0, true)).toEqual([4, 4]);
  });
});

test.each<[Kind, number, string[]]>([
  ['load', longestPause + 1, ['t/m0 long_pause']],
  ['none', longestPause + 1, ['t/m0 long_pause']],
  ['load', longestPause, []],
  ['answered', longestPause + 1, []],
])('an answer of kind %s that asks for a pause of %i ms', async (kind, pause, expected) => {
  const { stops, see } = effectsWhere(2);
  await see(0, earlierAnswerOf(kind, pause));
  expect(stops).toEqual(expected);
});

describe('a refusal for billing', () => {
  test.each<[string, (index: string) => Kind | null, readonly string[], readonly string[]]>([
    ['stops its model alone where another is answered', () => 'answered', ['t/m0 quota'], ['t/m1']],
    ['stops the account where another meets the same', () => 'unpaid', ['t/m0 quota', 't quota'], ['t/m1']],
    [
      'is asked of a third where nothing could be sent to the second',
      (key) => (key === 't/m1' ? null : 'unpaid'),
      ['t/m0 quota', 't/m1 interrupted', 't quota'],
      ['t/m1', 't/m2'],
    ],
  ])('%s', async (_, plain, stopped, questions) => {
    const { stops, asked, see } = effectsWhere(3, ({ model }) => plain(model.key));
    await see(0, earlierAnswerOf('unpaid'));
    expect(stops).toEqual(stopped);
    expect(asked).toEqual(questions);
  });
  test('in a question itself raises no further one', async () => {
    const { stops, asked, see } = effectsWhere(3, () => 'unpaid');
    await see(0, earlierAnswerOf('unpaid'), 'question');
    expect([stops, asked]).toEqual([[], []]);
  });
  test('is asked once at a time', async () => {
    const { asked, see } = effectsWhere(4);
    await Promise.all([see(0, earlierAnswerOf('unpaid')), see(1, earlierAnswerOf('unpaid'))]);
    expect(asked).toEqual(['t/m1']);
  });
});

test.each<[string, number, number, readonly string[]]>([
  ['which never worked', 0, 0, []],
  ['which worked for this model alone', 1, 0, ['t key_refused']],
  ['which worked for another, too', 1, 1, ['t key_refused']],
])('a refused key, %s', async (_, own, others, stopped) => {
  const { stops, see } = effectsWhere(2, () => 'key');
  for (let count = 0; count < own; count += 1) await see(0, earlierAnswerOf('answered'));
  for (let count = 0; count < others; count += 1) await see(1, earlierAnswerOf('answered'));
  await see(0, earlierAnswerOf('key'));
  expect(stops).toEqual(stopped);
});

test('a key that another model is answered with is refused to this model alone', async () => {
  const { stops, see } = effectsWhere(2, ({ model }) => (model.key === 't/m0' ? 'key' : 'answered'));
  await see(0, earlierAnswerOf('answered'));
  await see(1, earlierAnswerOf('answered'));
  await see(0, earlierAnswerOf('key'));
  expect(stops).toEqual(['t/m0 key_refused']);
});
