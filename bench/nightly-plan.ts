import { roundsOf } from '../src/decide/courses/enforcement/enforce.js';
import { makePlan } from '../src/plan/make-plan.js';
import type { Ticket } from '../src/plan/ticket.js';
import { configWithModels, loadBuiltin } from '../test/support/builtin-suites.js';

/** For each cell of a model's built-in nightly plan, how often `standard` asks it on a normal night. */
export async function timesAskedNightly(): Promise<readonly number[]> {
  const { suites } = await loadBuiltin('core');
  const options = { tags: ['nightly'] };
  return makePlan({ config: configWithModels(1), suites, baseline: null, options }).plan.tickets.map(timesAsked);
}

/** The mean over the cells of that plan of a share that depends on how often a cell is asked. */
export function meanOverCells(asked: readonly number[], shareFor: (times: number) => number): number {
  const byTimes = new Map([...new Set(asked)].map((times) => [times, shareFor(times)]));
  return asked.reduce((sum, times) => sum + (byTimes.get(times) ?? 0), 0) / asked.length;
}

function timesAsked(ticket: Ticket): number {
  const { course, trials } = ticket;
  if (course === 'enforce') return roundsOf(ticket);
  return trials.kind === 'count' ? trials.count : 1;
}
