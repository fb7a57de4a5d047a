import type { Verdict } from '../decide/course.js';
import type { ReportCell } from './report.js';

/** The verdicts that say something about the model. */
export type JudgedVerdict = Extract<Verdict, 'pass' | 'flaky' | 'fail'>;

export function isJudged<C extends Pick<ReportCell, 'verdict'>>(cell: C): cell is C & { verdict: JudgedVerdict } {
  return cell.verdict === 'pass' || cell.verdict === 'flaky' || cell.verdict === 'fail';
}
