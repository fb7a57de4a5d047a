import { withoutModel } from '../../cell/cell-key.js';
import { cellsByKey } from '../../matrix/cells-by-key.js';
import type { Report } from '../../matrix/report-format.js';
import { amongText } from '../history/since-text.js';
import type { Cause } from '../view/causes/cause.js';
import { cellLink } from './cell-link.js';
import type { PageEvidence } from './page-evidence.js';
import { shownIds } from './wanted-exchanges.js';
import { plainText, wholeRequest } from './plain-exchange.js';

/** How many causes are open at first. */
const mostOpen = 3;
/** How many causes show a request and a response at once; those of all cells are there without JavaScript. */
export const mostPlain = 150;
/** How many causes the first printed page has room for. */
const mostPrinted = 30;
/** How many things that a cause says are listed besides its example. */
const mostFaults = 20;
/** How many cells of a cause are listed at once; the others unfold. */
const mostListed = 12;

/** By cause: the exchange that a page without JavaScript shows; null where there is none. */
export function examplesOf({ cells }: Pick<Report, 'cells'>, causes: readonly Cause[]): readonly (string | null)[] {
  const byKey = cellsByKey(cells);
  return causes.map(({ example, cells: ofCause }) => {
    const first = byKey.get(example?.cell ?? ofCause[0]?.key ?? '');
    return example?.exchange ?? (first === undefined ? null : (shownIds(first, true)[0] ?? null));
  });
}

/** By cause: each cell that deviates, or for want of one the example's, with the exchange that shows it. */
export function exchangesOf(
  { cells }: Pick<Report, 'cells'>,
  causes: readonly Cause[],
): readonly (readonly CellExchange[])[] {
  const byKey = cellsByKey(cells);
  return causes.map(({ deviations, example }) => {
    const keys = deviations.flatMap((one) => ('cell' in one ? [one.cell.key] : []));
    if (keys.length === 0 && example?.cell && example.exchange) return [{ key: example.cell, id: example.exchange }];
    return keys.flatMap((key) => {
      const cell = byKey.get(key);
      const [id] = cell === undefined ? [] : shownIds(cell, true);
      return id === undefined ? [] : [{ key, id }];
    });
  });
}

export interface CellExchange {
  readonly key: string;
  /** Of the exchange. */
  readonly id: string;
}

/**
 * What the page shows of the causes.
 * @param exchanges by cause: those of its cells
 * @param examples by cause: the exchange that stands for it
 */
export function causeViews(
  causes: readonly Cause[],
  {
    examples,
    exchanges,
  }: { readonly examples: readonly (string | null)[]; readonly exchanges: ReturnType<typeof exchangesOf> },
  { plain }: Pick<PageEvidence, 'plain'>,
) {
  const said = new Set<number>();
  return causes.map((cause, index) => {
    const exchange = index < mostPlain ? plain.get(examples[index] ?? '') : undefined;
    const own = (exchanges[index] ?? []).flatMap(({ key, id }) => {
      const found = plain.get(id);
      return found === undefined ? [] : [{ key, exchange: found }];
    });
    const areShown = exchange !== undefined && own.every(({ exchange: { id } }) => id === exchange.id);
    const several = cause.models.length > 1;
    const links = cause.cells.map(({ key, what, model }) => ({
      ...{ what, href: cellLink(key), name: withoutModel(key), model: several ? model : null },
    }));
    const { accept, example } = cause;
    return {
      ...{
        direction: cause.direction,
        mark: cause.mark,
        sentence: cause.sentence,
        before: cause.before,
        now: cause.now,
      },
      ...{
        since: cause.since && amongText(cause.since),
        notes: cause.notes,
        evidence: cause.evidence,
        amount: cause.amount,
      },
      trials: cause.figures ?? cause.trials,
      models: several ? cause.models.join(', ') : null,
      detail: example?.detail ?? null,
      support: example?.support ?? null,
      ...{ also: cause.also.slice(0, mostFaults), moreFaults: Math.max(0, cause.also.length - mostFaults) },
      accept: accept.command,
      acceptNote: accept.command === null ? accept.why : accept.also,
      ...{ cells: links.slice(0, mostListed), more: links.length > mostListed ? links.slice(mostListed) : null },
      moreCount: links.length - mostListed,
      ...{ open: index < mostOpen, later: index >= mostPrinted },
      plain: exchange === undefined ? null : { ...exchange, request: wholeRequest(exchange) },
      scriptless: areShown || own.length === 0 ? null : plainText(own, said),
    };
  });
}
