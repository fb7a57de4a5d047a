/**
 * chatspec as a library: the same pieces that the command line is made of, in the order in which data flows.
 * @packageDocumentation
 */
export { loadConfig, credentialsOf } from './config/index.js';
export { loadSuites } from './suite/load.js';
export { loadBaseline } from './baseline/load.js';
export { makePlan } from './plan/make-plan.js';
export { estimate } from './plan/estimate.js';
export { openTransport } from './transport/transport.js';
export { coursesFor } from './decide/courses.js';
export { makeTrial } from './decide/trial.js';
export { drive } from './run/drive.js';
export { replay } from './run/replay.js';
export { buildReport } from './matrix/build-report.js';
export { exitCode } from './matrix/exit-code.js';
export { openGathering } from './report/gather.js';
export { renderers } from './report/renderers.js';
export { readReport, writeRunFolder } from './report/run-folder.js';
export { UserError } from './files/problem.js';

export type { Config, ModelConfig, TargetConfig } from './config/config.js';
export type { Behaviour, Probe, Suite } from './suite/probe.js';
export type { Cell, Plan, Ticket } from './plan/cell.js';
export type { Exchange } from './chat/exchange.js';
export type { Reply } from './chat/reply.js';
export type { Outcome, OutcomeClass, Reason, Rung } from './judge/outcome.js';
export type { Finding, Verdict } from './decide/course.js';
export type { Report } from './matrix/report.js';
export type { RunEvent } from './run/event.js';
export type { Problem } from './files/problem.js';
