import type { EarlierAnswer } from '../../src/run/retry-policy.js';
import { createStopSwitch } from '../../src/run/stop-switch.js';
import { openModel, openTargets, type ModelState } from '../../src/run/target-state.js';
import { aModel, aTarget } from './build.js';
import { createVirtualClock } from './virtual-clock.js';

/** The states of so many models of one account, to which nothing can be sent. */
export function modelStates(count: number, simulator = false) {
  const clock = createVirtualClock();
  /** What was stopped: a model or a target, and why. */
  const stops: string[] = [];
  const listener = {
    limited: () => undefined,
    stopped: (target: string, model: string | null, { kind }: { readonly kind: string }) =>
      void stops.push(`${model ?? target} ${kind}`),
  };
  const config = aTarget('t', { limits: { concurrency: 4, retries: 3 } });
  const send = () => Promise.reject(new Error('nothing is sent here'));
  const target = openTargets(
    new Map([['t', { config, send, simulator }]]),
    1,
    clock,
    createStopSwitch(null),
    listener,
  ).get('t');
  if (target === undefined) throw new Error('the target is there');
  const states: ModelState[] = Array.from({ length: count }, (_, index) =>
    openModel(target, aModel(`t/m${index}`), 1, listener),
  );
  return { clock, states, stops };
}

export function earlierAnswerOf(kind: EarlierAnswer['sign']['kind'], retryAfter: number | null = null): EarlierAnswer {
  const sign = kind === 'unpaid' || kind === 'key' ? { kind, detail: 'refused' } : { kind };
  return { endedAt: 1000, retryAfter, sign, cause: 'HTTP 503' };
}
