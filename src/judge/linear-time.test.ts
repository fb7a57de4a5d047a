import { expect, test } from 'vitest';
import { anAnswerOf, anExchange } from '../../test/support/build.js';
import { cpuTime, growth, mostGrowth } from '../../test/support/cpu-time.js';
import { judged } from '../../test/support/judged.js';
import { largeAnswers } from '../../test/support/large-answers.js';
import { anyCall, asJson, tools } from '../../test/support/orders.js';
import { retryAfterOf } from '../chat/errors/retry-after.js';
import { readAnswer } from '../chat/read-answer.js';
import { createMasker } from '../masking/masker.js';
import { maskBody } from '../masking/mask-body.js';

const masker = createMasker(['sk-linear-time-test']);

/** Everything that walks through an answer between the socket and the verdict. A new answer each time: readings are kept. */
function work(body: string): void {
  readAnswer(anAnswerOf(body));
  maskBody(body, masker, true);
  retryAfterOf({ ...anExchange().answer, status: 503, body: [body] }, 0);
  judged({ answer: { status: 200, body: [body] }, expect: asJson, request: { stream: true } });
  judged({ answer: { status: 200, body: [body] }, expect: anyCall, request: { tools, stream: true } });
  judged({ answer: { status: 400, body: [body] }, request: { tools } });
}

test.each(Object.entries(largeAnswers))(
  'four times as much takes about four times as long: %s',
  (_, ofSize) => {
    expect(growth(ofSize, 1000, work)).toBeLessThan(mostGrowth);
  },
  60_000,
);

test.each(['content deltas', 'argument deltas, a new id in each'])(
  '15 MB are read in under a second, and searched for keys in under two: %s',
  (name) => {
    const ofSize = largeAnswers[name] ?? (() => '');
    const body = ofSize(Math.ceil(15e6 / (ofSize(1000).length / 1000)));
    // Its spelling in hexadecimal digits can be found in the ids, letter by letter, so the whole stream has to be searched.
    expect(
      cpuTime(() => readAnswer(anAnswerOf(body)), 1),
      'to read',
    ).toBeLessThan(1_000);
    expect(
      cpuTime(() => maskBody(body, masker, true), 1),
      'to search',
    ).toBeLessThan(2_000);
  },
  60_000,
);
