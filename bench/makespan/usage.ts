import { strictest } from '../../src/config/accounts.js';
import { groupBy } from '../../src/json/group-by.js';
import { printTable } from '../print-table.js';
import { perMinuteOf } from './lower-bound.js';
import type { Sent, WorldRun } from './run-world.js';
import type { World } from './world.js';

const parts = 24;

/** Prints where the time of a run goes: how much of the slots and of the minute is used, and who ends last. */
export function printUsage(world: World, { makespan, sent }: WorldRun): void {
  const accounts = groupBy(world.targets, ({ name }) => world.keys.get(name) ?? name);
  for (const [key, targets] of accounts) {
    const limits = targets.map((target) => target.limits).reduce(strictest);
    const names = new Set(targets.flatMap(({ models }) => models.map((model) => model.key)));
    const own = sent.filter(({ model }) => names.has(model));
    const perMinute = perMinuteOf(limits, world.tokens);
    const length = makespan / parts;
    printTable(
      [
        `${key}, until`,
        `slots of ${limits.concurrency}`,
        'sent',
        `in the minute, of ${perMinute}`,
        'each',
        'models left',
      ],
      Array.from({ length: parts }, (_, part) => rowOf(own, part * length, (part + 1) * length)),
    );
  }
  printTable(
    ['ends last', 'latency', 'requests', 'first', 'last sent', 'ends', 'its last cell', 'of it'],
    lastModels(sent),
  );
}

function rowOf(sent: readonly Sent[], from: number, to: number): string[] {
  const busy = sent.reduce((total, one) => total + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0);
  const here = sent.filter((one) => one.from >= from && one.from < to);
  const inMinute = sent.filter((one) => one.from < to && one.from >= to - 60_000);
  const each = here.reduce((total, one) => total + one.to - one.from, 0) / here.length;
  const left = new Set(sent.filter((one) => one.from >= to).map(({ model }) => model));
  return [
    seconds(to),
    (busy / (to - from)).toFixed(1),
    String(here.length),
    String(inMinute.length),
    here.length === 0 ? '' : `${Math.round(each)} ms`,
    String(left.size),
  ];
}

function lastModels(sent: readonly Sent[]): string[][] {
  const last = (of: readonly Sent[]): Sent | undefined => of.toSorted((a, b) => b.to - a.to)[0];
  const models = [...groupBy(sent, ({ model }) => model)].map(([model, own]) => ({ model, own, end: last(own) }));
  return models
    .sort((a, b) => (b.end?.to ?? 0) - (a.end?.to ?? 0))
    .slice(0, 5)
    .map(({ model, own, end }) => {
      const cell = own.filter((one) => one.cell === end?.cell);
      const each = own.reduce((total, one) => total + one.to - one.from, 0) / own.length;
      return [
        model,
        `${Math.round(each)} ms`,
        String(own.length),
        seconds(Math.min(...own.map(({ from }) => from))),
        seconds(Math.max(...own.map(({ from }) => from))),
        seconds(end?.to ?? 0),
        end?.cell ?? 'control',
        `${cell.length} from ${seconds(Math.min(...cell.map(({ from }) => from)))}`,
      ];
    });
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
