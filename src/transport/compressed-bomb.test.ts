import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
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

test.each<readonly [encoding: string, how: string, pack: (bytes: Buffer) => Buffer, kind: string]>([
  ['gzip', 'gzip', (bytes) => gzipSync(bytes), 'too_large'],
  ['br', 'brotli', brotli, 'too_large'],
  ['deflate', 'zlib', (bytes) => deflateSync(bytes), 'too_large'],
  ['gzip', 'gzip of gzip', (bytes) => gzipSync(gzipSync(bytes)), 'bad_encoding'],
  ['gzip, gzip', 'gzip of gzip, declared as such', (bytes) => gzipSync(gzipSync(bytes)), 'bad_encoding'],
])('a compression bomb in %s (%s) is stopped at the cap, every time', async (encoding, _how, pack, kind) => {
  const bomb = pack(unpacked());
  const transport = await transportTo(encoding, bomb);
  for (let time = 1; time <= times; time++) {
    const { answer } = await transport.send({ model: 'm', messages: [] });
    expect(answer.failure).toMatchObject({ kind });
    expect(answer.body.join('').length).toBeLessThanOrEqual(2 ** 20);
  }
});
