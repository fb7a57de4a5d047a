import type { Finding } from '../../decide/course.js';
import { probeKeyOf } from '../../cell/cell-key.js';
import type { Cell, Reserve, Ticket } from '../../plan/ticket.js';
import { groupBy } from '../../json/group-by.js';
import { isJudged } from '../../cell/verdict.js';
import { explanationsOf, type Labelled } from './condition.js';

type Findings = ReadonlyMap<string, Finding>;

/** What else to ask a model, given its findings by cell key; nothing if no question is open. */
export type FurtherTickets = (model: string, findings: Findings) => readonly Ticket[];

/**
 * Chooses from the reserve of a plan: one point at a time for each probe whose failures have several explanations, and
 * the parts of every composite document that contradicts the baseline. The choice depends on the findings alone, so that
 * a run that is resumed or judged again asks the same.
 * @param cells the planned ones
 */
export function furtherTicketsFrom(reserve: readonly Reserve[], cells: readonly Cell[]): FurtherTickets {
  const byModel = groupBy(reserve, ({ ticket }) => ticket.cell.model.key);
  const planned = groupBy(cells, probeKeyOf);
  return (model, findings) => {
    const own = byModel.get(model) ?? [];
    const isOpen = ({ cell }: Ticket): boolean => !findings.has(cell.key);
    const parts = own.flatMap(({ ticket, settles }) =>
      settles.kind === 'composite' && hasChanged(findings.get(settles.cell)) ? [ticket] : [],
    );
    const held = own.flatMap(({ ticket, settles }) =>
      settles.kind === 'condition' ? [{ ticket, most: settles.most, labels: ticket.cell.point }] : [],
    );
    const points = [...groupBy(held, ({ ticket }) => probeKeyOf(ticket.cell))].flatMap(([probe, ofProbe]) => {
      const askable = ofProbe.filter(({ ticket }) => isOpen(ticket));
      if (ofProbe.length - askable.length >= (ofProbe[0]?.most ?? 0)) return [];
      const all = [...(planned.get(probe) ?? []), ...ofProbe.map(({ ticket }) => ticket.cell)];
      return mostInformative(labelled(all, findings), askable)?.ticket ?? [];
    });
    // Two composites may share a part.
    return [...new Map([...parts.filter(isOpen), ...points].map((ticket) => [ticket.cell.key, ticket])).values()];
  };
}

/** The judged cells of one probe; none where no cell fails, since cells that are only flaky have no condition. */
function labelled(cells: readonly Cell[], findings: Findings): readonly Labelled[] {
  const judged = cells.flatMap(({ key, point }) => {
    const finding = findings.get(key);
    return finding !== undefined && isJudged(finding) ? [{ point, verdict: finding.verdict }] : [];
  });
  if (!judged.some(({ verdict }) => verdict === 'fail')) return [];
  return judged.map(({ point, verdict }) => ({ labels: point, good: verdict === 'pass' }));
}

/** It fails in a way that is not in the baseline, so its parts must show which keyword changed. */
function hasChanged(finding: Finding | undefined): boolean {
  if (finding?.surprise !== 'confirmed' && finding?.surprise !== 'unsettled') return false;
  return finding.verdict !== 'pass' && finding.fresh?.suspicion !== 'new';
}

/**
 * Of the points that could be asked, the one that would show most about why some cells pass and others do not: where most
 * explanations contradict the smallest one, which is taken as the likeliest. null: none contradicts it anywhere.
 */
export function mostInformative<Point extends Pick<Labelled, 'labels'>>(
  judged: readonly Labelled[],
  askable: readonly Point[],
): Point | null {
  const [likeliest, ...rivals] = explanationsOf(judged);
  let best: { readonly point: Point; readonly contradict: number } | null = null;
  for (const point of askable) {
    const isLikelyGood = likeliest?.isGood(point) ?? true;
    const contradict = rivals.filter((rival) => rival.isGood(point) !== isLikelyGood).length;
    if (contradict > (best?.contradict ?? 0)) best = { point, contradict };
  }
  return best?.point ?? null;
}
