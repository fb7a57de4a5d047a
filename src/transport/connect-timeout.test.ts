import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveRaw } from '../../test/support/loopback.js';
import { openTransport } from './open-transport.js';

test('a connection that is never made differs from an answer that never comes', async () => {
  // Accepts the connection and never answers the handshake.
  const server = await serveRaw(() => {});
  onTestFinished(() => server.close());
  const target = aTarget('t', { baseUrl: server.baseUrl.replace('http:', 'https:'), limits: { timeoutSeconds: 30 } });
  const transport = openTransport(target, { headers: {}, secrets: [] }, { connectTimeoutMs: 80 });
  onTestFinished(() => transport.close());
  const { answer } = await transport.send({ model: 'm', messages: [] });
  expect(answer).toMatchObject({ status: null, body: [], failure: { kind: 'connect_timeout' } });
});
