import { sumOf, type Count } from '../../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../../stats/evidence.js';
import type { AssessedForm, UsableForm } from './choice.js';
import { promisesMore, trialsIn, type CellEvidence } from './evidence.js';

const reliabilities = ['reliable', 'awkward', 'flaky'] as const;

/**
 * The form to recommend: the first of the most reliable ones. A form that fails now and then, or cannot be relied on,
 * is only passed over for one that promises less where that one was better at the same tasks.
 * @param usable of `assessed`, in their order
 * @param assessed every form that was judged, the one to prefer first
 */
export function bestForm(usable: readonly UsableForm[], assessed: readonly AssessedForm[]): UsableForm | null {
  const ranked = reliabilities.flatMap((reliability) => usable.filter((one) => one.reliability === reliability));
  const isOutranked = (one: UsableForm): boolean =>
    assessed.slice(0, assessed.indexOf(one)).some((first) => mustComeBefore(first, one));
  const best = ranked.find((one) => !isOutranked(one)) ?? null;
  return best && (ranked.find((one) => isPreferredForValues(one, best)) ?? best);
}

/** Between forms that promise the same and are as reliable, values decide, where chance does not explain them. */
function isPreferredForValues(one: UsableForm, best: UsableForm): boolean {
  if (one.reliability !== best.reliability || one.promises !== best.promises) return false;
  return evidenceOfTwoRates(valuesIn(one.sent), valuesIn(best.sent)) >= boundOver(1);
}

/** Of the answers that kept the form: how many had the right values. */
export function valuesIn(all: readonly CellEvidence[]): Count {
  const judged = all.filter(({ judgesValues }) => judgesValues);
  return {
    passed: sumOf(judged.map(({ correct }) => correct)).passed,
    total: sumOf(judged.map(({ kept }) => kept)).passed,
  };
}

/** Whether the preferred form stays before the other, although that one looks more reliable. */
function mustComeBefore(preferred: AssessedForm, other: UsableForm): boolean {
  if (!promisesMore(preferred.promises, other.promises)) return false;
  if (preferred.reliability === 'reliable' || preferred.reliability === 'awkward') return false;
  const common = onCommonTasks(preferred, other);
  // Without a common task, nothing is known against a form that can be used.
  if (common === null) return preferred.reliability === 'flaky';
  return rateOf(common.other) <= rateOf(common.preferred);
}

/** Whether the preferred form promises more than the best one, and no task was asked of both. */
export function isApartFrom(best: UsableForm, preferred: AssessedForm): boolean {
  return promisesMore(preferred.promises, best.promises) && onCommonTasks(preferred, best) === null;
}

interface SameTasks {
  readonly preferred: Count;
  readonly other: Count;
}

/** How both did at the tasks that both were asked; null: there are none. */
function onCommonTasks(preferred: AssessedForm, other: UsableForm): SameTasks | null {
  const tasks = new Set(preferred.judged.map(({ task }) => task));
  const common = new Set(other.judged.flatMap(({ task }) => (tasks.has(task) ? [task] : [])));
  if (common.size === 0) return null;
  const countIn = (all: readonly CellEvidence[]): Count => trialsIn(all.filter(({ task }) => common.has(task)));
  return { preferred: countIn(preferred.judged), other: countIn(other.sent) };
}

const rateOf = ({ passed, total }: Count): number => (total === 0 ? 0 : passed / total);
