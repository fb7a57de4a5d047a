import { withoutModel } from '../../cell/cell-key.js';
import type { Report } from '../../matrix/report-format.js';
import type { Cause } from '../view/causes/cause.js';
import { cellLink } from './cell-link.js';
import { type PageEvidence, shownIds } from './page-evidence.js';

/** How many causes are open at first. */
const mostOpen = 3;
/** How many causes the first printed page has room for. */
const mostPrinted = 30;
/** How many cells of a cause are listed at once; the others unfold. */
const mostListed = 12;

/** By cause: the exchange that a page without JavaScript shows; null where there is none. */
export function examplesOf({ cells }: Pick<Report, 'cells'>, causes: readonly Cause[]): readonly (string | null)[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  return causes.map(({ example, cells: ofCause }) => {
    const first = byKey.get(example?.cell ?? ofCause[0]?.key ?? '');
    return example?.exchange ?? (first === undefined ? null : (shownIds(first, true)[0] ?? null));
  });
}

/**
 * What the page shows of the causes.
 * @param examples by cause: the exchange that stands for it
 */
export function causeViews(
  causes: readonly Cause[],
  examples: readonly (string | null)[],
  evidence: Pick<PageEvidence, 'plain'>,
) {
  return causes.map((cause, index) => {
    const exchange = examples[index] ?? null;
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
      ...{ since: cause.since, notes: cause.notes, evidence: cause.evidence, amount: cause.amount },
      models: several ? cause.models.join(', ') : null,
      detail: example?.detail ?? null,
      support: example?.support ?? null,
      accept: accept.command,
      acceptNote: accept.command === null ? accept.why : accept.also,
      ...{ cells: links.slice(0, mostListed), more: links.length > mostListed ? links.slice(mostListed) : null },
      moreCount: links.length - mostListed,
      ...{ open: index < mostOpen, later: index >= mostPrinted },
      plain: exchange === null ? null : (evidence.plain.get(exchange) ?? null),
    };
  });
}
