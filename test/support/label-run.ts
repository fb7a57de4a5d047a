import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  loadProject,
  planRun,
  runTargets,
  type Behaviour,
  type Plan,
  type Probe,
  type Project,
  type Report,
  type RunEvent,
  type Suite,
} from '../../src/index.js';
import {
  credentialsOf,
  executePlan,
  makeReport,
  openGathering,
  openTransport,
  replay,
  runParts,
} from '../../src/parts.js';
import type { Check } from '../../src/judge/index.js';
import type { Simulator } from '../../src/simulator/index.js';
import { contradictedBy, matcherOf } from './label-mismatches.js';
import type { Label, LabelPatch } from './label-table.js';
import { lastingFolder } from './lasting-folder.js';

/** What the profiles are asked: a config with all of them and the core suites. */
export interface LabelProject extends Pick<Project, 'config' | 'suites' | 'baseline'> {
  /** Keys of cells by profile, without those that are only needed by others: of all suites, and of a nightly run. */
  readonly keys: Readonly<Record<'all' | 'nightly', ReadonlyMap<string, readonly string[]>>>;
}

/** A finished run on the embedded service, with what is needed to judge it again. */
export interface LabelRun {
  readonly project: LabelProject;
  readonly options: PlanOptions;
  readonly plan: Plan;
  readonly gathering: ReturnType<typeof openGathering>;
  readonly journal: readonly JournalLine[];
}

type PlanOptions = NonNullable<Parameters<typeof planRun>[1]>;
type JournalLine = Extract<RunEvent, { type: 'run_started' | 'exchange' | 'run_finished' }>;

/** Limit on an answer's body in bytes, low to save time: oversized answers exceed any limit. */
const maxBodyBytes = 1 << 20;
const env = { CHATSPEC_LABELS_KEY: 'sk-labels' };
/** Of which the built-in suites make axes. */
export const settings = {
  thinking: {
    default: null,
    enabled: { thinking: { type: 'enabled' } },
    disabled: { thinking: { type: 'disabled' } },
  },
  reasoning_effort: {
    low: { reasoning_effort: 'low' },
    medium: { reasoning_effort: 'medium' },
    high: { reasoning_effort: 'high' },
  },
};

/** @param further profiles without a label */
export async function labelProject(labels: readonly Label[], further: readonly string[] = []): Promise<LabelProject> {
  const names = [...new Set(labels.map(({ with: patch }) => targetOf(patch)))];
  const idsOf = (name: string): readonly string[] => [
    ...labels.filter(({ with: patch }) => targetOf(patch) === name).map(({ profile }) => profile),
    ...(name === 'demo' ? further : []),
  ];
  const targets = Object.fromEntries(
    names.map((name) => {
      const timeout_s = name.startsWith('hasty-') ? waited * Number(name.slice('hasty-'.length)) : 60;
      const limits = { concurrency: 64, retries: 2, timeout_s };
      const models = idsOf(name).map((id) => ({ id, concurrency: 8 }));
      const key = name === 'keyed' ? { api_key_env: 'CHATSPEC_LABELS_KEY' } : {};
      return [name, { base_url: 'simulator', ...key, limits, settings, models }];
    }),
  );
  const file = join(await lastingFolder(), 'chatspec.yaml');
  await writeFile(file, JSON.stringify({ targets, suites: ['builtin:core', 'builtin:extended'] }));
  const { config, suites } = (await loadProject(file, { env })).project;
  const project = { config, suites, baseline: null };
  return { ...project, keys: { all: keysIn(project, {}), nightly: keysIn(project, { tags: ['nightly'] }) } };
}

function keysIn(project: Pick<Project, 'config' | 'suites' | 'baseline'>, options: PlanOptions) {
  const chosen = planRun(project, options).plan.cells.filter(({ cell }) => cell.selected);
  const keys = new Map<string, string[]>();
  for (const { cell } of chosen) keys.set(cell.model.id, [...(keys.get(cell.model.id) ?? []), cell.key]);
  return keys;
}

function targetOf(patch: LabelPatch = {}): string {
  if (patch.key === true) return 'keyed';
  return patch.timeout_s === undefined ? 'demo' : `hasty-${patch.timeout_s}`;
}

/**
 * How much of a label's time-out is waited for: what does not answer in a second does not answer in half of one either,
 * and time in which this process, the service included, is busy does not count.
 */
const waited = 0.5;

/** Whether the label speaks only of cells that a nightly run asks, as they are. */
export function namesNightly(project: LabelProject, label: Label): boolean {
  if (label.with !== undefined) return false;
  const nightly = new Set(project.keys.nightly.get(label.profile));
  return namedIn(project, label).every((key) => nightly.has(key));
}

/** Asks these profiles what a nightly run asks. */
export function runNightly(service: Simulator, project: LabelProject, profiles: Iterable<string>): Promise<LabelRun> {
  return run(service, ofModels(project, new Set(profiles)), { tags: ['nightly'] });
}

/**
 * Asks a profile the cells that its label names, patched as it says; for `nightly`, together with those of a nightly
 * run.
 */
export function runLabel(
  service: Simulator,
  project: LabelProject,
  label: Label,
  scope: 'nightly' | 'named',
): Promise<LabelRun> {
  const { with: patch } = label;
  const own = ofModels(project, new Set([label.profile]));
  const asked = patch === undefined ? own : { ...own, suites: patchedSuites(own.suites, label, patch) };
  const nightly = scope === 'nightly' ? (project.keys.nightly.get(label.profile) ?? []) : [];
  return run(service, asked, { only: [...new Set([...namedIn(project, label), ...nightly])] });
}

function namedIn({ keys }: LabelProject, { profile, unreachable, cells = [] }: Label): readonly string[] {
  const patterns = unreachable === undefined ? cells.map(({ key }) => key) : ['quick-start/plain'];
  const matches = patterns.map(matcherOf);
  return (keys.all.get(profile) ?? []).filter((key) => matches.some((one) => one(key)));
}

function ofModels({ config, ...project }: LabelProject, profiles: ReadonlySet<string>): LabelProject {
  const targets = config.targets
    .map((target) => ({ ...target, models: target.models.filter(({ id }) => profiles.has(id)) }))
    .filter(({ models }) => models.length > 0);
  return { ...project, config: { ...config, targets } };
}

/** The suites with the label's patch in every request and expectation of the probes that the label names. */
function patchedSuites(suites: readonly Suite[], { cells = [] }: Label, patch: LabelPatch): readonly Suite[] {
  const { request = {}, expect = {} } = patch;
  const probes = new Set(cells.map(({ key }) => key.replace(/\[.*/, '')));
  return suites.map((suite) => ({
    ...suite,
    probes: suite.probes.map((probe) =>
      probes.has(`${suite.name}/${probe.name}`)
        ? withSteps(probe, (step) => ({
            ...step,
            request: { ...step.request, ...request },
            expect: { ...step.expect, ...expect },
          }))
        : probe,
    ),
  }));
}

type AskStep = Exclude<Probe['steps'][number], { readonly kind: 'run' }>;

function withSteps(probe: Probe, changed: (step: AskStep) => AskStep): Probe {
  return { ...probe, steps: probe.steps.map((step) => (step.kind === 'run' ? step : changed(step))) };
}

async function run(service: Simulator, project: LabelProject, options: PlanOptions): Promise<LabelRun> {
  const { plan } = planRun(project, options);
  const { targets } = project.config;
  const transports = new Map(
    targets.map((target) => [
      target.name,
      openTransport(target, credentialsOf(target, env), { baseUrl: service.baseUrl, maxBodyBytes }),
    ]),
  );
  const gathering = openGathering();
  const journal: JournalLine[] = [];
  const keep = (event: RunEvent): void => {
    if (event.type === 'run_started' || event.type === 'exchange' || event.type === 'run_finished') journal.push(event);
  };
  const reached = runTargets(
    targets,
    ({ name }) =>
      (...sent) =>
        transports.get(name)!.send(...sent),
  );
  await executePlan(plan, { targets: reached, reporters: [gathering, { onEvent: keep }] });
  await Promise.all([...transports.values()].map((transport) => transport.close()));
  return { project, options, plan, gathering, journal };
}

/** The same run with its exchanges judged again, without one of the checks if it is given. */
export async function rejudge({ project, options, journal }: LabelRun, without?: Check): Promise<LabelRun> {
  const skipping = (probe: Probe): Probe =>
    withSteps(probe, (step) => ({ ...step, expect: { ...step.expect, skip: without === undefined ? [] : [without] } }));
  const suites = project.suites.map((suite) => ({ ...suite, probes: suite.probes.map(skipping) }));
  const { targets } = project.config;
  const { plan } = planRun({ ...project, suites }, options);
  const gathering = openGathering();
  for await (const event of replay(journal, { ...runParts(plan, targets), plan, targets })) gathering.onEvent(event);
  return { project, options, plan, gathering, journal };
}

/** @param behaviours in place of those of the suites */
export function reportOf(
  { project, plan, gathering }: Omit<LabelRun, 'journal' | 'options'>,
  behaviours?: readonly Behaviour[],
): Promise<Report> {
  const suites = project.suites.map((suite, index) => ({
    ...suite,
    behaviours: behaviours === undefined ? suite.behaviours : index === 0 ? behaviours : [],
  }));
  return makeReport({ project: { ...project, suites }, plan, gathering, today: '2026-11-20' });
}

/**
 * The profiles among these whose labels do not match what was found, with other behaviours than those of the suites.
 */
export async function contradictedIn(
  runs: ReadonlyMap<string, LabelRun>,
  labels: readonly Label[],
  behaviours: readonly Behaviour[],
): Promise<ReadonlySet<string>> {
  const wrong: string[] = [];
  for (const one of new Set(labels.map(({ profile }) => runs.get(profile)!))) {
    const own = labels.filter(({ profile }) => runs.get(profile) === one);
    const profiles = new Set(own.map(({ profile }) => profile));
    const cells = one.plan.cells.filter(({ cell }) => profiles.has(cell.model.id));
    const part = { ...one, project: ofModels(one.project, profiles), plan: { ...one.plan, cells } };
    wrong.push(...contradictedBy(own, await reportOf(part, behaviours)));
  }
  return new Set(wrong);
}

/** Does this with all of them, a few at a time. */
export async function eachOf<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
