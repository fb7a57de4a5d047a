import { withLabels } from '../cell/axis-labels.js';
import type { Verdict } from '../cell/verdict.js';
import type { Finding, SharedFailure } from '../decide/course.js';
import type { PreviousRun } from '../journal/event.js';
import type { Plan, PlannedCell } from '../plan/plan.js';
import { wilson } from '../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../stats/evidence.js';
import { evidenceIn } from './cell-evidence.js';
import type { CellSeen, Gathered } from './gathered.js';
import type { ReportCell } from './report-format.js';
import { requestFormOf } from './recommendations/evidence.js';
import { missingTrialsOf } from './run-exit-code.js';
import { servedBy } from './served-by.js';
import { expectedCell, notJudged, standingsOf, type CellStanding } from './standing/standing.js';

type CellFlakyNeeds = NonNullable<ReportCell['flaky_needs']>;

/** The cells of the plan, in its order, and the failures that cells of a model share, by model. */
export function reportCellsOf(
  plan: Plan,
  gathered: Gathered,
  previous: PreviousRun | null,
): { readonly cells: ReportCell[]; readonly shared: ReadonlyMap<string, readonly SharedFailure[]> } {
  const findings = new Map(
    plan.cells.map(({ cell }) => [cell.key, gathered.cells.get(cell.key)?.finding ?? notRun()] as const),
  );
  const stopped = new Set([...gathered.cells].flatMap(([key, seen]) => (seen.stopped === true ? [key] : [])));
  const flakyNeeds = flakyNeedsOf(plan.cells, findings);
  const { standings, shared } = standingsOf(plan, findings, previous);
  for (const [key, { same_cause_as }] of standings) {
    const finding = findings.get(key);
    // Where another cell has proved the cause, nothing is missing, whatever else was to be asked.
    if (same_cause_as !== undefined && finding !== undefined) findings.set(key, { ...finding, needed: 0 });
  }
  const further = new Map(plan.reserve.map(({ planned, settles }) => [planned.cell.key, settles.kind]));
  const missingOf = missingTrialsOf(plan.cells, findings, stopped);
  const cells = plan.cells.map((planned) => {
    const { key } = planned.cell;
    const finding = findings.get(key) ?? notRun();
    const stands = standings.get(key) ?? notJudged;
    const asked_for = further.get(key);
    const missing = asked_for === undefined ? (missingOf.get(key) ?? 0) : 0;
    const cell = cellOf(planned, finding, { ...stands, gathered, asked_for, missing });
    const needs = flakyNeeds.get(key);
    return needs === undefined ? cell : { ...cell, flaky_needs: needs };
  });
  return { cells, shared };
}

function cellOf(
  planned: PlannedCell,
  finding: Finding,
  {
    standing,
    unsettled,
    same_cause_as,
    shared,
    ...from
  }: CellStanding & {
    readonly asked_for: ReportCell['asked_for'] | undefined;
    readonly gathered: Gathered;
    readonly missing: number;
  },
): ReportCell {
  const { cell, expected } = planned;
  const { asked_for, gathered, missing } = from;
  const seen = gathered.cells.get(cell.key);
  const { verdict, reason, status, detail, rung, quirks, threshold, enforcement, recovery, needed } = finding;
  return {
    key: cell.key,
    model: cell.model.key,
    suite: cell.probe.suite,
    probe: cell.probe.name,
    title: withLabels(cell.probe.title, cell.point),
    point: cell.point,
    capability: cell.capability,
    sent: requestFormOf(planned),
    verdict,
    class: finding.class,
    reason,
    status,
    detail,
    rung,
    trials: { ...finding.trials, needed, ...(missing > 0 && { missing }) },
    threshold,
    enforcement,
    recovery,
    quirks,
    standing,
    unsettled,
    expected: expectedCell(expected),
    ...(finding.broken_members !== undefined && { broken_members: finding.broken_members }),
    ...(asked_for !== undefined && { asked_for }),
    ...(same_cause_as !== undefined && { same_cause_as }),
    ...(shared && { shared }),
    ...(verdict === 'flaky' && servedByOf(seen)),
    evidence: evidenceIn(finding, gathered.run.id, same_cause_as !== undefined || shared !== undefined),
    failures: seen?.failures ?? [],
    exchanges: [...(seen?.exchanges ?? [])],
  };
}

function servedByOf(seen: CellSeen | undefined): Pick<ReportCell, 'served_by'> {
  const found = servedBy(seen?.served ?? new Map());
  return found === null ? {} : { served_by: found };
}

function notRun(): Finding {
  return {
    verdict: 'not_run',
    class: null,
    reason: null,
    status: null,
    detail: null,
    rung: null,
    trials: { total: 0, passed: 0, faults: 0, interval: wilson(0, 0) },
    needed: 0,
    quirks: [],
    doubtOutcome: null,
    threshold: null,
    enforcement: null,
    recovery: null,
    law: null,
  };
}

/** By key, for every cell that does not always pass and has a flaky need. */
export function flakyNeedsOf(
  cells: readonly PlannedCell[],
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, CellFlakyNeeds> {
  const needs = new Map(cells.map(({ cell }) => [cell.key, cell.needs]));
  const found = new Map<string, CellFlakyNeeds>();
  for (const { cell } of cells) {
    const finding = findings.get(cell.key);
    if (cell.needs.length === 0 || finding === undefined || !doesNotAlwaysPass(finding.verdict)) continue;
    const flaky = [...allNeeds(cell.key, needs)].flatMap((key) => {
      const need = findings.get(key);
      return need?.verdict === 'flaky' ? [{ key, need }] : [];
    });
    if (flaky.length === 0) continue;
    const explain = flaky.some(({ need }) => failsLikeNeed(need, finding) && isAsFrequent(need, finding));
    found.set(cell.key, { cells: flaky.map(({ key }) => key), explain });
  }
  return found;
}

const doesNotAlwaysPass = (verdict: Verdict): boolean => verdict === 'fail' || verdict === 'flaky';

function allNeeds(key: string, needs: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...(needs.get(key) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === key || seen.has(next)) continue;
    seen.add(next);
    open.push(...(needs.get(next) ?? []));
  }
  return seen;
}

/**
 * Answers that are wrong in different ways may have one cause. A refusal, and what a setting or a schema fails to do,
 * is only explained by its like.
 */
function failsLikeNeed(need: Finding, { class: own, reason }: Finding): boolean {
  if (own === need.class) return own !== 'http_error' || reason === need.reason;
  return isWrongAnswer(own) && isWrongAnswer(need.class);
}

function isWrongAnswer(one: Finding['class']): boolean {
  return !['http_error', 'not_enforced', 'ineffective', 'not_refused'].includes(one ?? '');
}

function isAsFrequent({ trials: need }: Finding, { trials }: Finding): boolean {
  return evidenceOfTwoRates(need, trials) <= boundOver(1);
}
