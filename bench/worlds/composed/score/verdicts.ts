import type { ReportCell } from '../../../../src/matrix/report-format.js';
import { kinds } from '../kinds.js';
import type { FailureKind, FailureMode } from '../model.js';
import type { PlainCell, PlainTrial } from './plain-cells.js';
import { plainCells } from './plain-cells.js';
import { type Mistake, type Scorer, scoreOf } from './score.js';

/**
 * No verdict may contradict a certain truth: what always fails never passes, and what always passes never fails. Every
 * model is measured.
 */
export const verdicts: Scorer = (night) => {
  const verdictOf = new Map(night.report.cells.map(({ key, verdict }) => [key, verdict]));
  return scoreOf('verdicts', plainCells(night), ({ cell, planned, trials: answered }) => {
    const metNeeds = planned.cell.needs.every((need) => ['pass', 'flaky'].includes(verdictOf.get(need) ?? ''));
    if (!metNeeds)
      return cell.verdict === 'blocked' ? null : mistake(cell, cell.verdict, 'what it needs does not pass');
    if (answered.length === 0) return mistake(cell, cell.verdict, 'it can be measured');
    if (fitsVerdict(cell.verdict, answered)) return null;
    const rates = [...new Set(answered.map(({ rate }) => rate.toFixed(3)))].join(', ');
    return mistake(cell, cell.verdict, `passes at a rate of ${rates} in ${answered.length} trials`);
  });
};

function fitsVerdict(verdict: ReportCell['verdict'], answered: readonly PlainTrial[]): boolean {
  const never = answered.some(({ rate }) => rate === 0);
  const always = answered.some(({ rate }) => rate === 1);
  switch (verdict) {
    case 'pass':
      return !never;
    case 'fail':
      return !always;
    case 'flaky':
      return (never && always) || answered.some(({ rate }) => rate > 0 && rate < 1);
    case 'inconclusive':
    case 'blocked':
    case 'not_run':
      return false;
  }
}

/** Class, reason and status are those of a mode that can strike, and the class that of the mode that struck most. */
export const classes: Scorer = (night) =>
  scoreOf(
    'classes',
    plainCells(night).filter(({ cell }) => cell.verdict === 'fail' || cell.verdict === 'flaky'),
    wrongClass,
  );

function wrongClass({ cell, trials }: PlainCell): Mistake | null {
  const { class: said, reason, status } = cell;
  const possible = kindsOf(trials.flatMap((trial) => trial.possible));
  const fitting = possible.filter((kind) => named(kind).classes.includes(said ?? ''));
  const modes = possible.join(', ');
  if (fitting.length === 0) return mistake(cell, `class ${said}`, `can only fail by ${modes}`);
  if (!fitting.some((kind) => reasonsOf(kind).includes(reason)))
    return mistake(cell, `${said} with reason ${reason}`, `can only fail by ${modes}`);
  if (!fitting.some((kind) => named(kind).status === status))
    return mistake(cell, `${said} with status ${status}`, `can only fail by ${modes}`);
  const most = clearlyMostFrequent(trials);
  if (most !== null && !named(most).classes.includes(said ?? ''))
    return mistake(cell, `class ${said}`, `most of its failures are ${most}`);
  return null;
}

/** The kind of more than half of the failing trials; null: there is none, or several kinds struck at once. */
function clearlyMostFrequent(trials: readonly PlainTrial[]): FailureKind | null {
  const failed = trials.filter(({ struck }) => struck.length > 0);
  const alone = failed.flatMap(({ struck }) => (struck.length === 1 ? [struck[0]!.kind] : []));
  return alone.find((kind) => 2 * alone.filter((other) => other === kind).length > failed.length) ?? null;
}

const named = (kind: FailureKind) => kinds[kind];

const reasonsOf = (kind: FailureKind): readonly (string | null)[] => named(kind).reasons ?? [null];

const kindsOf = (modes: readonly FailureMode[]): readonly FailureKind[] => [...new Set(modes.map(({ kind }) => kind))];

function mistake({ key, trials }: ReportCell, said: string, truth: string): Mistake {
  return { at: key, said: `${said} (${trials.passed} of ${trials.total} passed)`, truth };
}
