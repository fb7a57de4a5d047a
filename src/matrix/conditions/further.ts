import type { Finding } from '../../decide/course.js';
import { probeKeyOf } from '../../cell/cell-key.js';
import type { Cell, Reserve, Ticket } from '../../plan/ticket.js';
import type { Labelled } from './atom.js';
import { groupBy } from '../group-by.js';
import { isJudged } from '../../cell/verdict.js';
import { tellingPoint } from './telling-point.js';

type Findings = ReadonlyMap<string, Finding>;

/** What else to ask a model after what was found, by cell key; nothing where the reserve settles no doubt. */
export type Further = (model: string, findings: Findings) => readonly Ticket[];

/**
 * Asks from the reserve of a plan: one point at a time for each probe whose failures several explanations fit, and the
 * parts of every composite document that came out otherwise than the baseline says. Depends on the findings alone, so
 * that a run that is carried on, or judged again, asks the same.
 * @param cells the planned ones
 */
export function furtherFrom(reserve: readonly Reserve[], cells: readonly Cell[]): Further {
  const byModel = groupBy(reserve, ({ ticket }) => ticket.cell.model.key);
  const planned = groupBy(cells, probeKeyOf);
  return (model, findings) => {
    const own = byModel.get(model) ?? [];
    const isOpen = ({ cell }: Ticket): boolean => !findings.has(cell.key);
    const parts = own.flatMap(({ ticket, settles }) =>
      settles.kind === 'composite' && hasChanged(findings.get(settles.cell)) ? [ticket] : [],
    );
    const points = own.flatMap(({ ticket, settles }) =>
      settles.kind === 'condition' ? [{ ticket, most: settles.most, labels: ticket.cell.point }] : [],
    );
    const telling = [...groupBy(points, ({ ticket }) => probeKeyOf(ticket.cell))].flatMap(([probe, held]) => {
      const askable = held.filter(({ ticket }) => isOpen(ticket));
      if (held.length - askable.length >= (held[0]?.most ?? 0)) return [];
      const all = [...(planned.get(probe) ?? []), ...held.map(({ ticket }) => ticket.cell)];
      return tellingPoint(labelled(all, findings), askable)?.ticket ?? [];
    });
    // Two composites may name the same part.
    return [...new Map([...parts.filter(isOpen), ...telling].map((ticket) => [ticket.cell.key, ticket])).values()];
  };
}

/** The judged cells of one probe; none where no cell fails, since what is only flaky has no condition. */
function labelled(cells: readonly Cell[], findings: Findings): readonly Labelled[] {
  const judged = cells.flatMap(({ key, point }) => {
    const finding = findings.get(key);
    return finding !== undefined && isJudged(finding) ? [{ point, verdict: finding.verdict }] : [];
  });
  if (!judged.some(({ verdict }) => verdict === 'fail')) return [];
  return judged.map(({ point, verdict }) => ({ labels: point, good: verdict === 'pass' }));
}

/** It shows something that the baseline does not know, and it is not that everything is enforced: what is it? */
function hasChanged(finding: Finding | undefined): boolean {
  if (finding?.surprise !== 'confirmed' && finding?.surprise !== 'unsettled') return false;
  return finding.verdict !== 'pass' && finding.fresh?.suspicion !== 'new';
}
