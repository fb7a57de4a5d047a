import { answersAlike, type SeenInAnswer } from './seen-in-answer.js';

/**
 * Whether a program asked more often than with right answers, and the last answer is right after all; then whether it
 * says what the right one says, since a model may answer a repeated request in other words. null where it is not.
 */
export function askedAgain(
  answers: readonly SeenInAnswer[],
  rightAnswers: readonly SeenInAnswer[],
): 'same' | 'in_other_words' | null {
  const [last, wanted] = [answers.at(-1), rightAnswers.at(-1)];
  if (last === undefined || wanted === undefined || last.class !== null) return null;
  if (answers.length <= rightAnswers.length || answers.every((one) => one.class === null)) return null;
  return answersAlike('', last, wanted) ? 'same' : 'in_other_words';
}
