import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveHttp } from '../../test/support/loopback.js';
import { openTransport } from './open-transport.js';

/** Twice what the transport reads of an answer. */
const unpackedMb = 64;
const times = 2;

/** Compressed on first use; only the compressed bytes are kept. */
const unpacked = () => Buffer.alloc(unpackedMb * 2 ** 20, ' ');
const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

async function transportTo(encoding: string, bomb: Buffer) {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(bomb);
  });
  onTestFinished(() => server.close());
  const transport = openTransport(aTarget('t', { baseUrl: server.baseUrl, limits: { timeoutSeconds: 600 } }), {
    headers: {},
    secrets: [],
  });
  onTestFinished(() => transport.close());
  return transport;
}

test.each([
  ['gzip', gzipSync],
  ['br', brotli],
] as const)('a compression bomb in %s is stopped at the cap, every time', async (encoding, pack) => {
  const bomb = pack(unpacked());
  const transport = await transportTo(encoding, bomb);
  for (let time = 1; time <= times; time++) {
    const { answer } = await transport.send({ model: 'm', messages: [] });
    expect(answer.failure).toMatchObject({ kind: 'too_large' });
    expect(answer.body.join('').length).toBeLessThanOrEqual(2 ** 20);
  }
});
