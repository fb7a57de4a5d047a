import type { Trial } from '../../../src/decide/course.js';
import type { Clock } from '../../../src/run/clock.js';
import { drive } from '../../../src/run/drive.js';
import type { RunTarget } from '../../../src/run/target-state.js';
import { anExchange } from '../../support/build.js';
import { driveOptions, eventsOf, servedCompletion } from '../../support/fake-run.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import type { Requested, World } from './world.js';

/** When a request was in flight, in milliseconds since the start of the run. */
export interface Sent extends Requested {
  readonly from: number;
  readonly to: number;
}

/** What a run of the world took, in milliseconds, and every request that it sent. */
export interface WorldRun {
  readonly makespan: number;
  readonly sent: readonly Sent[];
}

/** Runs a world in simulated time, so that only the order of its requests counts and no machine. */
export async function runWorld(world: World): Promise<WorldRun> {
  const clock = createVirtualClock();
  const started = clock.now();
  const sent: Sent[] = [];
  const options = driveOptions(world.plan, targetsOf(world, clock, started, sent), clock, {
    trial: trialOf(world),
    controlBody: ({ key }) => bodyOf(world, { model: key, cell: null, ask: null, step: 0 }),
  });
  await clock.runUntil(eventsOf(drive(options)));
  return { makespan: clock.now() - started, sent };
}

function targetsOf(world: World, clock: Clock, started: number, sent: Sent[]): readonly RunTarget[] {
  const usage = { prompt_tokens: promptTokens, completion_tokens: world.tokens - promptTokens };
  const answer = { body: [servedCompletion('ok', usage)] };
  return world.targets.map((config) => ({
    config,
    account: world.keys.get(config.name) ?? config.name,
    simulator: false,
    async send(body, extra, signal) {
      const from = clock.now();
      const { asked } = body as unknown as { readonly asked: Requested };
      extra.sent?.();
      await clock.sleep(world.duration(asked), signal);
      const to = clock.now();
      sent.push({ ...asked, from: from - started, to: to - started });
      const timing = { started_at: new Date(from).toISOString(), headers_ms: to - from, total_ms: to - from };
      return { ...anExchange(body, answer), timing };
    },
  }));
}

function trialOf(world: World): Trial {
  return function* (ticket, ask) {
    const { key: cell, model } = ticket.cell;
    for (let step = 0; step < world.stepsOf(ticket); step += 1) {
      const body = bodyOf(world, { model: model.key, cell, ask, step });
      yield { purpose: 'probe', step: `step-${step}`, attempt: 0, body };
    }
    return world.outcome(ticket, ask);
  };
}

const promptTokens = 100;

/** Holds what identifies the request, and a cap that its answer uses up. */
function bodyOf({ tokens }: World, { ask, ...asked }: Requested) {
  const named = ask === null ? null : { kind: ask.kind, patch: ask.patch, sample: ask.sample };
  return { max_tokens: tokens - promptTokens, asked: { ...asked, ask: named } };
}
