import { randomBytes } from 'node:crypto';
import type { Exchange } from '../chat/exchange.js';
import type { TargetConfig } from '../config/config.js';
import { coursesFor } from '../decide/courses/courses.js';
import { makeTrial } from '../decide/trial/trial.js';
import { watchWire } from '../decide/wire/fresh-exchanges.js';
import { derive, explicit } from '../judge/expectation.js';
import { judgeExchange } from '../judge/judge.js';
import type { Outcome } from '../judge/outcome.js';
import { furtherCellsFrom } from '../matrix/conditions/further-cells.js';
import { controlBody } from '../plan/request/request-body.js';
import type { RunEvent } from '../journal/event.js';
import { planAfter } from '../plan/make-plan.js';
import type { Plan } from '../plan/plan.js';
import { systemClock } from '../run/clock.js';
import { drive } from '../run/drive.js';
import type { DriveOptions } from '../run/drive-options.js';
import { toolVersion } from './tool-version.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aFunction, aList, aMap, anObject, orNull, required } from '../options/kinds.js';

/** Receives everything that happens in a run. It cannot change the run, except by throwing, which ends it. */
export interface RunReporter {
  /** Called for each event, in order. The run waits for a promise, so a slow reporter slows it down. */
  readonly onEvent: (event: RunEvent) => void | Promise<void>;
  /** Called once when no more events come, also after an interruption or an error. */
  readonly onEnd?: () => void | Promise<void>;
}

export interface ExecuteOptions extends Partial<
  Pick<DriveOptions, 'clock' | 'budget' | 'journal' | 'recorded' | 'signal' | 'further'>
> {
  /**
   * By name; every target that the plan asks. See {@link connect}, or {@link runTargets} for a transport of your own.
   */
  readonly targets: DriveOptions['targets'];
  readonly reporters?: readonly RunReporter[];
  /** Facts for the first event of the run. Default: a random id, this version of chatspec, no shard. */
  readonly run?: Partial<DriveOptions['run']>;
}

const executeOptionTable: OptionTable<ExecuteOptions> = {
  targets: required(aMap),
  reporters: aList,
  run: anObject,
  clock: anObject,
  budget: anObject,
  journal: orNull(anObject),
  recorded: orNull(anObject),
  signal: anObject,
  further: aFunction,
};

const noBudget: DriveOptions['budget'] = { requests: null, tokens: null, cost: null };

/**
 * Asks a plan, judges the answers and decides, and hands every event to the reporters. Without further options it uses
 * the system's clock, no budget and no journal. Resolves when the run has ended, also after `signal` was aborted.
 * Throws as {@link drive} does, and what a reporter throws.
 */
export async function executePlan(plan: Plan, given: ExecuteOptions): Promise<void> {
  checkOptions('`executePlan`', given, executeOptionTable);
  const { targets, reporters = [], run = {}, ...options } = given;
  const configs = [...targets.values()].map(({ config }) => config);
  const asked = planAfter(plan, run.previous);
  const events = drive({
    ...runParts(asked, configs),
    plan: asked,
    targets,
    clock: systemClock,
    budget: noBudget,
    journal: null,
    recorded: null,
    ...options,
    run: {
      id: randomBytes(8).toString('hex'),
      tool: { name: 'chatspec', version: toolVersion() },
      node: process.version,
      shard: null,
      ...run,
    },
  });
  try {
    for await (const event of events) {
      for (const reporter of reporters) {
        const done = reporter.onEvent(event);
        if (done !== undefined) await done;
      }
    }
  } finally {
    for (const reporter of reporters) await reporter.onEnd?.();
  }
}

/** How a plan is asked and decided, whether live or from a journal. */
export type RunParts = Pick<
  DriveOptions,
  'courses' | 'trial' | 'further' | 'watchWire' | 'controlBody' | 'judgeControl'
>;

/**
 * The courses, trials and controls of a plan, for {@link drive} and {@link replay}.
 * @param targets those that the plan asks; their limits say how often a fault is retried
 */
export function runParts(plan: Plan, targets: Iterable<TargetConfig>): RunParts {
  const retries = new Map([...targets].map(({ name, limits }) => [name, limits.retries]));
  return {
    courses: coursesFor({ plannedCells: plan.plannedCells }),
    trial: makeTrial({ retries: ({ cell }) => retries.get(cell.model.target) ?? 0 }),
    further: furtherCellsFrom(
      plan.reserve,
      plan.cells.map(({ cell }) => cell),
    ),
    watchWire: (model, cells) => watchWire(cells, plan.acceptedWire.get(model) ?? null),
    controlBody,
    judgeControl,
  };
}

/** A control passes with any readable choice. */
const anyReply = explicit(derive({}), { tool_call: 'optional', content: 'any' });

/** The outcome of a plain request, which asks for nothing but an answer. */
export function judgeControl(exchange: Exchange): Outcome {
  return judgeExchange(exchange, anyReply, { vars: {}, request: exchange.request.body, steps: {} });
}
