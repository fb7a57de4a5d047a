// A stub service that costs next to nothing; bench/engine.mjs runs it in a process of its own. Every request
// gets the same invoice, which conforms to fixtures/schemas/invoice.json. A message from the parent process is answered
// with the number of requests so far.
import { createServer } from 'node:http';

const invoice = {
  vendor_name: 'Huang Trading Ltd.',
  vendor_address: { street: '12 Harbour Road', city: 'Shanghai', postal_code: '200000', country: 'China' },
  invoice_number: 'INV-2026-0501',
  invoice_date: '2026-05-01',
  line_items: [
    { description: 'Keyboard', quantity: 3, unit_price: 299 },
    { description: 'Mouse', quantity: 2, unit_price: 99.5 },
  ],
  total_amount: 1096,
  currency: 'CNY',
};
const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-engine',
    object: 'chat.completion',
    created: 1777593600,
    model: 'engine',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: JSON.stringify(invoice) },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: 120, completion_tokens: 110, total_tokens: 230 },
  }),
);
const headers = { 'content-type': 'application/json', 'content-length': answer.length };
let requests = 0;

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    requests += 1;
    response.writeHead(200, headers).end(answer);
  });
});
// Longer than any client waits: a connection that closes just as it is used again would look like a fault.
server.keepAliveTimeout = 60_000;
process.on('message', () => process.send({ requests }));
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
