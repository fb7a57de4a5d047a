import { strictest } from '../config/accounts.js';
import type { Limits } from '../config/config.js';
import type { Clock } from './clock.js';
import type { StopSwitch } from './limits/stop-switch.js';
import {
  openAccountLimits,
  openTarget,
  type AccountLimits,
  type RunTarget,
  type TargetListener,
  type TargetState,
} from './target-state.js';

/**
 * The state of each target. Targets that a service counts together share one account, for which the strictest limits of
 * any of them hold.
 * @param share the part of the limits that this run may use, above 0 and up to 1
 */
export function openTargets(
  targets: ReadonlyMap<string, RunTarget>,
  share: number,
  clock: Clock,
  run: StopSwitch,
  listener: TargetListener,
): ReadonlyMap<string, TargetState> {
  const limits = new Map<string, Limits>();
  for (const target of targets.values()) {
    const { config } = target;
    const account = accountOf(target);
    limits.set(account, strictest(limits.get(account) ?? config.limits, config.limits));
  }
  const accounts = new Map<string, AccountLimits>();
  return new Map(
    [...targets].map(([name, target]) => {
      const key = accountOf(target);
      const account =
        accounts.get(key) ??
        openAccountLimits(limits.get(key) ?? target.config.limits, share, clock, (ms) => {
          listener.waiting(name, ms, 'rate_limit');
        });
      accounts.set(key, account);
      return [name, openTarget(target, account, run, listener)];
    }),
  );
}

const accountOf = ({ account, config }: RunTarget): string => account ?? config.name;
