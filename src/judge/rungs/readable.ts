import { own } from '../../chat/fields.js';
import type { Reply } from '../../chat/reply.js';
import { classify } from '../refusals/classify.js';
import { readingOf, type Failure, type JudgeContext, type RungCheck } from '../context.js';
import { isFaultReason } from '../reasons.js';

/** A 2xx must contain a readable choice, and a stream must be complete. */
export const readable: RungCheck = (context) => {
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
