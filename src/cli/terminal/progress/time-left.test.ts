import { expect, test } from 'vitest';
import { aModel, aPlan } from '../../../../test/support/build.js';
import { type Answering, runTicket } from '../../../../test/support/fake-run.js';
import { type SimulatedRun, timesTold } from '../../../../test/support/times-left.js';

const models = ['a', 'b', 'c', 'd'].map((name) => aModel(`t/${name}`));
const usual: Pick<SimulatedRun, 'models' | 'limits' | 'plan'> = {
  models,
  limits: { concurrency: 4, timeoutSeconds: 60 },
  plan: aPlan(models.flatMap((model) => Array.from({ length: 30 }, (_, index) => runTicket(model, `c${index}`, 2)))),
};
const idOf = (body: unknown): string => (body as { model: string }).model;
const cellOf = (body: unknown): string => String((body as { cell?: string }).cell);
/** Between half a second and one and a half. */
const someMs = (count: number): number => 500 + ((count * 7919) % 1000);
const hanging = {
  ...{ ms: 60_000, status: null, body: [] },
  failure: { kind: 'total_timeout', message: 'no answer' },
} as const;
const throttling = (): ((name: string, at: number) => boolean) => {
  let next = 0;
  return (name, at) => {
    if (name !== 'd') return false;
    if (at < next) return true;
    next = at + 3000;
    return false;
  };
};
const refused = { ms: 20, status: 429, headers: { 'retry-after': '5' }, body: ['{}'] };

const plain: Answering = (_, count) => ({ ms: someMs(count) });
const runs: Record<string, SimulatedRun> = {
  'a plain run': { ...usual, answer: () => plain },
  'one model takes ten times as long': {
    ...usual,
    answer: () => (seen, count) => ({ ms: someMs(count) * (idOf(seen.body) === 'd' ? 10 : 1) }),
  },
  'one model is throttled by 429 with Retry-After': {
    ...usual,
    answer: () => {
      const isRefused = throttling();
      return (seen, count) => (isRefused(idOf(seen.body), seen.at) ? refused : { ms: someMs(count) });
    },
  },
  'one model hangs until its time-out': {
    ...usual,
    answer: () => (seen, count) =>
      idOf(seen.body) === 'd' && 'cell' in (seen.body as object) ? hanging : { ms: someMs(count) },
  },
  'one model hangs in some cells': {
    ...usual,
    answer: () => (seen, count) =>
      idOf(seen.body) === 'd' && /c[0-3]@/.test(cellOf(seen.body)) ? hanging : { ms: someMs(count) },
  },
  'one model fails with 500': {
    ...usual,
    answer: () => (seen, count) =>
      idOf(seen.body) === 'd' && 'cell' in (seen.body as object)
        ? { ms: 50, status: 500, body: ['{}'] }
        : { ms: someMs(count) },
  },
  'a resumed run': { ...usual, recorded: 0.5, answer: () => plain },
  'a resumed run with a model that is throttled, one that fails and one that hangs': {
    ...usual,
    recorded: 0.5,
    answer: () => {
      const isRefused = throttling();
      return (seen, count) => {
        const name = idOf(seen.body);
        if (isRefused(name, seen.at)) return refused;
        if (name === 'c' && 'cell' in (seen.body as object)) return { ms: 50, status: 500, body: ['{}'] };
        if (name === 'b' && /c2[0-9]@/.test(cellOf(seen.body))) return hanging;
        return { ms: someMs(count) };
      };
    },
  },
  'the whole account is throttled': {
    ...usual,
    answer: () => {
      let next = 0;
      return (seen, count) => {
        if (seen.at < next) return { ...refused, headers: {} };
        next = seen.at + 1500;
        return { ms: someMs(count) };
      };
    },
  },
  'a model whose opening control hangs': {
    ...usual,
    answer: () => (seen, count) => (idOf(seen.body) === 'd' ? hanging : { ms: someMs(count) }),
  },
  'one answer in ten is a 500': {
    ...usual,
    answer: () => (_, count) => (count % 10 === 3 ? { ms: 50, status: 500, body: ['{}'] } : { ms: someMs(count) }),
  },
  'one answer in twenty hangs': {
    ...usual,
    answer: () => (_, count) => (count % 20 === 3 ? hanging : { ms: someMs(count) }),
  },
  'one slow model with fewer slots': {
    ...usual,
    models: [...models.slice(0, 3), { ...models[3]!, concurrency: 1 }],
    plan: aPlan(
      [...models.slice(0, 3), { ...models[3]!, concurrency: 1 }].flatMap((model) =>
        Array.from({ length: 30 }, (_, index) => runTicket(model, `c${index}`, 2)),
      ),
    ),
    answer: () => (seen, count) => ({ ms: someMs(count) * (idOf(seen.body) === 'd' ? 4 : 1) }),
  },
  'a limit per minute': { ...usual, limits: { ...usual.limits, requestsPerMinute: 60 }, answer: () => plain },
};

/** Where more than a factor of two is allowed: a model that fails is not known to do so before it is asked. */
const allowed: Readonly<Record<string, number>> = { 'one model fails with 500': 0.3 };

test.each(Object.keys(runs))('the time left is told well, or as the least: %s', async (name) => {
  const told = await timesTold(runs[name]!);
  const end = told.at(-1)!.elapsed;
  const errors = [0.1, 0.25, 0.5, 0.75].map((part) => {
    const { left, really } = told.find(({ elapsed }) => elapsed >= part * end)!;
    return { part, isLeast: left!.isLeast, error: left!.seconds / really };
  });
  const isWrong = ({ isLeast, error }: (typeof errors)[number]): boolean =>
    isLeast ? error > 1.1 : error < (allowed[name] ?? 0.5) || error > 2;
  expect(errors.filter(isWrong)).toEqual([]);
});

test.each(['a plain run', 'one model is throttled by 429 with Retry-After', 'a limit per minute'])(
  'something is known: %s',
  async (name) => {
    const told = await timesTold(runs[name]!);
    expect(told.filter(({ left }) => left?.isLeast === true)).toEqual([]);
  },
);
