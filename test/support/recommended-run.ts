import { splitAtModel } from '../../src/cell/cell-key.js';
import { groupBy } from '../../src/json/group-by.js';
import { runParts } from '../../src/assemble/run-parts.js';
import { buildReport } from '../../src/matrix/build-report.js';
import type { Gathered } from '../../src/matrix/gathered.js';
import type { Report } from '../../src/matrix/report-format.js';
import { makePlan } from '../../src/plan/make-plan.js';
import type { Ticket } from '../../src/plan/ticket.js';
import { openGathering } from '../../src/report/gather/gather.js';
import type { Clock } from '../../src/run/clock.js';
import { systemClock } from '../../src/run/clock.js';
import { drive } from '../../src/run/drive.js';
import type { RunTarget } from '../../src/run/target-state.js';
import type { Suite } from '../../src/suite/probe.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import { aConfig, aTarget } from './build.js';
import { modelWithSettings } from './builtin-suites.js';
import type { EmbeddedService } from './embedded-service.js';
import type { LabelPlan } from './label-plan.js';
import type { LabelRun } from './label-run.js';

/** Waits are cut short: nothing here depends on how long a service asks to be left alone. */
const hurried: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal) };

/**
 * The report of the nightly probes of these suites on every model of the service. A model of which another run asked just
 * these cells is not asked again.
 */
export async function reportOfNight(
  service: EmbeddedService,
  suites: readonly Suite[],
  seed: number,
  before: LabelRun,
): Promise<Report> {
  const night = planOf([...service.profiles.keys()], suites, seed);
  const asked = groupBy(before.work.plan.tickets, ({ cell }) => cell.model.key);
  const known = new Set<string>();
  for (const [model, tickets] of groupBy(night.plan.tickets, ({ cell }) => cell.model.key)) {
    if (areSame(tickets, asked.get(model) ?? [])) known.add(model);
  }
  const others = [...service.profiles.keys()].filter((id) => !known.has(keyOf(id)));
  const fresh = await gatheredFrom(service, planOf(others, suites, seed));
  const behaviours = suites.flatMap((suite) => suite.behaviours);
  return buildReport({
    ...{ plan: night.plan, config: night.config, behaviours, catalogue: await catalogueOf(suites) },
    ...{ gathered: joined(before.gathered, known, fresh), today: '2026-11-20' },
  });
}

const keyOf = (id: string): string => `demo/${id}`;

function planOf(ids: readonly string[], suites: readonly Suite[], seed: number): LabelPlan {
  const models = ids.map((id) => ({ ...modelWithSettings(keyOf(id)), concurrency: 4 }));
  const limits = { concurrency: 64, retries: 2, timeoutSeconds: 60 };
  const config = aConfig([aTarget('demo', { baseUrl: 'simulator', limits, models })]);
  const { plan, problems } = makePlan({ config, suites, baseline: null, options: { tags: ['nightly'], seed } });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return { plan, config };
}

/** The same cells, and the same requests: another run may have patched them. */
function areSame(some: readonly Ticket[], others: readonly Ticket[]): boolean {
  const steps = new Map(others.map(({ cell }) => [cell.key, cell.probe.steps]));
  return steps.size === some.length && some.every(({ cell }) => steps.get(cell.key) === cell.probe.steps);
}

async function gatheredFrom(service: EmbeddedService, { plan, config }: LabelPlan): Promise<Gathered> {
  const targets = new Map<string, RunTarget>(
    config.targets.map((target) => [
      target.name,
      {
        ...{ config: target, simulator: true },
        send: (body, { headers }) => service.ask(body, { authorization: 'Bearer sk-run', ...headers }),
      },
    ]),
  );
  const gathering = openGathering();
  const events = drive({
    ...runParts(plan, config.targets),
    ...{ plan, targets, clock: hurried, budget: config.budget, journal: null, recorded: null },
    run: { id: 'recommendations', tool: { name: 'chatspec', version: '0.0.0' }, node: '', shard: null },
  });
  for await (const event of events) gathering.onEvent(event);
  return gathering.gathered();
}

/** What one run found on some models, and another on the rest. */
function joined(before: Gathered, known: ReadonlySet<string>, fresh: Gathered): Gathered {
  const isKnown = (model: string | null): boolean => known.has(model ?? '');
  const taken = <T>(
    all: ReadonlyMap<string, T> = new Map<string, T>(),
    modelOf = (key: string): string | null => key,
  ) => [...all].filter(([key]) => isKnown(modelOf(key)));
  const ofCell = (key: string): string | null => splitAtModel(key).model;
  return {
    run: fresh.run,
    models: new Map([...taken(before.models), ...fresh.models]),
    cells: new Map([...taken(before.cells, ofCell), ...fresh.cells]),
    wire: new Map([...taken(before.wire), ...(fresh.wire ?? [])]),
    spent: new Map([...taken(before.spent, ofCell), ...(fresh.spent ?? [])]),
    times: new Map([...taken(before.times), ...(fresh.times ?? [])]),
  };
}
