import pLimit from 'p-limit';
import type { Connections } from '../../assemble/connect.js';
import type { Exchange } from '../../chat/exchange.js';
import type { ModelConfig } from '../../config/config.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Clock } from '../../run/clock.js';
import { createStopSwitch } from '../../run/limits/stop-switch.js';
import { openTargets } from '../../run/open-targets.js';
import { openModel } from '../../run/target-state.js';

/**
 * Sends one plain, non-streaming request to each model, within the limits of its key: as many at a time, and as many
 * requests and tokens in a minute. Nothing is repeated. The exchanges are in the order of the models.
 * @param onWait called before the limits per minute make a target wait
 */
export async function askEachModel(
  models: readonly ModelConfig[],
  { targets }: Pick<Connections, 'targets'>,
  clock: Clock,
  onWait: (target: string, seconds: number) => void,
): Promise<readonly Exchange[]> {
  const stopSwitch = createStopSwitch(null);
  const listener = {
    waiting: (target: string, ms: number) => {
      onWait(target, ms / 1000);
    },
    stopped: () => undefined,
  };
  const states = openTargets(targets, 1, clock, stopSwitch, listener);
  const queues = new Map<unknown, ReturnType<typeof pLimit>>();
  return Promise.all(
    models.map((model) => {
      const target = states.get(model.target);
      if (target === undefined) throw new TypeError(`no target ${model.target}`);
      const { estimator } = openModel(target, model, 1, clock, listener);
      const queue = queues.get(target.window) ?? pLimit(target.config.limits.concurrency);
      queues.set(target.window, queue);
      return queue(async () => {
        const body = controlBody(model);
        const { tokens } = estimator.most(body);
        const admission = await target.window.admit(tokens, stopSwitch.signal);
        const exchange = await target.send(body, { sent: () => admission?.sent() }, stopSwitch.signal);
        admission?.settle(tokens);
        return exchange;
      });
    }),
  );
}
