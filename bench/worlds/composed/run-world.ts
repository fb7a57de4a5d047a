import { fileURLToPath } from 'node:url';
import { executePlan } from '../../../src/assemble/execute-plan.js';
import { runTargets } from '../../../src/assemble/connect.js';
import { makeReport } from '../../../src/assemble/make-report.js';
import type { Config } from '../../../src/config/config.js';
import type { Report } from '../../../src/matrix/report-format.js';
import { makePlan } from '../../../src/plan/make-plan.js';
import type { Plan, RunProfile } from '../../../src/plan/plan.js';
import { openGathering } from '../../../src/report/gather/gather.js';
import type { Clock } from '../../../src/run/clock.js';
import type { SendRequest } from '../../../src/run/target-state.js';
import type { Probe, Suite } from '../../../src/suite/probe.js';
import { loadSuites } from '../../../src/suite/read/load-suites.js';
import { aConfig, aTarget } from '../../../test/support/build.js';
import { modelWithSettings } from '../../../test/support/builtin-suites.js';
import { serviceOf } from './service.js';
import { createVirtualClock } from '../../../test/support/virtual-clock.js';
import { randomFrom } from '../../../test/support/random.js';
import type { WorldModel } from './model.js';
import { profileOf } from './profile.js';
import { recordNight, type Recorded } from './record-night.js';

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
const seed = 1;

/**
 * The world's suites, and those nightly probes of the core suites of which the request alone says how they must end.
 */
export async function worldSuites(): Promise<readonly Suite[]> {
  const entries = ['bench/worlds/composed/suite/*.yaml', 'builtin:core'].map((pattern) => ({ pattern, place }));
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
  { profile = 'standard' }: { readonly profile?: RunProfile } = {},
): Promise<Night> {
  const config = configOf(models);
  const { plan, problems } = makePlan({ config, suites, baseline: null, options: { profile, seed } });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const clock = createVirtualClock(Date.parse(`${today}T08:00:00Z`));
  const send = serving(models, clock);
  const gathering = openGathering();
  const record = recordNight(models);
  const targets = runTargets(config.targets, () => send);
  await clock.runUntil(executePlan(plan, { targets, clock, reporters: [gathering, record], run: { id: 'night' } }));
  const report = await makeReport({ plan, project: { config, suites }, gathering, today });
  return { models, config, suites, plan, report, ...record.recorded() };
}

/** Each model has its own share of the concurrency, as with an account of its own. */
function configOf(models: readonly WorldModel[]): Config {
  const limits = { concurrency: 4 * models.length, retries: 2, timeoutSeconds: 60 };
  const configured = models.map(({ id }) => ({ ...modelWithSettings(`world/${id}`), concurrency: 4 }));
  return aConfig([aTarget('world', { baseUrl: 'simulator', limits, models: configured })]);
}

/** The embedded service without sockets. Each answer takes between 0.2 and 2.2 seconds of the clock. */
function serving(models: readonly WorldModel[], clock: Clock): SendRequest {
  const service = serviceOf(new Map(models.map((model) => [model.id, profileOf(model)])), seed);
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
