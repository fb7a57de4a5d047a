import { makePlan } from '../src/plan/make-plan.js';
import type { Ticket } from '../src/plan/ticket.js';
import { configOf, loadBuiltin } from '../test/support/builtin-suites.js';

/** For each cell of a model's built-in nightly plan, how often `standard` puts its question on a normal night. */
export async function timesAskedNightly(): Promise<readonly number[]> {
  const { suites } = await loadBuiltin('core');
  const options = { tags: ['nightly'] };
  return makePlan({ config: configOf(1), suites, baseline: null, options }).plan.tickets.map(timesAsked);
}

/** The mean over the cells of that plan, each equally often, of what holds for a cell that is asked so many times. */
export function meanOverCells(asked: readonly number[], shareFor: (times: number) => number): number {
  const byTimes = new Map([...new Set(asked)].map((times) => [times, shareFor(times)]));
  return asked.reduce((sum, times) => sum + (byTimes.get(times) ?? 0), 0) / asked.length;
}

function timesAsked({ course, trials }: Ticket): number {
  const own = trials.kind === 'count' ? trials.count : 1;
  return course === 'enforce' ? Math.max(3, own) : own;
}
