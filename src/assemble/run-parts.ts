import type { Exchange } from '../chat/exchange.js';
import type { TargetConfig } from '../config/config.js';
import { coursesFor } from '../decide/courses/courses.js';
import { makeTrial } from '../decide/trial/trial.js';
import { watchWire } from '../decide/wire/fresh-exchanges.js';
import { derive, explicit } from '../judge/expectation.js';
import { judge } from '../judge/judge.js';
import type { Outcome } from '../judge/outcome.js';
import { furtherTicketsFrom } from '../matrix/conditions/further-tickets.js';
import { controlBody } from '../plan/request/request-body.js';
import type { Plan } from '../plan/ticket.js';
import type { DriveOptions } from '../run/drive-options.js';
import { aPlan } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

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
  checkFirst('runParts', plan, aPlan);
  const retries = new Map([...targets].map(({ name, limits }) => [name, limits.retries]));
  return {
    courses: coursesFor({ plannedCells: plan.plannedCells }),
    trial: makeTrial({ retries: ({ cell }) => retries.get(cell.model.target) ?? 0 }),
    further: furtherTicketsFrom(
      plan.reserve,
      plan.tickets.map(({ cell }) => cell),
    ),
    watchWire: (model, tickets) => watchWire(tickets, plan.acceptedWire.get(model) ?? null),
    controlBody,
    judgeControl,
  };
}

/** A control passes with any readable choice. */
const anyReply = explicit(derive({}), { tool_call: 'optional', content: 'any' });

/** The outcome of a plain request, which asks for nothing but an answer. */
export function judgeControl(exchange: Exchange): Outcome {
  return judge(exchange, anyReply, { vars: {}, request: exchange.request.body, steps: {} });
}
