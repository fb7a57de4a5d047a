import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import type { Exchange } from '../chat/exchange.js';
import { openTransport } from './open-transport.js';

/** Answers in a thread of its own, which goes on while this one is busy, and then wakes it. */
const service = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume();
    response.end('{"choices":[]}', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('an answer that came while this process was busy is no time-out', async () => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(service, { eval: true, workerData: answered });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const port = await new Promise((resolve) => worker.once('message', resolve));
  const timeoutSeconds = 2;
  const target = aTarget('t', { baseUrl: `http://127.0.0.1:${String(port)}/v1`, limits: { timeoutSeconds } });
  const transport = openTransport(target, { headers: {}, secrets: [] });
  onTestFinished(() => transport.close());
  const { exchange } = await new Promise<{ readonly exchange: Promise<Exchange> }>((resolve) => {
    const underWay = transport.send({ model: 'm' }, { sent: () => resolve({ exchange: underWay }) });
  });
  Atomics.wait(answered, 0, 0);
  // Nobody wakes it: the time-out passes while nothing is read.
  Atomics.wait(answered, 0, 1, 1000 * timeoutSeconds);
  expect((await exchange).answer).toMatchObject({ status: 200, failure: null, body: ['{"choices":[]}'] });
});
