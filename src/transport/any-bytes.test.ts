import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveRaw } from '../../test/support/loopback.js';
import { openTransport } from './open-transport.js';

/** Response heads as servers write them, whole and broken. */
const head = fc.constantFrom(
  'HTTP/1.1 200 OK\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n',
  'HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\n\r\n',
  'HTTP/1.1 999 What\r\n\r\n',
  'HTTP/9.9',
  '\n\n\n',
  '',
);
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('data: {"choices":[]}\n\n', 'data: [DONE]\n\n', '5\r\nhello\r\n', '0\r\n\r\n', '\r\n')
    .map((text) => Buffer.from(text)),
);

test('any bytes, cut anywhere, become an exchange', async () => {
  await fc.assert(
    fc.asyncProperty(head, fc.array(piece, { maxLength: 8 }), fc.boolean(), async (start, pieces, reset) => {
      const server = await serveRaw((socket) => {
        void (async () => {
          socket.write(start);
          for (const bytes of pieces) {
            if (socket.destroyed) return;
            socket.write(bytes);
            await new Promise((next) => setImmediate(next));
          }
          if (reset) {
            socket.resetAndDestroy();
          } else {
            socket.end();
          }
        })();
      });
      const credentials = { headers: {}, secrets: ['sk-any-bytes-test'] };
      const transport = openTransport(
        aTarget('t', { baseUrl: server.baseUrl, limits: { timeoutSeconds: 60 } }),
        credentials,
      );
      const { answer } = await transport.send({ model: 'm' });
      await transport.close();
      await server.close();
      expect(answer.status !== null || answer.failure !== null).toBe(true);
      expect(answer.failure?.kind).not.toBe('total_timeout');
    }),
    { numRuns: 80 },
  );
});
