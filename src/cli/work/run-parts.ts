import type { Exchange } from '../../chat/exchange.js';
import type { Expectation } from '../../judge/expectation.js';
import { judge } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Plan } from '../../plan/ticket.js';
import type { DriveOptions } from '../../run/drive-options.js';

type Machinery = Pick<DriveOptions, 'courses' | 'trial' | 'further' | 'controlBody' | 'judgeControl'>;

/** A control succeeds with whatever has a readable choice. */
const anything: Expectation = {
  toolCall: { kind: 'optional' },
  content: 'any',
  schema: null,
  finishReasons: null,
  rejected: null,
  outcome: null,
  rules: [],
  reasoning: null,
};

/** The courses, trials and controls that a run and a repeated judgement have in common. */
export async function machineryFor(plan: Plan, retriesOf: (target: string) => number): Promise<Machinery> {
  const { coursesFor } = await import('../../decide/courses/courses.js');
  const { makeTrial } = await import('../../decide/trial/trial.js');
  const { furtherFrom } = await import('../../matrix/conditions/further.js');
  const { controlBody } = await import('../../plan/request/request-body.js');
  return {
    courses: coursesFor({ plannedCells: plan.plannedCells }),
    trial: makeTrial({ retries: (ticket) => retriesOf(ticket.cell.model.target) }),
    further: furtherFrom(
      plan.reserve,
      plan.tickets.map(({ cell }) => cell),
    ),
    controlBody,
    judgeControl,
  };
}

/** What the answer to a plain request shows. */
export function judgeControl(exchange: Exchange): Outcome {
  return judge(exchange, anything, { vars: {}, request: exchange.request.body, steps: {} });
}
