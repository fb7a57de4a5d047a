import { deploymentIn } from '../../chat/answer-headers.js';
import type { Reply } from '../../chat/reply.js';
import { type JsonObject, writtenJson } from '../../json/json.js';
import type { ExchangeRecord, RunEvent } from '../../journal/event.js';
import type { RepliedFacts } from '../../judge/application/exchange-facts.js';
import type { CellFailure } from '../../matrix/report-format.js';
import type { servedFields } from '../../matrix/served-by.js';
import { exchangeFacts } from '../evidence/evidence-bundle.js';
import { everything, reportExcerpt, longestReportText } from '../safe/capped.js';
import type { FailingTrial } from './failure-spool.js';

/** An exchange that waits for its trial: not its body, since many wait at once, and some for a fault to be repeated. */
export interface Waiting extends Pick<ExchangeRecord, 'purpose' | 'step' | 'exchange'> {
  readonly reply: RepliedFacts | null;
  readonly served: Readonly<Record<(typeof servedFields)[number], string | null>>;
}

export function waitingExchange(
  { purpose, step, exchange, served, fingerprint }: ExchangeRecord,
  reply: Reply | null,
): Waiting {
  const { status, headers, failure } = exchange.answer;
  const answer = { status, headers: keptValues(headers), body: [], failure };
  return {
    purpose,
    step,
    exchange: { ...exchange, answer },
    reply: reply && {
      id: reportExcerpt(reply.id),
      request_id: reportExcerpt(reply.request_id),
      finish_reason: reportExcerpt(reply.finish_reason),
      usage: keptUsage(reply.usage),
    },
    served: {
      model: reportExcerpt(served),
      system_fingerprint: reportExcerpt(fingerprint),
      provider: reportExcerpt(reply?.provider ?? null),
      deployment: reportExcerpt(deploymentIn(headers)),
    },
  };
}

export function trialFailure(
  { outcome, exchanges }: Extract<RunEvent, { type: 'trial' }>,
  pending: ReadonlyMap<string, Waiting>,
): CellFailure & Pick<FailingTrial, 'facts'> {
  const failed = failedExchange(exchanges, outcome.step, pending);
  const known = failed === null ? undefined : pending.get(failed);
  const facts = known === undefined ? null : exchangeFacts(known, known.reply);
  const violations = outcome.violations.map(({ at, message }) => ({
    at: reportExcerpt(at),
    message: reportExcerpt(message),
  }));
  return {
    class: outcome.class,
    reason: outcome.reason,
    status: outcome.status,
    count: 1,
    rung: outcome.rung,
    detail: reportExcerpt(outcome.detail),
    step: outcome.step,
    violations,
    exchange: failed,
    exchanges,
    ...(outcome.flaw !== undefined && { flaw: outcome.flaw }),
    ...(outcome.clue !== undefined && { clue: outcome.clue }),
    traceresponse: facts?.traceresponse ?? null,
    response_id: facts?.id ?? facts?.request_id ?? null,
    facts,
  };
}

/** The answer that was judged in this step of a trial. */
export function exchangeOfStep(
  ids: readonly string[],
  step: string | null,
  pending: ReadonlyMap<string, Waiting>,
): string | null {
  const isOfStep = (id: string): boolean => {
    const record = pending.get(id);
    return record?.purpose === 'probe' && (step === null || record.step === step);
  };
  return ids.findLast(isOfStep) ?? null;
}

/** The last answer to the probe itself; controls and the client's retry come after it. */
export function failedExchange(
  ids: readonly string[],
  step: string | null,
  pending: ReadonlyMap<string, Waiting>,
): string | null {
  const ofProbe = ids.filter((id) => pending.get(id)?.purpose === 'probe');
  return ofProbe.findLast((id) => step === null || pending.get(id)?.step === step) ?? ofProbe.at(-1) ?? ids[0] ?? null;
}

/** The headers of an answer. */
function keptValues(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values = Object.values(headers);
  if (values.every((value) => value.length <= longestReportText)) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, reportExcerpt(value)]));
}

/** The `usage` of an answer, which is data of any form. */
function keptUsage(usage: JsonObject | null): JsonObject | null {
  const length = usage === null ? 0 : writtenJson(usage).length;
  return length <= longestReportText ? usage : { left_out: `${length.toLocaleString('en')} characters; ${everything}` };
}
