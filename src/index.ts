/**
 * chatspec as a library: the same functions that the command line is made of, in the order in which data flows.
 * docs/embedding.md shows how to run a plan with a transport, a reporter, a clock and report formats of your own.
 * @packageDocumentation
 */

// Read what the user wrote, and plan.
export { loadProject, readProject } from './assemble/project.js';
export { planRun } from './assemble/project.js';
export { estimate } from './estimate/estimate.js';

// Reach the services: over HTTP, or by a transport of your own.
export { connect, credentialProblems, plannedTargets, runTargets } from './assemble/connect.js';
export { openTransport } from './transport/open-transport.js';

// Run: ask, judge and decide, live or from a journal.
export { executePlan } from './assemble/execute-plan.js';
export { runParts } from './assemble/execute-plan.js';
export { systemClock } from './run/clock.js';
export { drive, replay } from './run/drive.js';
export { createJournal, resumeJournal } from './journal/journal.js';
export { readJournal } from './journal/read-journal.js';

// Judge one exchange with the rules of a suite. `chatspec/judge` is the same for applications.
export { judge } from './judge/judge.js';
export { checkSchema } from './judge/schema/conformance.js';
export { schemaProblem } from './judge/schema/read-schema.js';
export { jsonataProblem } from './judge/jsonata/jsonata-engine.js';

// Report.
export { openGathering } from './report/gather/gather.js';
export { makeReport, renderContext } from './assemble/make-report.js';
export { exitCode } from './matrix/run-exit-code.js';
export { renderReport } from './report/render.js';
export { fileFormats, reportFormats } from './report/report-formats.js';
export { readReport, writeRunFolder } from './report/run-folder.js';

// The parts behind loadProject, planRun and executePlan.
export { credentialsOf } from './config/credentials.js';
export { loadConfig } from './config/load-config.js';
export { loadSuites } from './suite/read/load-suites.js';
export { catalogueOf } from './suite/read/capability-catalogue.js';
export { loadBaseline } from './baseline/load-baseline.js';
export { makePlan } from './plan/make-plan.js';
export { coursesFor } from './decide/courses/courses.js';
export { makeTrial } from './decide/trial/trial.js';
export { buildReport } from './assemble/make-report.js';

export { ChatspecError } from './errors/chatspec-error.js';
export { UserError } from './files/problems/problem.js';

export type { ConnectOptions, Connections } from './assemble/connect.js';
export type { ExecuteOptions, RunReporter } from './assemble/execute-plan.js';
export type { MakeReportOptions, RenderOptions } from './assemble/make-report.js';
export type { RunPlanOptions } from './assemble/project.js';
export type { Environment, Project, ProjectOptions } from './assemble/project.js';
export type { RunParts } from './assemble/execute-plan.js';
export type { Config, ModelConfig, TargetConfig } from './config/config.js';
export type { Behaviour, Probe, Suite } from './suite/probe.js';
export type { Cell, Plan, Ticket } from './plan/ticket.js';
export type { Exchange } from './chat/exchange.js';
export type { Reply } from './chat/reply.js';
export type { Expectation, Rule } from './judge/expectation.js';
export type { JudgeValues } from './judge/context.js';
export type { Outcome, Rung } from './judge/outcome.js';
export type { Reason } from './judge/outcome.js';
export type { OutcomeClass } from './judge/outcome.js';
export type { Finding } from './decide/course.js';
export type { Verdict } from './cell/verdict.js';
export type { Report } from './matrix/report-format.js';
export type { FileFormat, RenderContext, Renderer, ReportFormat } from './report/render.js';
export type { RunEvent } from './journal/event.js';
export type { Clock } from './run/clock.js';
export type { DriveOptions } from './run/drive-options.js';
export type { RunTarget, SendRequest } from './run/target-state.js';
export type { ErrorKind } from './errors/chatspec-error.js';
export type { Problem } from './files/problems/problem.js';
