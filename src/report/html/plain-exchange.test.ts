import { expect, test } from 'vitest';
import { anExchangeRecord } from '../../../test/support/build.js';
import { redactor } from '../safe/redact.js';
import { openPlain, type PlainExchange, plainText, wholeRequest } from './plain-exchange.js';

function collected(asked: readonly { model: string; messages: string; response: string }[]): readonly PlainExchange[] {
  const plain = openPlain(redactor(), { exchanges: asked.length, cells: asked.length });
  asked.forEach(({ model, messages, response }, index) => {
    const record = anExchangeRecord(`x${index}`, `s/p${index}@t/${model}`);
    const request = { ...record.exchange.request, body: { model, messages } };
    plain.add({ ...record, exchange: { ...record.exchange, request } }, response);
  });
  return [...plain.all().values()];
}

test('what several cells have in common stands in the text once, and a request in the page once', () => {
  const exchanges = collected([
    { model: 'a', messages: 'one', response: 'no' },
    { model: 'b', messages: 'one', response: 'no' },
    { model: 'b', messages: 'one', response: 'never' },
    { model: 'a', messages: 'two', response: 'no' },
  ]);
  const said = new Set<number>();
  const text = plainText(
    exchanges.map((exchange, index) => ({ key: `cell ${index}`, exchange })),
    said,
  );
  expect(text).toMatch(
    /^cell 0\ncell 1\n\nRequest 1, with the model of the cell:\n\{\n {2}"messages": "one"\n\}\n\nResponse/,
  );
  expect(text.match(/"messages": "one"/g)).toHaveLength(1);
  expect(text).toMatch(/cell 2\n\nRequest 1, as above\n\nResponse, HTTP 200:\nnever/);
  expect(text).toContain('Request 2, with');
  expect(plainText([{ key: 'later', exchange: exchanges[3]! }], said)).toContain('Request 2, as above');
});

test('the request of one exchange is whole', () => {
  const [one] = collected([{ model: 'a', messages: 'one', response: 'no' }]);
  expect(JSON.parse(wholeRequest(one!))).toEqual({ model: 'a', messages: 'one' });
});

test('long texts say what they leave out, and there is less of each where there are many', () => {
  const response = 'x'.repeat(5000);
  const asked = (amount: number) =>
    collected(Array.from({ length: amount }, () => ({ model: 'a', messages: 'y'.repeat(5000), response })));
  expect(asked(1)[0]?.response).toContain('3,500 more characters; chatspec evidence shows all');
  expect(asked(3000)[0]?.response).toContain('4,700 more characters; chatspec evidence shows all');
  expect(asked(1)[0]?.request.text).toMatch(/more characters; chatspec evidence shows all/);
});
