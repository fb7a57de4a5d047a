import { isJudged } from '../../../cell/verdict.js';
import type { Recommendation, ReportCell } from '../../../matrix/report-format.js';
import { sumOf } from '../../../stats/count.js';
import { wilson } from '../../../stats/wilson.js';
import { count, intervalText } from '../phrases.js';
import type { ChoiceRate } from './choice.js';

/** Of the judged ones among these cells; null: there are none. */
export function rateOf(cells: readonly ReportCell[]): ChoiceRate | null {
  const judged = cells.filter(isJudged);
  return rateFrom({ ...sumOf(judged.map(({ trials }) => trials)), cells: judged.length });
}

export function rateFrom({ passed, total, cells }: NonNullable<Recommendation['trials']>): ChoiceRate | null {
  if (total === 0) return null;
  const interval = wilson(passed, total);
  const text = `${passed.toLocaleString('en')} of ${count(total, 'trial')} passed (${intervalText(interval)}) in ${count(cells, 'cell')}`;
  return { passed, total, cells, interval, text };
}
