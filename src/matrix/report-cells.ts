import { wilson } from '../stats/wilson.js';
import type { Finding } from '../decide/course.js';
import type { PreviousRun } from '../journal/previous-run.js';
import type { Plan, Ticket } from '../plan/ticket.js';
import { detailWithNeeds, flakyNeedsOf } from './flaky-needs.js';
import type { Gathered } from './gathered.js';
import { missingTrialsOf } from './missing-trials.js';
import { type Known, knownAfter } from './standing/known-after.js';
import { type SinceAccepted, sinceAccepted } from './standing/since-accepted.js';
import type { ReportCell } from './report-format.js';
import { withRefusal } from './said-by-service.js';
import { sentAgainOf } from './sent-again.js';
import { type CellStanding, notJudged } from './standing/apparent-standing.js';
import type { SharedFailure } from '../decide/shared-failure.js';
import { standingsWithShared } from './standing/run-standings.js';
import { expectedCell } from './standing/standing.js';

/** The cells of the plan, in its order, and the failures that cells of a model share, by model. */
export function cellsOf(
  plan: Plan,
  gathered: Gathered,
  previous: PreviousRun | null,
): { readonly cells: ReportCell[]; readonly shared: ReadonlyMap<string, readonly SharedFailure[]> } {
  const shownBefore = previous?.shown ?? null;
  const found = plan.tickets.map(({ cell }) => [cell.key, findingFor(cell.key, gathered)] as const);
  const findings = new Map(found);
  const stopped = new Set([...gathered.cells].flatMap(([key, seen]) => (seen.stopped === true ? [key] : [])));
  const flakyNeeds = flakyNeedsOf(plan.tickets, findings);
  const { standings, shared } = standingsWithShared(plan.tickets, findings, plan.plannedCells, previous);
  const answering = new Set(
    plan.tickets.flatMap(({ cell }) => ((findings.get(cell.key)?.trials.total ?? 0) > 0 ? [cell.model.key] : [])),
  );
  const further = new Map(plan.reserve.map(({ ticket, settles }) => [ticket.cell.key, settles.kind]));
  const missingOf = missingTrialsOf(plan.tickets, findings, stopped);
  const cells = plan.tickets.map((ticket) => {
    const { key, model } = ticket.cell;
    const finding = withRefusals(findings.get(key) ?? notRun(null), answering.has(model.key));
    const stands = standings.get(key) ?? notJudged;
    const runsBefore = stands.standing === 'regression' ? (shownBefore?.get(key) ?? 0) : 0;
    const asked_for = further.get(key);
    const missing = asked_for === undefined ? (missingOf.get(key) ?? 0) : 0;
    const learned = previous?.learned.get(key);
    const known = knownAfter(ticket.expected, finding, learned);
    const since = sinceAccepted(ticket, finding, stands, learned);
    const cell = cellOf(ticket, finding, { ...stands, known, since, runsBefore, gathered, asked_for, missing });
    const needs = flakyNeeds.get(key);
    if (needs === undefined) return cell;
    return { ...cell, detail: detailWithNeeds(cell.detail, needs, findings), flaky_needs: needs };
  });
  return { cells, shared };
}

const refusedInFront: ReadonlySet<string | null> = new Set(['rate_limited', 'overloaded', 'gateway']);

/** Says of a cell that only ever met load or a gateway that this may be a matter of its form. */
function withRefusals(finding: Finding, othersAnswered: boolean): Finding {
  const { verdict, class: kind, reason, status, detail, trials } = finding;
  const refused = verdict === 'inconclusive' && kind === 'http_error' && refusedInFront.has(reason);
  if (!refused || !othersAnswered || trials.faults === 0 || detail === null) return finding;
  const others = `refused with ${status ?? 'an error'} while others of the model were answered`;
  return { ...finding, detail: withRefusal(detail, others) };
}

function findingFor(key: string, gathered: Gathered): Finding {
  const finding = gathered.cells.get(key)?.finding;
  if (finding) return finding;
  return notRun('left out of this run');
}

function cellOf(
  { cell, expected }: Ticket,
  finding: Finding,
  {
    standing,
    unsettled,
    rate_change,
    asked_for,
    waits,
    drop,
    passes_in_a_row: row,
    shared,
    held,
    known,
    since,
    runsBefore,
    gathered,
    missing,
  }: CellStanding & {
    readonly known: Known | null;
    readonly since: SinceAccepted | null;
    readonly asked_for: ReportCell['asked_for'] | undefined;
    readonly runsBefore: number;
    readonly gathered: Gathered;
    readonly missing: number;
  },
): ReportCell {
  const seen = gathered.cells.get(cell.key);
  const { verdict, reason, status, detail, rung, quirks, threshold, enforcement, recovery, fresh, needed } = finding;
  return {
    ...{ key: cell.key, model: cell.model.key, suite: cell.probe.suite, probe: cell.probe.name },
    ...{ title: titleOf(cell), point: cell.point, capability: cell.capability, verdict },
    ...{ class: finding.class, reason, status, detail, rung },
    trials: { ...finding.trials, needed, ...(missing > 0 && { missing }), ...sentAgainOf(cell.key, gathered) },
    ...{ threshold, enforcement, recovery, quirks, standing, unsettled, expected: expectedCell(expected) },
    ...(rate_change !== undefined && { rate_change }),
    ...(asked_for !== undefined && { asked_for }),
    ...(waits && { waits }),
    ...(drop && { drop }),
    ...(row !== undefined && { passes_in_a_row: row }),
    ...(shared && { shared }),
    ...(held && { held }),
    ...(runsBefore > 0 && { runs_in_a_row: runsBefore + 1 }),
    ...(known && { known }),
    ...(since && { since_accepted: since }),
    surprise: waits || ((drop ?? row) !== undefined && unsettled) ? 'unsettled' : finding.surprise,
    fresh: fresh && { suspicion: fresh.suspicion, passed: fresh.passed, total: fresh.total, p_value: fresh.pValue },
    failures: seen?.failures ?? [],
    exchanges: [...(seen?.exchanges ?? [])],
  };
}

/** Titles may name the axes' labels, as capabilities may. */
function titleOf({ probe, point }: Ticket['cell']): string {
  return probe.title.replace(/\{\{\s*([\w.+-]+)\s*\}\}/g, (whole, axis: string) =>
    Object.hasOwn(point, axis) ? (point[axis] ?? whole) : whole,
  );
}

function notRun(detail: string | null): Finding {
  return {
    ...{ verdict: 'not_run', class: null, reason: null, status: null, detail, rung: null },
    trials: { total: 0, passed: 0, faults: 0, interval: wilson(0, 0) },
    ...{ needed: 0, quirks: [], surprise: null, threshold: null, enforcement: null, recovery: null, fresh: null },
  };
}
