import type { Config, ModelConfig } from '../config/config.js';
import type { SharedFailure } from '../decide/course.js';
import type { ClientEffects } from '../chat/client-harm.js';
import { quirkStandings } from '../decide/wire/wire-standing.js';
import type { ModelBefore, PreviousRun } from '../journal/event.js';
import { groupBy } from '../json/group-by.js';
import { cellsAsked } from '../plan/cells/reserve.js';
import { planAfter } from '../plan/make-plan.js';
import type { Plan, PlannedCell } from '../plan/plan.js';
import type { Behaviour, Suite } from '../suite/probe.js';
import type { CapabilityCatalogue } from '../suite/read/capability-catalogue.js';
import { behaviourCell, behavioursOf } from './behaviours/behaviours.js';
import { capabilitiesOf } from './capabilities.js';
import { groupsOf } from './capability-families.js';
import { cachedShareOf, costOf, latencyOf, spendOf, usageOf } from './cost.js';
import type { Gathered } from './gathered.js';
import { lastFailedOf } from './last-failed.js';
import { withNeverCompleted } from './never-completed.js';
import type { Note, Words } from './notes.js';
import { recommendedRequest, recommendationsOf } from './recommendations/recommendations.js';
import { rememberedBy } from './remembered.js';
import { reportCellsOf } from './report-cells.js';
import type {
  Report,
  ReportBehaviour,
  ReportCapability,
  ReportCell,
  ReportModel,
  ReportQuirk,
} from './report-format.js';
import { unmeasuredNotes } from './run-exit-code.js';
import { answeredByOthers, servedChanges } from './served-by.js';

type FoundCapability = ReturnType<typeof capabilitiesOf>[number];

export interface ReportInput {
  readonly plan: Plan;
  readonly gathered: Gathered;
  /** Of all suites. */
  readonly behaviours: readonly Behaviour[];
  /**
   * Of all suites, see `catalogueOf`. Without it, the report recommends no forms and keeps capabilities as they come.
   */
  readonly catalogue?: CapabilityCatalogue;
  /** For their titles; default: none. */
  readonly suites?: readonly (Pick<Suite, 'name' | 'title'> & Partial<Pick<Suite, 'probes'>>)[];
  readonly config: Pick<Config, 'targets' | 'maxUnmeasured'>;
  /** ISO date. A model may be gone from its `retired` day on. */
  readonly today: string;
  /** Harm of a quirk to the user's client libraries; null where none is known. */
  readonly clientEffects?: ClientEffectsOf | null;
  /** Results and knowledge of the run before; null when unknown. */
  readonly previous?: PreviousRun | null;
}

const noCatalogue: CapabilityCatalogue = { families: [], forms: [] };

/** The report of a run. Pure; asynchronous only because behaviours are evaluated under a time limit. */
export async function assembleReport(input: ReportInput, words: Words): Promise<Report> {
  const { config, today, catalogue = noCatalogue } = input;
  const gathered = withNeverCompleted(input.gathered, input.plan.cells);
  const planned = planAfter(input.plan, input.previous);
  const plannedCells = cellsAsked(planned, (key) => (gathered.cells.get(key)?.finding ?? null) !== null);
  const plan = { ...planned, cells: plannedCells };
  const { cells, shared } = reportCellsOf(plan, gathered, input.previous ?? null);
  const models = withShared(
    withClients(reportModelsOf(plan, gathered, today, input.previous ?? null), config.targets),
    shared,
  );
  const capabilities = capabilitiesOf(cells, findAxesOf(plan));
  const wire = reportWire(plan, models, gathered, input.clientEffects ?? null);
  const modelIds = models.map(({ id }) => id);
  const latency = latencyOf(gathered, modelIds, config.targets);
  const spend = spendOf(gathered, cells, config.targets);
  const found = await behavioursOfModels(models, cells, capabilities, input);
  const notes = reportNotes(gathered, { models, cells, problems: found.problems }, config.maxUnmeasured);
  const recommend = { models, cells, plannedCells, wire, words, shown: found.behaviours };
  return {
    format: 'chatspec-report/1',
    run: reportRunOf(plan, gathered, config, { notes, words }),
    models,
    cells,
    capabilities: reportCapabilities(capabilities, { cells: plannedCells, gathered, shared, words }),
    ...groupsOf(capabilities, { families: catalogue.families, suites: input.suites ?? [], cells }),
    behaviours: found.behaviours,
    recommendations: reportRecommendations(plan, catalogue, input, recommend),
    wire,
    ...(latency.length > 0 && { latency }),
    ...(spend.length > 0 && { spend }),
    ...rememberedBy(input.previous ?? null, { models, cells, isPartial: plan.lastFailed !== undefined }),
  };
}

/** A person who interrupts a run knows why little was measured, and will continue it. */
const isInterrupted = ({ stops }: Gathered['run']): boolean => stops.some(({ kind }) => kind === 'interrupted');

function reportNotes(
  { run }: Gathered,
  { models, cells, problems }: Pick<Report, 'models' | 'cells'> & { readonly problems: readonly Note[] },
  maxUnmeasured: Config['maxUnmeasured'],
): readonly Note[] {
  const answeredBy = models.flatMap(({ id, answered_by: by }): readonly Note[] =>
    by === undefined ? [] : [{ kind: 'answered_by', model: id, ...by }],
  );
  const shard: readonly Note[] = run.shard === undefined ? [] : [{ kind: 'shard', ...run.shard }];
  const unmeasured = isInterrupted(run) ? [] : unmeasuredNotes({ models, cells }, maxUnmeasured);
  return [...shard, ...answeredBy, ...problems, ...unmeasured];
}

function reportRunOf(
  plan: Plan,
  gathered: Gathered,
  { targets }: ReportInput['config'],
  { notes, words }: { readonly notes: readonly Note[]; readonly words: Words },
): Report['run'] {
  const { run } = gathered;
  return {
    id: run.id,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    complete: run.complete,
    profile: plan.profile,
    seed: plan.seed,
    tool: run.tool,
    digests: plan.digests,
    ...(run.config !== undefined && { config: run.config }),
    ...(run.filters !== undefined && { filters: run.filters }),
    ...(run.shard && { shard: run.shard }),
    requests: run.requests,
    usage: usageOf(gathered),
    cost: costOf(gathered, targets),
    ...lastFailedOf(plan),
    stops: run.stops,
    notes: [...notes.map(words.note), ...(isInterrupted(run) ? [] : words.notAsked(plan.absent))],
  };
}

interface CapabilityFacts {
  readonly cells: readonly PlannedCell[];
  readonly gathered: Gathered;
  readonly shared: ReadonlyMap<string, readonly SharedFailure[]>;
  readonly words: Words;
}

function reportCapabilities(
  capabilities: readonly FoundCapability[],
  { cells, gathered, shared, words }: CapabilityFacts,
): ReportCapability[] {
  const cellsOf = groupBy(cells, ({ cell }) => cell.model.key);
  return capabilities.map((one) => ({
    model: one.model,
    capability: one.capability,
    verdict: one.verdict,
    condition: one.condition,
    ...cachedShareOf(one.cells, gathered),
    ...sentToMeet(one, cellsOf.get(one.model) ?? []),
    ...sharedCaveats(one, shared.get(one.model) ?? [], words),
    cells: one.cells,
  }));
}

/** None of a run that asked only what had failed: no form would look reliable. */
function reportRecommendations(
  { lastFailed }: Plan,
  { forms, evidence = [] }: CapabilityCatalogue,
  { behaviours, config }: ReportInput,
  found: Pick<
    Parameters<typeof recommendationsOf>[0],
    'models' | 'cells' | 'plannedCells' | 'wire' | 'words' | 'shown'
  >,
): Report['recommendations'] {
  if (lastFailed !== undefined) return [];
  return recommendationsOf({ ...found, forms, evidence, behaviours, simulated: simulatedTargets(config) });
}

/** Settings that meet the condition of a capability. */
function sentToMeet(
  { verdict, toMeet: settings }: FoundCapability,
  cells: readonly PlannedCell[],
): Pick<ReportCapability, 'settings' | 'request'> {
  if (verdict !== 'pass' && verdict !== 'partial') return {};
  const request = recommendedRequest(settings, cells);
  return {
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.keys({ ...settings, ...request }).length > 0 && { request }),
  };
}

/** Caveats of a capability that can be relied on. */
function sharedCaveats(
  { verdict }: FoundCapability,
  shared: readonly SharedFailure[],
  { caveat }: Words,
): Pick<ReportCapability, 'caveats'> {
  if (shared.length === 0 || (verdict !== 'pass' && verdict !== 'partial')) return {};
  return { caveats: shared.map((failure) => caveat({ kind: 'shared', failure })) };
}

function withClients(models: readonly ReportModel[], targets: ReportInput['config']['targets']): ReportModel[] {
  const byName = new Map(targets.map((target) => [target.name, target]));
  return models.map((model) => {
    const target = byName.get(model.target);
    if (target === undefined) return model;
    const { baseUrl, apiKeyEnv } = target;
    const { settings = {} } = target.models.find(({ key }) => key === model.id) ?? {};
    const client = { base_url: baseUrl === 'simulator' ? null : baseUrl, api_key_env: apiKeyEnv };
    return { ...model, client: { ...client, ...(Object.keys(settings).length > 0 && { settings }) } };
  });
}

function withShared(
  models: readonly ReportModel[],
  shared: ReadonlyMap<string, readonly SharedFailure[]>,
): readonly ReportModel[] {
  return models.map((model) => {
    const shared_failures = shared.get(model.id);
    return shared_failures === undefined ? model : { ...model, shared_failures };
  });
}

function simulatedTargets({ targets }: ReportInput['config']): Set<string> {
  return new Set(targets.flatMap(({ name, baseUrl }) => (baseUrl === 'simulator' ? [name] : [])));
}

/** The searched axis of each cell that searches for a threshold. */
function findAxesOf(plan: Plan): Map<string, string> {
  return new Map(
    plan.cells.flatMap(({ cell }) => (cell.probe.find ? [[cell.key, cell.probe.find.axis] as const] : [])),
  );
}

async function behavioursOfModels(
  models: readonly ReportModel[],
  cells: readonly ReportCell[],
  capabilities: readonly FoundCapability[],
  { behaviours, gathered }: ReportInput,
): Promise<{ behaviours: ReportBehaviour[]; problems: Note[] }> {
  const cellsByModel = groupBy(cells, (cell) => cell.model);
  const capabilitiesByModel = groupBy(capabilities, (capability) => capability.model);
  const all: ReportBehaviour[] = [];
  const problems: Note[] = [];
  for (const { id, reachable } of models) {
    if (!reachable) continue;
    const found = await behavioursOf({
      behaviours,
      model: id,
      cells: (cellsByModel.get(id) ?? []).map((cell) => behaviourCell(cell, gathered.cells.get(cell.key))),
      capabilities: Object.fromEntries(
        (capabilitiesByModel.get(id) ?? []).map(({ capability, verdict }) => [capability, verdict]),
      ),
    });
    all.push(...found.behaviours);
    problems.push(...found.problems);
  }
  return { behaviours: all, problems };
}

/** The models of the plan, in its order. `today` is an ISO date. */
function reportModelsOf(
  plan: Plan,
  gathered: Gathered,
  today: string,
  previous: PreviousRun | null = null,
): ReportModel[] {
  const configs = new Map(plan.cells.map(({ cell }) => [cell.model.key, cell.model]));
  const answering = new Set(
    [...configs.values()].filter(({ key }) => gathered.models.get(key)?.reachable).map(({ target }) => target),
  );
  return [...configs.values()].map((config) => {
    const retired = config.retired !== null && config.retired <= today;
    // An id that no earlier run knew is misspelt rather than gone.
    const known = plan.knownModels.has(config.key) || (previous?.models.has(config.key) ?? false);
    const gone = isUnknown(gathered, config) && (retired || (known && answering.has(config.target)));
    const standingInPlan = plan.knownModels.has(config.key) ? 'known' : 'new';
    const standing = gone ? 'gone' : standingInPlan;
    const absent = plan.absent.filter(({ model }) => model === config.key);
    const notAsked = absent.map(({ settings, probes }) => ({ settings, probes }));
    const before = previous?.models.get(config.key);
    const model = reportModelOf(config, gathered, { standing, retired }, before);
    return notAsked.length === 0 ? model : { ...model, not_asked: notAsked };
  });
}

/** The service says that it does not know the model; it is gone if an earlier run knew it and another
 * model answers, or if its removal was announced. */
function isUnknown(gathered: Gathered, { key }: ModelConfig): boolean {
  const seen = gathered.models.get(key);
  return seen?.reachable === false && seen.outcome?.reason === 'model_not_found';
}

function reportModelOf(
  { key, target, id, as }: ModelConfig,
  gathered: Gathered,
  judged: Pick<ReportModel, 'standing' | 'retired'>,
  before: ModelBefore | undefined,
): ReportModel {
  const seen = gathered.models.get(key);
  const outcome = seen?.reachable === false ? seen.outcome : null;
  const named = { served: seen?.served ?? [], fingerprints: seen?.fingerprints ?? [] };
  const changes = servedChanges(before, named);
  const others = answeredByOthers(id, seen?.servedCounts ?? {});
  return {
    id: key,
    target,
    model: id,
    as,
    ...judged,
    reachable: seen?.reachable ?? false,
    ...named,
    ...(changes.length > 0 && { served_changes: changes }),
    ...(others !== null && { answered_by: others }),
    unreachable: outcome && {
      class: outcome.class ?? 'transport',
      reason: outcome.reason,
      status: outcome.status,
      detail: outcome.detail,
      ...(outcome.clue !== undefined && { clue: outcome.clue }),
    },
  };
}

/** Harm of a quirk to the user's client libraries; null where that was not measured. */
type ClientEffectsOf = (quirk: string) => ClientEffects | null;

/** The quirks of every model, model by model: those that showed, and accepted ones that could have shown. */
export function reportWire(
  { acceptedWire, cells }: Pick<Plan, 'acceptedWire' | 'cells'>,
  models: readonly ReportModel[],
  { wire }: Pick<Gathered, 'wire'>,
  clientEffects: ClientEffectsOf | null = null,
): ReportQuirk[] {
  const covered = new Set(coveredCells(cells).map(({ key }) => key));
  return models.flatMap(({ id, standing }) => {
    const tally = wire?.get(id);
    if (tally === undefined) return [];
    const accepted = standing === 'known' ? (acceptedWire.get(id) ?? null) : null;
    return quirkStandings(tally, accepted).map((found) => {
      // The answers of cells that no baseline covers may always have had it.
      const isUnseen = found.standing === 'new' && !found.cells.some((key) => covered.has(key));
      return {
        model: id,
        ...found,
        ...clientEffects?.(found.quirk),
        ...(isUnseen && { standing: 'as_expected' }),
      };
    });
  });
}

const coveredCells = (cells: readonly PlannedCell[]): readonly PlannedCell['cell'][] =>
  cells.filter(({ expected }) => expected.kind !== 'new').map(({ cell }) => cell);
