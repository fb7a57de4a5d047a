import type { RateWindow } from '../limits/rate-window.js';
import { timetableOf, type Progress, type Timetable } from './timetable.js';

/** A model of an account. */
export interface InMinutes {
  readonly workload: {
    progress(): Progress;
    /** Requests that have begun and are not over. */
    underWay(): number;
  };
}

/** Whose request is sent next where a limit per minute is what takes time. */
export interface Minutes<Model> {
  /** A request of the account has begun. */
  begins(): void;
  /** A request that had begun was not sent. */
  returns(): void;
  /** The highest goes first, of -Infinity none goes now; null: no further minute is needed, or there is no limit. */
  rank(model: Model): number | null;
}

/** Less of a request is not due. */
const least = 0.5;

/** @param models all of the account, which may become more */
export function createMinutes<Model extends InMinutes>(
  models: readonly Model[],
  window: Pick<RateWindow, 'perMinute' | 'gone'>,
): Minutes<Model> {
  let begun = 0;
  let known: { readonly begun: number; readonly table: Timetable | null; readonly due: Map<Model, number> } | null =
    null;

  const timetable = () => {
    if (known?.begun === begun) return known;
    const table = timetableOf(
      models.map(({ workload }) => workload.progress()),
      window.perMinute(),
    );
    const due = new Map(models.map((model, index) => [model, table?.due[index] ?? 0]));
    known = { begun, table, due };
    return known;
  };

  /** Whether what still fits into the minute is due of models that cannot send it at once, as they have few slots. */
  const isReserved = (due: ReadonlyMap<Model, number>): boolean => {
    let reserved = 0;
    for (const [model, requests] of due) if (requests >= least && model.workload.underWay() > 0) reserved += requests;
    return window.perMinute() - (begun - window.gone()) <= reserved;
  };

  return {
    begins() {
      begun += 1;
    },
    returns() {
      begun -= 1;
    },
    rank(model) {
      if (window.perMinute() === Infinity) return null;
      const { table, due } = timetable();
      if (table === null) return null;
      const { begun: own, left, each } = model.workload.progress();
      const requests = due.get(model) ?? 0;
      if (requests >= least) return requests / (own + left);
      if (table.isOpening) return -each;
      return isReserved(due) ? -Infinity : requests - least;
    },
  };
}
