import { runParts } from '../../src/assemble/run-parts.js';
import { buildReport } from '../../src/matrix/build-report.js';
import type { Report } from '../../src/matrix/report-format.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { openGathering } from '../../src/report/gather/gather.js';
import type { Clock } from '../../src/run/clock.js';
import { systemClock } from '../../src/run/clock.js';
import { drive } from '../../src/run/drive.js';
import type { RunTarget } from '../../src/run/target-state.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import { aConfig, aTarget } from './build.js';
import { loadBuiltin, modelWithSettings } from './builtin-suites.js';
import type { EmbeddedService } from './embedded-service.js';

/** Waits are cut short: nothing here depends on how long a service asks to be left alone. */
const hurried: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal) };

/** The report of a run of these probes of the core suites on every model of the service. */
export async function reportOfCore(service: EmbeddedService, seed: number, tags: readonly string[]): Promise<Report> {
  const { suites } = await loadBuiltin('core');
  const models = [...service.profiles.keys()].map((id) => ({ ...modelWithSettings(`demo/${id}`), concurrency: 4 }));
  const limits = { concurrency: 64, retries: 2, timeoutSeconds: 60 };
  const config = aConfig([aTarget('demo', { baseUrl: 'simulator', limits, models })]);
  const { plan } = makePlan({ config, suites, baseline: null, options: { tags, seed } });
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
  return buildReport({
    ...{ plan, config, behaviours: suites.flatMap((suite) => suite.behaviours), catalogue: await catalogueOf(suites) },
    ...{ gathered: gathering.gathered(), today: '2026-11-20' },
  });
}
