import { findingOf } from '../decide/finding.js';
import type { Finding } from '../decide/course.js';
import { unreachedWords, type Outcome } from '../judge/outcome.js';
import type { PlannedCell } from '../plan/plan.js';
import type { CellSeen, Gathered, ModelSeen } from './gathered.js';

/**
 * The gathered findings, where a model of which no request was ever completed, with one refusal for all, the plain one
 * too, is not reached: what is refused is the key, the address or the model, whatever the status says.
 */
export function withNeverCompleted(gathered: Gathered, plannedCells: readonly PlannedCell[]): Gathered {
  const found = [...gathered.models].filter(([, seen]) => isRefusedAlike(seen));
  if (found.length === 0) return gathered;
  const models = new Map(gathered.models);
  for (const [key, seen] of found) models.set(key, { ...seen, reachable: false });
  const refused = new Map(found.map(([key, { outcome }]) => [key, outcome]));
  const cells = new Map(gathered.cells);
  for (const { cell } of plannedCells) {
    const outcome = refused.get(cell.model.key) ?? null;
    const seen = cells.get(cell.key);
    if (outcome === null || seen === undefined || seen.finding === null || cell.unmeetable !== null) continue;
    cells.set(cell.key, { ...withoutFailures(seen), finding: unreachedFinding(seen.finding, outcome) });
  }
  return { ...gathered, models, cells };
}

function isRefusedAlike({ reachable, outcome, refusals = [] }: ModelSeen): boolean {
  const [only] = refusals;
  if (reachable !== true || outcome === null || outcome.passed) return false;
  return refusals.length === 1 && only !== 'completed' && only !== 'unreadable';
}

function withoutFailures(seen: CellSeen): CellSeen {
  return { ...seen, failures: [], reasoningTookTokens: 0 };
}

function unreachedFinding({ trials, needed }: Finding, outcome: Outcome): Finding {
  const { class: kind, reason, status } = outcome;
  const detail = `the model ${unreachedWords(outcome)}${outcome.detail === null ? '' : `: ${outcome.detail}`}`;
  const nothing = findingOf([], Math.max(1, needed));
  const faults = trials.total + trials.faults;
  return { ...nothing, class: kind, reason, status, detail, trials: { ...nothing.trials, faults } };
}
