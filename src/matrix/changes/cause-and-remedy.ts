import { sumOf } from '../../stats/count.js';
import { isAcceptable } from '../acceptable.js';
import { adviceFor, failureOfCells } from '../advice.js';
import { doubtCount, knownCount } from '../cell-evidence.js';
import type { Report, ReportBehaviour, ReportCell } from '../report-format.js';
import { type ChangeCause, isDeviating, type Remedy } from './change.js';
import { movedThreshold, type Symptom } from './symptoms.js';

/**
 * Why symptoms are a change.
 * @param first of the symptoms, which have one explanation
 * @param cells of all of them
 * @param behaviour explains them
 */
export function causeOf(
  first: Symptom,
  cells: readonly ReportCell[],
  behaviour: ReportBehaviour | undefined,
): ChangeCause {
  if ('status' in first) return { code: 'gone', status: first.status };
  if ('quirk' in first) {
    return { code: first.quirk.standing === 'gone' ? 'wireGone' : 'wireNew', quirk: first.quirk.quirk };
  }
  if ('shared' in first) return { code: 'together', shared: first.shared };
  if ('served' in first) return { code: 'served', served: first.served };
  return causeInCells(first, cells, behaviour);
}

function causeInCells(
  first: Extract<Symptom, { readonly cell: ReportCell }>,
  cells: readonly ReportCell[],
  behaviour: ReportBehaviour | undefined,
): ChangeCause {
  const { kind, cell } = first;
  const moved = movedThreshold(cell);
  if (moved !== null) return { ...moved, cells };
  const { passed, total } = sumOf(cells.map(({ trials }) => trials));
  const { expected } = cell;
  if (expected?.verdict === 'flaky' && expected.total !== null && kind !== 'changed' && isDeviating(first)) {
    const before = { passed: expected.passed ?? 0, total: expected.total };
    return { code: 'rate', passed, total, before, cells };
  }
  switch (kind) {
    case 'doubt': {
      const doubt = sumOf(cells.map((own) => doubtCount(own) ?? own.trials));
      return { code: kind, ...doubt, before: knownOf(cells), cells };
    }
    case 'unreliable':
      return { code: kind, ...knownOf(cells), cells };
    case 'gained':
      return { code: kind, passed, total, cells };
    case 'changed':
      return { code: kind, before: expected, cells };
    default:
      if (behaviour !== undefined) return { code: 'behaviour', title: behaviour.title };
      return { code: 'lost', passed, total, cells };
  }
}

const knownOf = (cells: readonly ReportCell[]) => sumOf(cells.flatMap((cell) => knownCount(cell) ?? []));

/** Remedy of symptoms with one explanation; the parameters are those of {@link causeOf}. */
export function remedyOf(
  first: Symptom,
  cells: readonly ReportCell[],
  behaviour: ReportBehaviour | undefined,
  report: Report,
): Remedy {
  switch (first.kind) {
    case 'gained':
    case 'unreliable':
      return { code: isAcceptable(report) ? first.kind : `${first.kind}Unaccepted` };
    case 'gone':
    case 'served':
    case 'doubt':
      return { code: first.kind };
    case 'wire': {
      const clients = 'quirk' in first ? first.quirk.breaks : [];
      return clients.length === 0 ? { code: 'wire' } : { code: 'wireBreaks', clients };
    }
    case 'lost':
    case 'changed':
    case 'new':
      return behaviour === undefined ? remedyOfFailure(cells, report) : { code: 'behaviour', advice: behaviour.advice };
  }
}

type AdvisedReport = Pick<Report, 'recommendations' | 'columns'>;

/** Remedy for the answers of a cell, whatever its standing: a behaviour speaks of its own cells. */
export function remedyOfCell(cell: ReportCell, behaviour: ReportBehaviour | undefined, report: AdvisedReport): Remedy {
  if (cell.verdict !== 'fail' && cell.verdict !== 'flaky') return { code: 'failure', advice: null };
  return behaviour?.cells.includes(cell.key) === true
    ? { code: 'behaviour', advice: behaviour.advice }
    : remedyOfFailure([cell], report);
}

/** Remedy for the answers of cells that fail alike. */
function remedyOfFailure(cells: readonly ReportCell[], { recommendations, columns }: AdvisedReport): Remedy {
  const [first, ...others] = cells;
  if (first === undefined) return { code: 'failure', advice: null };
  const models = [...new Set(cells.map(({ model }) => model))];
  return {
    code: 'failure',
    advice: adviceFor(failureOfCells([first, ...others]), { models, recommendations, columns }),
  };
}
