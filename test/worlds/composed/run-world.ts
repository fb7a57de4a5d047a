import { fileURLToPath } from 'node:url';
import { executePlan } from '../../../src/assemble/execute-plan.js';
import { runTargets } from '../../../src/assemble/connect.js';
import { makeReport } from '../../../src/assemble/make-report.js';
import { acceptRun } from '../../../src/baseline/accept-run.js';
import type { Baseline } from '../../../src/baseline/entries.js';
import { readBaseline } from '../../../src/baseline/load-baseline.js';
import type { Config } from '../../../src/config/config.js';
import { isObject } from '../../../src/json/json.js';
import type { RunEvent } from '../../../src/journal/event.js';
import { previousFrom, type PreviousRun } from '../../../src/journal/previous-run.js';
import { memoryOf } from '../../../src/matrix/remembered.js';
import type { Report } from '../../../src/matrix/report-format.js';
import { makePlan } from '../../../src/plan/make-plan.js';
import type { Plan, Profile } from '../../../src/plan/ticket.js';
import { openGathering } from '../../../src/report/gather/gather.js';
import type { Clock } from '../../../src/run/clock.js';
import type { SendRequest } from '../../../src/run/target-state.js';
import type { Probe, Suite } from '../../../src/suite/probe.js';
import { loadSuites } from '../../../src/suite/read/load-suites.js';
import { aConfig, aTarget } from '../../support/build.js';
import { modelWithSettings } from '../../support/builtin-suites.js';
import { serviceOf } from './service.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { randomFrom } from '../../support/random.js';
import type { WorldModel } from './model.js';
import { profileOf, type EchoPair } from './profile.js';
import { recordNight, type Recorded } from './record-night.js';

/** What happens on the way to the service and back: outages, refusals for load, cut connections. */
export type Environment = (send: SendRequest, clock: Clock) => SendRequest;

export interface NightOptions {
  /** Another night of the same models: other draws, the same truth. Default 0. */
  readonly night?: number;
  readonly profile?: Profile;
  /** The night that was accepted. */
  readonly baseline?: Baseline | null;
  /** The night before, which alarms that wait for a second night look at. */
  readonly previous?: PreviousRun | null;
  readonly environment?: Environment;
  /** Models that are asked although the service does not know them any more. */
  readonly gone?: readonly WorldModel[];
  /** Patterns of cells; default: all of the world's suites. */
  readonly only?: readonly string[];
  /** Also collects every event, for those who judge the run again. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** A whole run over a world, and what was really asked and answered in it. */
export interface Night extends Recorded {
  readonly models: readonly WorldModel[];
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly plan: Plan;
  readonly report: Report;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const place = { file: 'chatspec.yaml', line: 1, column: 1 };
const today = '2026-11-20';

/** The world's suites, and those nightly probes of the core suites of which the request alone says how they must end. */
export async function worldSuites(): Promise<readonly Suite[]> {
  const entries = ['test/worlds/composed/suite/*.yaml', 'builtin:core'].map((pattern) => ({ pattern, place }));
  const { suites, problems } = await loadSuites(entries, root);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return suites.map((suite) =>
    suite.name.startsWith('world') ? suite : { ...suite, probes: suite.probes.filter(isPlain) },
  );
}

/** Not those that want to be cut off or refused, and no flows. */
function isPlain({ suite, steps, tags }: Probe): boolean {
  return tags.includes('nightly') && steps.length === 1 && !otherwiseJudged.includes(suite);
}

const otherwiseJudged: readonly string[] = ['budget', 'json-word', 'schema'];

/** Asks all models of a world in process, on a clock that jumps from one event to the next. */
export async function runNight(
  models: readonly WorldModel[],
  suites: readonly Suite[],
  options: NightOptions = {},
): Promise<Night> {
  const {
    night = 0,
    profile = 'standard',
    baseline = null,
    previous = null,
    only = [],
    gone = [],
    environment,
  } = options;
  const all = [...models, ...gone];
  const config = configOf(all);
  const seed = night + 1;
  const { plan, problems } = makePlan({ config, suites, baseline, options: { profile, seed, only } });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const clock = createVirtualClock(Date.parse(`${today}T08:00:00Z`));
  const send = serving(models, suites, seed, clock);
  const gathering = openGathering();
  const record = recordNight(all);
  const targets = runTargets(config.targets, () => environment?.(send, clock) ?? send);
  // Faults that come from outside the models are those of a real service, and are treated as such.
  const asReal = new Map([...targets].map(([name, target]) => [name, { ...target, simulator: false }]));
  await clock.runUntil(
    executePlan(plan, {
      targets: environment === undefined ? targets : asReal,
      clock,
      reporters: [gathering, record, ...(options.onEvent ? [{ onEvent: options.onEvent }] : [])],
      run: { id: `night-${night}`, node: '', previous },
    }),
  );
  const report = await makeReport({ plan, project: { config, suites }, gathering, previous, today });
  return { models: all, config, suites, plan, report, ...record.recorded() };
}

/** What `baseline accept` makes of a night. */
export async function acceptNight({ report }: Night, before: Baseline | null = null): Promise<Baseline> {
  const { baseline, problems } = await readBaseline(acceptRun(report, before, { today }), 'baseline.yaml');
  if (baseline === null) throw new Error(problems.map(({ message }) => message).join('\n'));
  return baseline;
}

/** What the next night remembers of this one. */
export function rememberedOf({ report }: Night): PreviousRun {
  return previousFrom(memoryOf(report));
}

/** Each model has its own share of the concurrency, as with an account of its own. */
function configOf(models: readonly WorldModel[]): Config {
  const limits = { concurrency: 4 * models.length, retries: 2, timeoutSeconds: 60 };
  const configured = models.map(({ id }) => ({ ...modelWithSettings(`world/${id}`), concurrency: 4 }));
  return aConfig([aTarget('world', { baseUrl: 'simulator', limits, models: configured })]);
}

/** The embedded service without sockets. Each answer takes between 0.2 and 2.2 seconds of the clock. */
function serving(models: readonly WorldModel[], suites: readonly Suite[], seed: number, clock: Clock): SendRequest {
  const echoes = echoesOf(suites);
  const service = serviceOf(new Map(models.map((model) => [model.id, profileOf(model, echoes)])), seed);
  const random = randomFrom(seed);
  return async (body, { headers }, signal) => {
    const started = clock.now();
    await clock.sleep(200 + 2000 * random(), signal);
    if (signal.aborted) throw new Error('nothing interrupts a night');
    const exchange = await service.ask(body, { authorization: 'Bearer sk-world', ...headers });
    const ms = clock.now() - started;
    return { ...exchange, timing: { started_at: new Date(started).toISOString(), headers_ms: ms, total_ms: ms } };
  };
}

/** The documents that the probes of enforcement ask to repeat. */
function echoesOf(suites: readonly Suite[]): readonly EchoPair[] {
  return suites
    .flatMap(({ probes }) => probes)
    .flatMap(({ enforce }) =>
      enforce !== null && isObject(enforce.schema)
        ? [{ invalid: JSON.stringify(enforce.invalid), valid: JSON.stringify(enforce.valid) }]
        : [],
    );
}
