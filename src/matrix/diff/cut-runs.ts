import { endsRun, type Stop } from '../../journal/stop.js';
import type { Report } from '../report-format.js';

/** Why a side did not ask everything that it was to ask. */
export interface CutSides {
  /** Absent: it asked everything. */
  readonly base?: readonly Stop[];
  readonly head?: readonly Stop[];
}

export function cutSides(base: readonly Stop[], head: readonly Stop[]): { readonly cut?: CutSides } {
  const cut = { ...(base.length > 0 && { base }), ...(head.length > 0 && { head }) };
  return base.length + head.length === 0 ? {} : { cut };
}

/** The stops that left out something of the models for which `isOn` holds; none: everything was asked. */
export function cutOf({ run, cells, models }: Report, isOn: (model: string) => boolean): readonly Stop[] {
  const leftOut = new Set(
    cells
      .filter(({ model, verdict, trials }) => isOn(model) && (verdict === 'not_run' || (trials.missing ?? 0) > 0))
      .map(({ model }) => model),
  );
  if (leftOut.size === 0) return [];
  const targets = new Set(models.filter(({ id }) => leftOut.has(id)).map(({ target }) => target));
  const stops = run.stops.filter((stop) => {
    if (stop.models !== undefined) return stop.models.some((model) => leftOut.has(model));
    if (endsRun(stop)) return true;
    return stop.model === null ? targets.has(stop.target ?? '') : leftOut.has(stop.model);
  });
  return stops.length > 0 || run.complete ? stops : [{ target: null, model: null, kind: 'cut_off' }];
}
