/**
 * chatspec as a library: {@link runProject} does what `chatspec run` does, with transports, reporters and report formats
 * of your own. docs/embedding.md shows how.
 * @packageDocumentation
 */
export { plannedTargets, runTargets } from './assemble/connect.js';
export { loadProject, planRun, readProject } from './assemble/project.js';
export { runProject } from './assemble/run-project.js';
export { ChatspecError } from './errors/chatspec-error.js';
export { UserError, type Place, type Problem, type Spot } from './files/problems/problem.js';
export { renderReport } from './report/render.js';
export { fileFormats, reportFormats, usualFormats } from './report/report-formats.js';
export { readReport } from './report/run-folder.js';

export type { ExecuteOptions, RunReporter } from './assemble/execute-plan.js';
export type { RenderOptions } from './assemble/make-report.js';
export type { Shard } from './plan/shard.js';
export type { Project, ProjectOptions, RunPlanOptions } from './assemble/project.js';
export type { OpenedRun, ProjectRun, RunProjectOptions } from './assemble/run-project.js';
export type {
  AcceptedWire,
  Baseline,
  BaselineEntry,
  CellMemory,
  CellState,
  Cover,
  DoubtRun,
  TrialCounts,
  WayCounts,
  Expected,
  FailsAt,
  Known,
  StoredThreshold,
  WireEntry,
} from './baseline/entries.js';
export type { Point } from './cell/cell-key.js';
export type { NamedModel } from './cell/model-names.js';
export type { DoubtOutcome, Enforcement, JudgedVerdict, Standing, Verdict } from './cell/verdict.js';
export type { Answer, ConnectionFault, Exchange, TransportFailure, TransportFailureKind } from './chat/exchange.js';
export type { Opportunity, Quirk } from './chat/quirks.js';
export type { Ending, Reply, ToolCall } from './chat/reply.js';
export type {
  Budget,
  Config,
  Limits,
  ListedModels,
  ModelConfig,
  SecretCommand,
  Settings,
  TargetConfig,
} from './config/config.js';
export type { Environment } from './config/key-variables.js';
export type { ConfigAdditions } from './config/load-config.js';
export type { ClientHarm } from './chat/client-harm.js';
export type { Clue } from './judge/clue.js';
export type { RuleClass } from './judge/expectation.js';
export type { AnsweredBy, ServedChange } from './matrix/served-by.js';
export type {
  Course,
  FailureKind,
  Finding,
  FirstTrials,
  JudgedAnswer,
  Law,
  RecordedTrial,
  Sending,
  SharedFailure,
  Suspicion,
  Threshold,
  Trial,
} from './decide/course.js';
export type { QuirkStanding, Spread, WireStanding } from './decide/wire/wire-standing.js';
export type { ErrorDetails, ErrorKind } from './errors/chatspec-error.js';
export type {
  BudgetUsedUp,
  ExchangeRecord,
  GivenOptions,
  JournalLine,
  ModelBefore,
  PreviousRun,
  RecordedMemory,
  RequestSent,
  RunEvent,
  RunFinished,
  RunStarted,
  Stop,
  StopReason,
  StopScope,
} from './journal/event.js';
export type { FindExchanges, Journal } from './journal/journal.js';
export type { RecordedExchanges, RunRequest } from './journal/read-journal.js';
export type { Json, JsonArray, JsonObject } from './json/json.js';
export type { ExchangeFacts } from './judge/application/exchange-facts.js';
export type { Check, ExpectSpec, Rule } from './judge/expectation.js';
export type {
  ComparedAnswer,
  ComparedDocument,
  Outcome,
  OutcomeClass,
  Reason,
  Rung,
  Violation,
} from './judge/outcome.js';
export type { WireForm, WireGroup, WireSighting } from './judge/wire/wire-form.js';
export type { Masker } from './masking/masker.js';
export type {
  AnswerTimes,
  CapabilityVerdict,
  CellFailure,
  ExpectedCell,
  FlakyNeeds,
  ModelClient,
  Quantiles,
  Recommendation,
  Report,
  ReportBehaviour,
  ReportCapability,
  ReportCell,
  ReportDoubtRun,
  ReportEvidence,
  ReportLatency,
  ReportModel,
  ReportQuirk,
  ReportRun,
  ReportSpend,
  ReportTitles,
  RequestForm,
} from './matrix/report-format.js';
export type { ExitConditions, FailOn } from './matrix/run-exit-code.js';
export type { ServedBy, ServedField } from './matrix/served-by.js';
export type { Deviation } from './matrix/standing/deviations.js';
export type { Filters } from './plan/cells/filter.js';
export type { PlanOptions } from './plan/make-plan.js';
export type {
  AbsentSetting,
  Ask,
  Cell,
  CourseName,
  LastFailed,
  LeftOpen,
  Plan,
  RunProfile as Profile,
  Reserve,
  Send,
  PlannedCell,
} from './plan/plan.js';
export type { FailingTrial } from './report/gather/failure-spool.js';
export type { CellSummary, ModelSummary, RunSummary } from './matrix/run-summary.js';
export type {
  EarlierRun,
  FileFormat,
  History,
  PastRun,
  RenderContext,
  Renderer,
  ReportFormat,
} from './report/render.js';
export type { Redact } from './report/safe/redact.js';
export type { Clock } from './run/clock.js';
export type { DriveOptions } from './run/drive-options.js';
export type { RunTarget, SendRequest } from './run/target-state.js';
export type { Count } from './stats/count.js';
export type { BoundedTest, SequentialTest } from './stats/sequential-test.js';
export type {
  Axis,
  Behaviour,
  CapabilityFamily,
  EnforceSpec,
  FindSpec,
  FormEvidence,
  Need,
  NeedForm,
  PointValue,
  Probe,
  RetrySpec,
  Step,
  Suite,
  TrialsSpec,
  PointExpectation as When,
} from './suite/probe.js';
export type {
  BehaviourFile,
  EnforceFile,
  FamilyFile,
  FindFile,
  FormEvidenceFile,
  FormFile,
  Name,
  NeedName,
  Pointer,
  ProbeReference,
  Rate,
  RepeatFile,
  RetryFile,
} from './suite/suite-file.js';
