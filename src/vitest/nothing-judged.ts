import { isJudged } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import { count } from '../report/words/phrases.js';
import type { TestCase } from '../report/cases/test-case.js';
import type { EndedRun } from './run-selected.js';

/** A message names at most this many reasons. */
const mostReasons = 5;

/**
 * Why no cell of a run was judged, in lines; none where one was. Cells of a model that is gone as was announced are not
 * missed.
 */
export function nothingJudged({ cells }: Pick<EndedRun, 'cells'>): readonly string[] {
  const missed = [...cells.values()].filter(({ type }) => type !== 'retired');
  return missed.some(({ cell }) => cell !== null && isJudged(cell)) ? [] : whyUnmeasured(missed);
}

/** `2 cells: http_error, quota: ...` */
export function whyUnmeasured(cases: Iterable<TestCase>): readonly string[] {
  const unmeasured = [...cases].filter(({ cell }) => cell !== null && !isJudged(cell));
  const reasons = [...groupBy(unmeasured, whyNot)];
  const more = reasons.length - mostReasons;
  return [
    ...reasons.slice(0, mostReasons).map(([why, those]) => `${count(those.length, 'cell')}: ${why}`),
    ...(more > 0 ? [`and ${count(more, 'more reason')}`] : []),
  ];
}

/** Why a cell has no verdict. */
export function whyNot({ message, type, state }: TestCase): string {
  return message ?? type ?? state;
}
