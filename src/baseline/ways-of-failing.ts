import type { Outcome } from '../judge/outcome.js';
import type { Count } from '../stats/count.js';
import type { BaselineEntry, TrialCounts, WayCounts } from './entries.js';

/** The members that tell one way of failing from another. */
type Failure = Pick<Outcome, 'class' | 'reason' | 'status'>;

/** Stands for any value. */
const any = '*';

/**
 * The name of a way of failing: `schema_violation`, `malformed_response/server_error`,
 * `http_error/tool_choice_unsupported/500`.
 */
export function wayOf({ class: outcome, reason, status }: Failure): string {
  // The status of an answer that came says nothing.
  const isRefusal = outcome === 'http_error' || (outcome === null && (status ?? 0) >= 400);
  const said = isRefusal ? [outcome ?? any, reason ?? any, status ?? any] : [outcome ?? any, reason ?? any];
  return withoutTrailing(said.map(String));
}

function withoutTrailing(parts: readonly string[]): string {
  const last = parts.findLastIndex((part) => part !== any);
  return last === -1 ? any : parts.slice(0, last + 1).join('/');
}

/** Whether a known way covers another: what it leaves out is not compared. */
export function isWayOf(known: string, way: string): boolean {
  const parts = way.split('/');
  return known.split('/').every((part, index) => part === any || part === parts[index]);
}

/** The known way that covers this one; otherwise this one. */
export function knownWay(known: WayCounts, way: string): string {
  if (Object.hasOwn(known, way)) return way;
  return Object.keys(known).find((one) => isWayOf(one, way)) ?? way;
}

/** The ways that an entry names, with how often each was seen; all failures in its own way where it counts none. */
export function waysOfEntry(entry: BaselineEntry, { passed, total }: Count): WayCounts {
  if (entry.ways !== undefined && Object.keys(entry.ways).length > 0) return entry.ways;
  return { [wayOf(entry)]: total - passed };
}

/** The trials of several runs as one, their failures by way. */
export function joined(runs: readonly TrialCounts[]): TrialCounts {
  const ways: Record<string, number> = {};
  let [passed, total] = [0, 0];
  for (const run of runs) {
    passed += run.passed;
    total += run.total;
    for (const [way, count] of Object.entries(run.ways ?? {})) {
      const name = knownWay(ways, way);
      ways[name] = (ways[name] ?? 0) + count;
    }
  }
  return Object.keys(ways).length === 0 ? { passed, total } : { passed, total, ways };
}

/** Most frequent first. */
export const waysByCount = (ways: WayCounts): readonly (readonly [string, number])[] =>
  Object.entries(ways).sort(([, one], [, other]) => other - one);
