/**
 * What the command line is made of, for tests and for programs that need more than `chatspec` offers. It promises
 * nothing: any version may rename or remove what stands here.
 * @packageDocumentation
 */
export { connect, credentialProblems } from './assemble/connect.js';
export { executePlan, runParts } from './assemble/execute-plan.js';
export { buildReport, makeReport, renderContext } from './assemble/make-report.js';
export { loadBaseline } from './baseline/load-baseline.js';
export { credentialsOf } from './config/credentials.js';
export { loadConfig } from './config/load-config.js';
export { coursesFor } from './decide/courses/courses.js';
export { makeTrial } from './decide/trial/trial.js';
export { estimate } from './estimate/estimate.js';
export { createJournal, resumeJournal } from './journal/journal.js';
export { readJournal } from './journal/read-journal.js';
export { judgeExchange } from './judge/judge.js';
export { jsonataProblem } from './judge/jsonata/jsonata-engine.js';
export { schemaProblem } from './judge/schema/read-schema.js';
export { exitCode } from './matrix/run-exit-code.js';
export { makePlan } from './plan/make-plan.js';
export { openGathering } from './report/gather/gather.js';
export { writeRunFolder } from './report/run-folder.js';
export { drive, replay } from './run/drive.js';
export { systemClock } from './run/clock.js';
export { catalogueOf } from './suite/read/capability-catalogue.js';
export { loadSuites } from './suite/read/load-suites.js';
export { openTransport } from './transport/open-transport.js';

export type { Expectation } from './judge/expectation.js';
