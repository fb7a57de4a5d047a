import type { Connections } from '../../assemble/connect.js';
import type { Exchange } from '../../chat/exchange.js';
import type { ModelConfig } from '../../config/config.js';
import { controlBody } from '../../plan/request/request-body.js';
import type { Clock } from '../../run/clock.js';
import { createStopSwitch } from '../../run/stop-switch.js';
import { openModel, openTargets } from '../../run/target-state.js';

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
    limited: (target: string, ms: number) => {
      onWait(target, ms / 1000);
    },
    stopped: () => undefined,
  };
  const states = openTargets(targets, 1, clock, stopSwitch, listener);
  return Promise.all(
    models.map((model) => {
      const target = states.get(model.target);
      if (target === undefined) throw new TypeError(`no target ${model.target}`);
      const state = openModel(target, model, 1, listener);
      const body = controlBody(model);
      const tokens = (): number => state.estimator.most(body).tokens;
      return new Promise<Exchange>((resolve, reject) => {
        target.shared.scheduler.enqueue(state, {
          ...{ priority: 0, tokens, drop: () => undefined },
          begin: async (admission) => {
            const sending = target.send(body, { sent: () => admission.sent() }, stopSwitch.signal);
            await sending.then(resolve, reject);
            admission.settle(tokens());
          },
        });
      });
    }),
  );
}
