import type { Verdict } from '../cell/verdict.js';
import type { Finding } from '../decide/course.js';
import type { Ticket } from '../plan/ticket.js';
import { boundOver, evidenceOfTwoRates } from '../stats/evidence.js';

/** What a failing cell owes to needs that pass only sometimes. */
export interface FlakyNeeds {
  /** Keys of these needs, also of the needs of needs. */
  readonly cells: readonly string[];
  /** The failures may be those of a need: they are of the same kind, and no more frequent than chance allows. */
  readonly explain: boolean;
}

/** By key, for every cell that does not always pass and has a flaky need. */
export function flakyNeedsOf(
  tickets: readonly Ticket[],
  findings: ReadonlyMap<string, Finding>,
): ReadonlyMap<string, FlakyNeeds> {
  const needs = new Map(tickets.map(({ cell }) => [cell.key, cell.needs]));
  const found = new Map<string, FlakyNeeds>();
  for (const { cell } of tickets) {
    const finding = findings.get(cell.key);
    if (cell.needs.length === 0 || finding === undefined || !doesNotAlwaysPass(finding.verdict)) continue;
    const flaky = [...allNeeds(cell.key, needs)].flatMap((key) => {
      const need = findings.get(key);
      return need?.verdict === 'flaky' ? [{ key, need }] : [];
    });
    if (flaky.length === 0) continue;
    const explain = flaky.some(({ need }) => isSameKind(need, finding) && isAsFrequent(need, finding));
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
 * Answers that are wrong in different ways may have one cause. A refusal, and what a setting or a schema fails to do, is
 * only explained by its like.
 */
function isSameKind(need: Finding, { class: own, reason }: Finding): boolean {
  if (own === need.class) return own !== 'http_error' || reason === need.reason;
  return isWrongAnswer(own) && isWrongAnswer(need.class);
}

function isWrongAnswer(one: Finding['class']): boolean {
  return one !== 'http_error' && one !== 'not_enforced' && one !== 'ineffective';
}

function isAsFrequent({ trials: need }: Finding, { trials }: Finding): boolean {
  return evidenceOfTwoRates(need, trials) <= boundOver(1);
}
