import { isSuccess } from '../../chat/exchange.js';
import { own } from '../../chat/fields.js';
import { isDone } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import type { Json } from '../../json/json.js';
import { readingOf, replyOf, valueOf, type RungCheck, type JudgeContext, type Failure } from '../context.js';
import type { Check, ruleRoots } from '../expectation.js';
import type { Violation } from '../outcome.js';
import { isFaultReason } from '../reasons.js';
import { classify } from '../refusals/classify.js';
import { conforms } from './conforms.js';
import { effect } from './effect.js';
import { finishReason } from './finish-reason.js';
import { parses } from './parses.js';
import { presence } from './presence.js';

/** A 2xx must contain a readable choice, and a stream must be complete. */
const readable: RungCheck = (context) => {
  const reading = readingOf(context);
  switch (reading.kind) {
    case 'error':
      return errorInside(context, reading.error);
    case 'malformed':
      return { class: 'malformed_response', rung: 'accepted', detail: reading.detail };
    case 'unread':
      // Caught by `judge`, which makes it the outcome of this answer.
      throw reading.error;
    case 'reply': {
      if (reading.reply.ending === 'open') {
        const detail = 'the stream was cut: it ended with neither a finish_reason nor [DONE]';
        return { class: 'transport', fault: true, rung: 'accepted', detail };
      }
      return unaskedStream(context, reading.reply);
    }
  }
};

function errorInside({ exchange, request }: JudgeContext, error: Parameters<typeof classify>[0]['body']): Failure {
  const { headers, status } = exchange.answer;
  const { reason, detail } = classify({ status: null, headers, body: error, request });
  return {
    class: 'malformed_response',
    reason,
    rung: 'accepted',
    // Behind a 2xx the service itself answered: a gateway that it blames stands behind it, not in front of it.
    fault: isFaultReason(reason) && reason !== 'gateway',
    detail: `an error inside a ${status ?? 200}: ${detail}`,
  };
}

/** A client that asked for one JSON body cannot read events. */
function unaskedStream({ request }: JudgeContext, { streamed }: Reply): Failure | null {
  if (!streamed || own(request, 'stream') === true) return null;
  return {
    class: 'malformed_response',
    rung: 'accepted',
    detail: 'the answer is a stream of events, which the request did not ask for',
  };
}

/** A value that conforms must also satisfy the client's own rules. */
const rules: RungCheck = (context) => {
  if (context.expectation.rules.length === 0) return null;
  const violations = brokenRules(context);
  const [first] = violations;
  if (first === undefined) return null;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    class: 'rule_violation',
    rung: 'conforms',
    violations,
    detail: `broken rule ${first.at}: ${first.message}${more}`,
  };
};

function brokenRules(context: JudgeContext): Violation[] {
  const { rules: asked } = context.expectation;
  const { vars, request, steps } = context.values;
  const reply = replyOf(context) as unknown as Json;
  const value = valueOf(context);
  const known = { vars, request, reply, steps } satisfies Partial<Record<(typeof ruleRoots)[number], Json>>;
  const input: Json = value === undefined ? known : { value, ...known };
  const answers = context.engine.evaluate(asked, input);
  return asked.flatMap(({ id, assert, message }, index) => {
    const answer = answers[index];
    if (answer?.ok !== true)
      return [{ at: id, message: `${message ?? assert} (error: ${answer?.error ?? 'no answer'})` }];
    return answer.value === true ? [] : [{ at: id, message: message ?? `${assert} is not true` }];
  });
}

/** A whole answer must arrive. */
const transport: RungCheck = (context) => {
  const { status, failure } = context.exchange.answer;
  if (failure !== null && !(isSuccess(status) && isDone(readingOf(context)))) {
    return { class: 'transport', fault: true, rung: null, detail: failure.message };
  }
  if (status === null) return { class: 'transport', fault: true, rung: null, detail: 'no status line came' };
  return null;
};

/** Any status other than a 2xx is an error, whatever its body contains. */
const status: RungCheck = ({ exchange, request }) => {
  const { status: code, headers, body } = exchange.answer;
  if (code === null || isSuccess(code)) return null;
  const { reason, detail } = classify({ status: code, headers, body: body.join(''), request });
  return { class: 'http_error', reason, detail, rung: null, fault: code >= 500 || isFaultReason(reason) };
};

export const ladder: Readonly<Record<Check, RungCheck>> = {
  transport,
  status,
  readable,
  finish_reason: finishReason,
  presence,
  json: parses,
  schema: conforms,
  rules,
  effect,
};
