/** The cells of a config as tests of Vitest. */
export { conformance, type ConformanceOptions } from './conformance-tests.js';

export type { Shard } from '../plan/shard.js';
export type { RunPlanOptions } from '../assemble/project.js';
export type { Environment } from '../assemble/project.js';
export type { Filters } from '../plan/cells/filter.js';
export type { PlanOptions } from '../plan/make-plan.js';
export type { LeftOpen, RunProfile as Profile } from '../plan/plan.js';
