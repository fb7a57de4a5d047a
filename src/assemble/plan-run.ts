import { shard } from '../estimate/shard.js';
import { type Problem, warningsOrThrow } from '../files/problems/problem.js';
import { makePlan, type PlanOptions } from '../plan/make-plan.js';
import type { Plan } from '../plan/ticket.js';
import type { Project } from './project.js';

export interface RunPlanOptions extends PlanOptions {
  /** Only part `index` (from 1) of `of` parts, each of which holds whole models. */
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
}

/**
 * What will be asked, in an order in which needs come first. Sends nothing. Throws a {@link UserError} for a filter that
 * matches nothing, filters that leave no cell, and a need that nothing meets.
 */
export function planRun(
  project: Pick<Project, 'config' | 'suites' | 'baseline'>,
  { shard: part, ...options }: RunPlanOptions = {},
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  const { plan, problems } = makePlan({ ...project, options });
  const warnings = warningsOrThrow(problems);
  return { plan: part === undefined ? plan : shard(plan, part.index, part.of), warnings };
}
