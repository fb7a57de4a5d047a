import type { ReportCell } from '../../matrix/report-format.js';
import { asSentence, faultsText, faultText } from '../sections/names.js';
import { dayText } from '../sections/run-time.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { cells: sentences } = texts;

/** One sentence about the result. */
export function verdictText(cell: ReportCell): string {
  const { passed, total, faults } = cell.trials;
  const fault = cell.verdict === 'fail' || cell.verdict === 'flaky' ? faultsText([cell]) : faultText(cell);
  switch (cell.verdict) {
    case 'pass':
      return say(sentences.pass, { passed, total });
    case 'flaky':
    case 'fail':
      return say(sentences[cell.verdict], {
        passed,
        total,
        fault: cell.verdict === 'fail' ? asSentence(fault) : fault,
      });
    case 'inconclusive':
      return say(sentences.inconclusive, {
        judged: faults === 0 && total > 0 ? 'yes' : 'no',
        faults,
        fault: fault || '–',
      });
    case 'blocked':
      return say(sentences.blocked, { why: cell.detail ?? 'none' });
    case 'not_run':
      return say(sentences.not_run);
  }
}

/** Expectation of the baseline for a cell that should not pass. */
export function expectedText({ expected }: ReportCell): readonly string[] {
  if (expected === null || expected.verdict === 'pass') return [];
  const day = expected.date === null ? 'none' : dayText(expected.date);
  const { passed, total } = expected;
  return [say(sentences.expected, { day, fault: faultText(expected), passed: passed ?? 0, total: total ?? 0 })];
}
