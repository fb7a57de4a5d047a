import { runParts } from '../src/assemble/run-parts.js';
import type { TargetConfig } from '../src/config/config.js';
import { makePlan } from '../src/plan/make-plan.js';
import type { Plan } from '../src/plan/ticket.js';
import { systemClock } from '../src/run/clock.js';
import { drive } from '../src/run/drive.js';
import type { RunEvent } from '../src/journal/event.js';
import { startSimulator, type Simulator } from '../src/simulator/index.js';
import { loadSuites } from '../src/suite/read/load-suites.js';
import { openTransport } from '../src/transport/open-transport.js';
import { aConfig, aModel, aTarget } from '../test/support/build.js';

export interface ServicePlan {
  readonly plan: Plan;
  readonly target: TargetConfig;
}

const { place } = aTarget();
const nothing = { headers: {}, secrets: [] };

/** The plan of a normal night over one suite, all of it covered by the baseline and expected to pass. */
export async function planOf(
  suite: string,
  folder: string,
  models: readonly string[],
  options: { readonly seed: number; readonly concurrency: number },
): Promise<ServicePlan> {
  const { suites, problems } = await loadSuites([{ pattern: suite, place }], folder);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  const target = aTarget('bench', {
    limits: { concurrency: options.concurrency, timeoutSeconds: 60 },
    models: models.map((id) => aModel(`bench/${id}`)),
  });
  const baseline = { file: 'bench', covers: [{ cells: '*', trials: null }], expect: [] };
  return {
    plan: makePlan({ config: aConfig([target]), suites, baseline, options: { seed: options.seed } }).plan,
    target,
  };
}

/** Runs a plan over HTTP, against the embedded service. */
export async function driveService({ plan, target }: ServicePlan, simulator: Simulator): Promise<readonly RunEvent[]> {
  const transport = openTransport(target, nothing, { baseUrl: simulator.baseUrl });
  const events: RunEvent[] = [];
  try {
    const run = drive({
      ...runParts(plan, [target]),
      ...{ plan, clock: systemClock, journal: null, recorded: null },
      budget: { requests: null, tokens: null, cost: null },
      targets: new Map([
        [
          target.name,
          { config: target, simulator: true, send: (body, extra, signal) => transport.send(body, extra, signal) },
        ],
      ]),
      run: { id: 'bench', tool: { name: 'chatspec', version: '0.0.0' }, node: '', shard: null },
    });
    for await (const event of run) events.push(event);
  } finally {
    await transport.close();
  }
  return events;
}

export const service = (folder: string, seed: number): Promise<Simulator> =>
  startSimulator({ seed, profiles: `${folder}/profiles`, samples: 'fixtures/samples' });
