/**
 * chatspec as a library: the same pieces that the command line is made of, in the order in which data flows.
 * @packageDocumentation
 */
export { loadConfig, credentialsOf } from './config/index.js';
export { loadSuites } from './suite/read/load-suites.js';
export { loadBaseline } from './baseline/load-baseline.js';
export { makePlan } from './plan/make-plan.js';
export { estimate } from './estimate/estimate.js';
export { openTransport } from './transport/open-transport.js';
export { coursesFor } from './decide/courses/courses.js';
export { makeTrial } from './decide/trial/trial.js';
export { drive } from './run/drive.js';
export { replay } from './run/replay.js';
export { buildReport } from './matrix/build-report.js';
export { exitCode } from './matrix/run-exit-code.js';
export { openGathering } from './report/gather/gather.js';
export { fileFormats, renderReport, reportFormats } from './report/report-formats.js';
export { readReport, writeRunFolder } from './report/run-folder.js';
export { UserError } from './files/problems/problem.js';

export type { Config, ModelConfig, TargetConfig } from './config/config.js';
export type { Behaviour, Probe, Suite } from './suite/probe.js';
export type { Cell, Plan, Ticket } from './plan/ticket.js';
export type { Exchange } from './chat/exchange.js';
export type { Reply } from './chat/reply.js';
export type { Outcome, OutcomeClass, Reason, Rung } from './judge/outcome.js';
export type { Finding } from './decide/course.js';
export type { Verdict } from './cell/verdict.js';
export type { Report } from './matrix/report-format.js';
export type { RunEvent } from './journal/event.js';
export type { Problem } from './files/problems/problem.js';
