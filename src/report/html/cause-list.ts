import { groupBy } from '../../json/group-by.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationView } from '../view/deviation-view.js';
import { whatFailed } from '../view/phrases.js';
import { changes } from './matrix-page.js';
import { shownIds } from './page-evidence.js';

/** Deviations of one model that look alike. */
export interface Cause {
  readonly kind: 'regression' | 'changed' | 'improvement' | 'new' | 'wire' | 'gone';
  readonly model: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly support: string | null;
  /** Keys. */
  readonly cells: readonly string[];
  /** A command. */
  readonly accept: string | null;
  /** The exchange that shows it best. */
  readonly exchange: string | null;
}

/** Sign and word of each kind of deviation. */
export const causeKinds: Readonly<Record<Cause['kind'], { readonly glyph: string; readonly title: string }>> = {
  ...changes,
  wire: { glyph: '⌁', title: 'on the wire' },
  gone: { glyph: '∅', title: 'gone' },
};

export function causesOf(report: Report): readonly Cause[] {
  const groups = groupBy(deviationsOf(report), (one) =>
    JSON.stringify([one.kind, one.model, 'cell' in one ? whatFailed(one.cell) : 'quirk' in one ? one.quirk.quirk : '']),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, model, what, detail, note, support } = deviationView(first);
    const cells = group.flatMap((one) => ('cell' in one ? one.cell : []));
    const exchange = 'quirk' in first ? first.quirk.exchange : cells[0] && shownIds(cells[0], true)[0];
    return {
      ...{ kind, model, support, exchange: exchange ?? null, accept: null },
      title: what,
      lines: [detail, note === null ? null : `Baseline: ${note}`].filter((line) => line !== null),
      cells: 'quirk' in first ? first.quirk.cells : cells.map(({ key }) => key),
    };
  });
}
