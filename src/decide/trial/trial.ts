import type { Json, JsonObject } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import { bodyOf, toolResultOf } from '../../plan/request/request-body.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import { expectationOf } from '../../plan/request/derive-expectation.js';
import { TemplateError } from '../../plan/request/template.js';
import { variablesOf } from '../../plan/request/variables.js';
import { askPatiently, type Judging } from './ask-with-retries.js';
import { recoveredBy } from './client-retry.js';
import type { Sending, Trial } from '../course.js';
import { ownFault } from './own-fault.js';

export interface TrialOptions {
  /** How often a fault is retried, as the limits of the ticket's target say. */
  readonly retries: (ticket: Ticket) => number;
}

/** One trial of a single request or of a flow, whose first failing step decides. */
export function makeTrial(options: TrialOptions): Trial {
  return function* (ticket, ask) {
    const single = ticket.cell.probe.enforce !== null || ticket.cell.probe.steps.length < 2;
    const outcome = yield* inOrder(ticket, ask, options.retries(ticket));
    return single ? { ...outcome, step: null } : outcome;
  };
}

function* inOrder(ticket: Ticket, ask: Ask, retries: number): Sending<Outcome> {
  const { probe } = ticket.cell;
  const results: Record<string, Json> = {};
  const quirks = new Set<string>();
  let last: Outcome | null = null;
  for (const step of probe.enforce === null ? probe.steps : [{ kind: 'ask' as const, id: firstId(ticket) }]) {
    const vars = variablesOf(ticket, ask);
    const earlier = { ...results };
    if (step.kind === 'run') {
      const result = rendered(() => toolResultOf(ticket, step.id, { ...vars, steps: earlier }));
      if (result instanceof TemplateError) return ownFault(step.id, result);
      results[step.id] = { result };
      continue;
    }
    const judging = rendered(() => prepare(ticket, ask, step.id, { vars, steps: earlier }));
    if (judging instanceof TemplateError) return ownFault(step.id, judging);
    const outcome = yield* askPatiently(judging, retries);
    for (const quirk of outcome.quirks) quirks.add(quirk);
    last = { ...outcome, quirks: [...quirks], step: step.id };
    if (!outcome.passed) return { ...last, recovered: yield* recoveredBy(probe.retry, outcome, judging) };
    results[step.id] = told(outcome);
  }
  return last ?? ownFault('request', new Error('the probe asks nothing'));
}

function firstId({ cell }: Ticket): string {
  return cell.probe.steps.find(({ kind }) => kind === 'ask')?.id ?? 'request';
}

function prepare(
  ticket: Ticket,
  ask: Ask,
  step: string,
  { vars, steps }: { readonly vars: JsonObject; readonly steps: JsonObject },
): Judging {
  const values = { ...vars, steps };
  const body = bodyOf(ticket, ask, step, values);
  const expectation = expectationOf(ticket, ask, step, body, values);
  return { step, model: ticket.cell.model, body, expectation, values: { vars, request: body, steps } };
}

/** What a template cannot say is a result here, since it is no reason to lose the other trials. */
function rendered<Result>(render: () => Result): Result | TemplateError {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** What later steps may use of a step that passed: `arguments` only when a call came. */
function told({ reply, value }: Outcome): JsonObject {
  const called = (reply?.tool_calls.length ?? 0) > 0;
  return {
    value: value ?? null,
    ...(called ? { arguments: value ?? null } : {}),
    content: reply?.content ?? null,
    reply: reply as unknown as Json,
  };
}
