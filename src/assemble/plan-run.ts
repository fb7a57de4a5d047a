import { shard } from '../estimate/shard.js';
import { type Problem, warningsOrThrow } from '../files/problems/problem.js';
import { planOptionTable, type PlanOptions } from '../plan/make-plan.js';
import { makePlan } from '../plan/make-plan.js';
import type { Plan } from '../plan/ticket.js';
import type { Project } from './project.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anObject, aWhole, required } from '../options/kinds.js';
import { aProject } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

export interface RunPlanOptions extends PlanOptions {
  /** Only part `index` (from 1) of `of` parts, each of which holds whole models. */
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
}

const shardTable: OptionTable<NonNullable<RunPlanOptions['shard']>> = {
  index: required(aWhole(1)),
  of: required(aWhole(1)),
};
const optionTable: OptionTable<RunPlanOptions> = { ...planOptionTable, shard: anObject };

/**
 * What will be asked, in an order in which needs come first. Sends nothing. Throws a {@link UserError} for a filter that
 * matches nothing, filters that leave no cell, and a need that nothing meets.
 */
export function planRun(
  project: Pick<Project, 'config' | 'suites' | 'baseline'>,
  given: RunPlanOptions = {},
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  checkFirst('planRun', project, aProject);
  checkOptions('`planRun`', given, optionTable);
  const { shard: part, ...options } = given;
  if (part !== undefined) checkOptions("`planRun`'s shard", part, shardTable);
  const { plan, problems } = makePlan({
    config: project.config,
    suites: project.suites,
    baseline: project.baseline,
    options,
  });
  const warnings = warningsOrThrow(problems);
  return { plan: part === undefined ? plan : shard(plan, part.index, part.of), warnings };
}
