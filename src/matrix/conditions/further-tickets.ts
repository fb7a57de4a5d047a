import type { Finding } from '../../decide/course.js';
import { probeKeyOf } from '../../cell/cell-key.js';
import type { Cell, Reserve, Ticket } from '../../plan/ticket.js';
import { groupBy } from '../../json/group-by.js';
import { isJudged } from '../../cell/verdict.js';
import { explain } from './explanation.js';
import { standingOf } from './judged-points.js';
import type { Labelled, Labels } from './labelled.js';

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
    return finding !== undefined && isJudged(finding) ? [{ point, finding }] : [];
  });
  if (!judged.some(({ finding }) => finding.verdict === 'fail')) return [];
  return judged.map(({ point, finding }) => ({ labels: point, ...standingOf(finding) }));
}

/** It fails in a way that is not in the baseline, so its parts must show which keyword changed. */
function hasChanged(finding: Finding | undefined): boolean {
  if (finding?.surprise !== 'confirmed' && finding?.surprise !== 'unsettled') return false;
  return finding.verdict !== 'pass' && finding.fresh?.suspicion !== 'new';
}

/**
 * Of the points that could be asked, one where likely explanations contradict each other: the one that shows most pairs of
 * labels together that no judged point shows. null: what was judged leaves no doubt about any of them.
 */
export function mostInformative<Point extends Pick<Labelled, 'labels'>>(
  judged: readonly Labelled[],
  askable: readonly Point[],
): Point | null {
  const explanation = explain(
    judged,
    askable.map(({ labels }) => labels),
  );
  // Where no explanation is short enough, further failures would not make one.
  if (explanation === null) return null;
  const seen = new Set(judged.flatMap(({ labels }) => pairsOf(labels)));
  let best: { readonly point: Point; readonly unseen: number } | null = null;
  for (const [index, point] of askable.entries()) {
    if (explanation.unasked[index] !== null) continue;
    const unseen = pairsOf(point.labels).filter((pair) => !seen.has(pair)).length;
    if (best === null || unseen > best.unseen) best = { point, unseen };
  }
  return best?.point ?? null;
}

function pairsOf(labels: Labels): string[] {
  const own = Object.entries(labels);
  return own.flatMap((first, index) => own.slice(index + 1).map((second) => JSON.stringify([first, second])));
}
