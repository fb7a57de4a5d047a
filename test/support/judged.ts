import type { Answer, Exchange } from '../../src/chat/exchange.js';
import type { JsonObject } from '../../src/json/json.js';
import type { Expectation } from '../../src/judge/expectation.js';
import { judgeExchange } from '../../src/judge/judge.js';
import type { Outcome } from '../../src/judge/outcome.js';
import { aCompletion, anExchange, anExpectation, aRequest } from './build.js';

export interface Judged {
  readonly message?: JsonObject;
  readonly finish?: string | null;
  readonly usage?: JsonObject | null;
  /** Fields of the request. */
  readonly request?: JsonObject;
  readonly expect?: Partial<Expectation>;
  readonly answer?: Partial<Answer>;
  readonly timing?: Partial<Exchange['timing']>;
  readonly vars?: JsonObject;
  readonly steps?: JsonObject;
}

/** Judges one plain completion (or any answer) against an expectation. */
export function judged({
  request = {},
  expect = {},
  vars = {},
  steps = {},
  answer,
  timing = {},
  ...completion
}: Judged): Outcome {
  const body = aRequest(request);
  const exchange = anExchange(body, { body: [aCompletion(completion)], ...answer });
  const timed = { ...exchange, timing: { ...exchange.timing, ...timing } };
  return judgeExchange(timed, anExpectation(expect), { vars, request: body, steps });
}
