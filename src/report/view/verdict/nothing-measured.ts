import { type BudgetUsedUp, type Stop, type StopReason, whyNotAsked } from '../../../journal/stop.js';
import type { Report, ReportCell } from '../../../matrix/report-format.js';
import { deviationsOf } from '../../../matrix/standing/deviations.js';
import { budgetText, stopSentence } from '../stop-sentences.js';

/** A sentence names at most this many stops. */
const mostStops = 3;

type Sentences = { readonly [Kind in StopReason['kind']]?: (stop: Extract<StopReason, { kind: Kind }>) => string };

/** What a stop means where no answer came before it, in other words than after some did. */
const beforeAnyAnswer: Sentences = {
  interrupted: () => 'the run was interrupted before the first answer',
  cut_off: () => 'the run was cut off before the first answer',
  budget: beforeBudget,
};

/**
 * Of a run that stopped before any cell was judged: a sentence that says so, and why, without a full stop. Its matrix would be
 * full of marks that say nothing. null of every other run, and where something else than a stop kept a model from answering.
 */
export function nothingMeasured(report: Report): string | null {
  const { run, cells } = report;
  if (run.stops.length === 0 && run.complete) return null;
  if (!cells.some(isUnmeasured) || !cells.every((cell) => isUnmeasured(cell) || cell.verdict === 'blocked'))
    return null;
  if (!isExplained(report) || deviationsOf(report).length > 0) return null;
  const stops: readonly StopReason[] = run.stops.length === 0 ? [{ kind: 'cut_off' }] : widest(run.stops);
  const answered = run.requests > 0;
  const sent = answered || stops.some(hasSent);
  const whys = [...new Set(stops.map((stop) => whyNothing(stop, answered)))];
  const more = whys.length - mostStops;
  const why = [...whys.slice(0, mostStops), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  return `${sent ? 'Nothing was measured' : 'Nothing was asked'}: ${why}`;
}

function isUnmeasured({ verdict }: ReportCell): boolean {
  return verdict === 'not_run' || verdict === 'inconclusive';
}

/** A model that answers its plain request and nothing else shows in the matrix what it does not answer. */
function isExplained({ run, models, cells }: Report): boolean {
  const unreached = models.filter(({ unreachable }) => unreachable !== null);
  const ids = new Set(unreached.map(({ id }) => id));
  return (
    unreached.every(({ id, target }) => whyNotAsked(run.stops, { key: id, target }) !== null) &&
    cells.every(({ verdict, model }) => verdict !== 'inconclusive' || ids.has(model))
  );
}

/** Without those of single models of a target that stopped as a whole. */
function widest(stops: readonly Stop[]): readonly Stop[] {
  const whole = new Set(stops.filter(({ model }) => model === null).map(({ target }) => target));
  return stops.filter(({ model, target }) => model === null || !whole.has(target));
}

function whyNothing(stop: StopReason, answered: boolean): string {
  const sentence = answered ? undefined : (beforeAnyAnswer[stop.kind] as ((stop: StopReason) => string) | undefined);
  return sentence?.(stop) ?? stopSentence(stop);
}

/** Requests may have been under way whose answers nobody has recorded. */
function hasSent(stop: StopReason): boolean {
  if (stop.kind === 'budget') return (stop.unanswered ?? 0) > 0;
  return stop.kind !== 'not_recorded' && stop.kind !== 'missing_shard';
}

/** What was never answered may have used it up: before an interruption, or cut off. */
function beforeBudget(stop: BudgetUsedUp): string {
  return (stop.unanswered ?? 0) === 0 && (stop.spent ?? 0) === 0
    ? `the ${budgetText(stop)} is too small for the first request`
    : stopSentence(stop);
}
