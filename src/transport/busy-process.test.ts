import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { openTransport } from './open-transport.js';

/** Answers after 100 ms, in a thread of its own: it goes on while this thread is busy. */
const service = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.end('{"choices":[]}'), 100);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('an answer that came while this process was busy is no time-out', async () => {
  const worker = new Worker(service, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const port = await new Promise((resolve) => worker.once('message', resolve));
  const target = aTarget('t', {
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    limits: { timeoutSeconds: 0.5 },
  });
  const transport = openTransport(target, { headers: {}, secrets: [] });
  onTestFinished(() => transport.close());
  await transport.send({ model: 'm' });
  const sent = transport.send({ model: 'm' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const until = performance.now() + 1500;
  while (performance.now() < until);
  expect((await sent).answer).toMatchObject({ status: 200, failure: null, body: ['{"choices":[]}'] });
});
