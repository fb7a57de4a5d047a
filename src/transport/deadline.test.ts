import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { openTransport, type TransportOptions } from './open-transport.js';

/** Answers after 100 ms, in a thread of its own: it goes on while this thread is busy. `slow` never ends its answer. */
const service = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume();
    const slow = request.url.startsWith('/slow');
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":');
      if (!slow) setTimeout(() => response.end('[]}'), 100);
    }, 100);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function ask(path: string, timeoutSeconds: number, options: TransportOptions = {}) {
  const worker = new Worker(service, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const port = await new Promise((resolve) => worker.once('message', resolve));
  const target = aTarget('t', { baseUrl: `http://127.0.0.1:${String(port)}${path}`, limits: { timeoutSeconds } });
  const transport = openTransport(target, { headers: {}, secrets: [] }, options);
  onTestFinished(() => transport.close());
  return { send: () => transport.send({ model: 'm' }) };
}

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  ['the whole exchange', {}],
  ['the headers', { headersTimeoutMs: 400 }],
  ['the body', { bodyTimeoutMs: 400 }],
])('an answer that came while this process was busy is no time-out of %s', async (_, options) => {
  const { send } = await ask('/v1', 0.5, options);
  await send();
  const sent = send();
  await moment(20);
  blockFor(1500);
  const { answer } = await sent;
  expect(answer).toMatchObject({ status: 200, failure: null });
  expect(answer.body.join('')).toBe('{"choices":[]}');
});

test('an answer that does not come is a time-out, and the time in which this process was busy is given to it', async () => {
  const { send } = await ask('/slow/v1', 0.5);
  const from = performance.now();
  const sent = send();
  await moment(20);
  blockFor(700);
  const { answer } = await sent;
  const took = performance.now() - from;
  expect(answer.failure).toMatchObject({ kind: 'total_timeout' });
  expect(took).toBeGreaterThan(1100);
  expect(took).toBeLessThan(4000);
});
