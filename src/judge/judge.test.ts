import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judged } from '../../test/support/judged.js';
import { anyCall, asJson, optional, tools } from '../../test/support/orders.js';
import { outcomeClasses } from './outcome-classes.js';

test('gives an outcome for any bytes, however they are cut', () => {
  const statuses = fc.option(fc.constantFrom(100, 200, 204, 301, 400, 404, 429, 500, 503, 999), { nil: null });
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ choices: [{ message: value, finish_reason: 'stop' }] })),
    fc.jsonValue().map((value) =>
      JSON.stringify({
        choices: [{ message: { content: value, tool_calls: [{ function: { name: 'now', arguments: value } }] } }],
      }),
    ),
    fc
      .jsonValue()
      .map(
        (value) =>
          `data: ${JSON.stringify({ choices: [{ delta: { content: value, tool_calls: value } }] })}\n\ndata: [DONE]\n\n`,
      ),
  );
  const expectations = fc.constantFrom(
    {},
    asJson,
    anyCall,
    optional,
    { reasoning: 'present' as const },
    { content: 'object' as const },
  );
  fc.assert(
    fc.property(statuses, fc.array(body), expectations, (status, pieces, expectation) => {
      const outcome = judged({ answer: { status, body: pieces }, expect: expectation, request: { tools } });
      expect(outcome.passed).toBe(outcome.class === null);
      if (outcome.class !== null) expect(outcomeClasses).toContain(outcome.class);
    }),
    { numRuns: 300 },
  );
});
