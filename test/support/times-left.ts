import type { ModelConfig, TargetConfig } from '../../src/config/config.js';
import { recordedExchangesOf } from '../../src/journal/recorded-exchanges.js';
import type { JournalLine } from '../../src/journal/event.js';
import { type RunSoFar, runSoFar } from '../../src/cli/terminal/progress/run-so-far.js';
import type { Plan } from '../../src/plan/ticket.js';
import { drive } from '../../src/run/drive.js';
import { type Answering, driveOptions, fakeTarget, plainTrial } from './fake-run.js';
import { aTarget } from './build.js';
import { createVirtualClock } from './virtual-clock.js';

/** A run that is simulated whole, with what its progress line says of the time left. */
export interface SimulatedRun {
  readonly plan: Plan;
  readonly models: readonly ModelConfig[];
  readonly limits: Partial<TargetConfig['limits']>;
  readonly answer: () => Answering;
  /** The part of the exchanges that comes from the journal of an interrupted run; 0: the run begins anew. */
  readonly recorded?: number;
}

/** What the line said at one moment, and how it was. Seconds. */
export interface Told {
  readonly elapsed: number;
  readonly left: ReturnType<RunSoFar['status']>['left'];
  readonly really: number;
}

/** What is told each second from the first request on. */
export async function timesTold(run: SimulatedRun): Promise<readonly Told[]> {
  const { recorded = 0 } = run;
  if (recorded === 0) return (await simulate(run, [], 1_000_000)).told;
  const whole = await simulate(run, [], 1_000_000);
  const lines = whole.lines.filter(({ type }) => type !== 'run_finished');
  return (await simulate(run, lines.slice(0, Math.round(lines.length * recorded)), 100_000_000)).told;
}

async function simulate({ plan, models, limits, answer }: SimulatedRun, journal: readonly JournalLine[], from: number) {
  const clock = createVirtualClock(from);
  const config = { ...aTarget('t', { baseUrl: 'http://fake/v1', limits: { retries: 3, ...limits } }), models };
  const { target } = fakeTarget(config, clock, answer());
  const lines = [...journal];
  const soFar = runSoFar({
    ...{ plan, targets: [config], accounts: new Map<string, string>(), share: 1, now: () => clock.now() },
    budget: { requests: null, tokens: null, cost: null },
    ...(journal.length > 0 && { recorded: { count: journal.length, lost: 0 } }),
  });
  const options = driveOptions(plan, [target], clock, {
    trial: plainTrial(3),
    watchBudget: soFar.watchBudget,
    recorded: journal.length === 0 ? null : recordedExchangesOf(journal, { matchBodies: false }),
    journal: {
      append: (line) => {
        lines.push(line);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
  });
  const told: { elapsed: number; left: Told['left'] }[] = [];
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await clock.sleep(1000, over.signal);
      const { elapsedSeconds, left } = soFar.status();
      told.push({ elapsed: elapsedSeconds, left });
    }
  };
  const all = async (): Promise<void> => {
    const looking = look();
    for await (const event of drive(options)) soFar.see(event);
    over.abort();
    await looking;
  };
  await clock.runUntil(all());
  const end = (clock.now() - from) / 1000;
  return { lines, told: told.map((one) => ({ ...one, really: end - one.elapsed })) };
}
