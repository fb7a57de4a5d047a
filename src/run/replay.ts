import type { TargetConfig } from '../config/config.js';
import type { Plan } from '../plan/ticket.js';
import { systemClock } from './clock.js';
import { drive } from './drive.js';
import { type DriveOptions } from './drive-options.js';
import type { JournalLine, RunEvent } from '../journal/event.js';
import type { RunTarget } from './target-state.js';
import { recordedIn, recordedOf } from '../journal/recorded-run.js';

/** What judging again needs of a run. */
export type ReplayOptions = Pick<
  DriveOptions,
  'plan' | 'courses' | 'trial' | 'further' | 'controlBody' | 'judgeControl' | 'signal'
> & { readonly targets: readonly TargetConfig[] };

/**
 * The events of a recorded run, judged again by today's plan, with nothing sent. An exchange counts when today's suites
 * would send the same body; a course that asks for one which is not there runs dry and says how many it would need.
 * @param journal the file, or its lines
 */
export async function* replay(
  journal: string | Iterable<JournalLine>,
  options: ReplayOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const recorded = await (typeof journal === 'string'
    ? recordedIn(journal, { matchBodies: true })
    : recordedOf(journal, { matchBodies: true }));
  yield* drive({
    ...options,
    targets: silentTargets(options.targets, options.plan),
    clock: systemClock,
    budget: { requests: null, tokens: null, cost: null },
    run: { id: recorded.started?.run ?? 'unknown', tool: { name: 'chatspec', version: '' }, node: '', shard: null },
    journal: null,
    recorded,
    replay: true,
  });
}

function silentTargets(configs: readonly TargetConfig[], plan: Plan): Map<string, RunTarget> {
  const asked = new Set(plan.tickets.map(({ cell }) => cell.model.target));
  return new Map(
    configs
      .filter(({ name }) => asked.has(name))
      .map((config) => [
        config.name,
        {
          config,
          simulator: false,
          send: () => Promise.reject(new Error('nothing is sent when a run is judged again')),
        },
      ]),
  );
}
