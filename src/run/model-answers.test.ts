import { expect, test } from 'vitest';
import { earlierAnswerOf } from '../../test/support/model-states.js';
import { createModelAnswers } from './model-answers.js';

test('counts answers alone, and keeps when the last of them was', () => {
  const answers = createModelAnswers();
  for (const kind of ['load', 'none', 'unpaid', 'key'] as const) answers.note(earlierAnswerOf(kind));
  expect([answers.count(), answers.lastAt()]).toEqual([0, 0]);
  answers.note({ ...earlierAnswerOf('answered'), endedAt: 5000 });
  answers.note({ ...earlierAnswerOf('answered'), endedAt: 3000 });
  expect([answers.count(), answers.lastAt()]).toEqual([2, 5000]);
});

test('is answering as long as something comes, whatever it says', () => {
  const answers = createModelAnswers();
  const shown = [null, 500, 200, null].map((status) => {
    answers.noteStatus(status);
    return answers.isAnswering();
  });
  expect(shown).toEqual([false, true, true, false]);
});
