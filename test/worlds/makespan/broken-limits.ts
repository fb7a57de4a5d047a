import { strictest } from '../../../src/config/accounts.js';
import { groupBy } from '../../../src/json/group-by.js';
import { longestTravel } from './bound-by-limits.js';
import type { Sent, WorldRun } from './run-world.js';
import type { World } from './world.js';

/** What a run sent beyond its limits, in words. */
export function brokenLimits(world: World, { sent }: WorldRun): readonly string[] {
  const accounts = groupBy(world.targets, ({ name }) => world.keys.get(name) ?? name);
  const ofModels = groupBy(sent, ({ model }) => model);
  return [...accounts].flatMap(([key, targets]) => {
    const limits = targets.map((target) => target.limits).reduce(strictest);
    const models = targets.flatMap((target) => target.models);
    const all = models.flatMap((model) => ofModels.get(model.key) ?? []);
    const perMinute = Math.min(
      limits.requestsPerMinute ?? Infinity,
      (limits.tokensPerMinute ?? Infinity) / world.tokens,
    );
    return [
      ...above(`${key}, at once`, atOnce(all), limits.concurrency),
      ...above(`${key}, in a minute`, inMinute(all), perMinute),
      ...models.flatMap(({ key: model, concurrency }) =>
        above(`${model}, at once`, atOnce(ofModels.get(model) ?? []), concurrency ?? Infinity),
      ),
    ];
  });
}

type Span = Pick<Sent, 'from' | 'to'>;

const above = (what: string, seen: number, limit: number): readonly string[] =>
  seen > limit ? [`${what}: ${seen}, not ${limit}`] : [];

function atOnce(sent: readonly Span[]): number {
  const changes = sent.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  // What ends frees its slot for what begins at the same time.
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let [now, most] = [0, 0];
  for (const { by } of changes) most = Math.max(most, (now += by));
  return most;
}

/** A request arrives at some time between being sent and being answered: counted as early and as late as possible. */
const inMinute = (sent: readonly Span[]): number =>
  atOnce(sent.map(({ from, to }) => ({ from, to: Math.min(to, from + longestTravel) + 60_000 })));
