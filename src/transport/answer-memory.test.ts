import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveHttp, serveRaw } from '../../test/support/loopback.js';
import { createAnswerMemory } from './answer-memory.js';
import { openTransport, type Transport } from './open-transport.js';

const mb = 1_000_000;

describe('the memory of answers', () => {
  const answers = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
  test('lets all of them end, whatever their order, and holds no more than it may', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(1000), { minLength: 1 }), (sizes, choices) => {
        const most = 10 * mb;
        const memory = createAnswerMemory(most);
        const open = sizes.map((size) => {
          const answer = { left: size, read: 0, waits: false };
          const holding = memory.open(() => void (answer.waits = false));
          return { answer, holding };
        });
        let taken = 0;
        for (let turn = 0; open.length > 0; turn += 1) {
          const ready = open.filter(({ answer }) => !answer.waits);
          expect(ready.length, 'all wait').toBeGreaterThan(0);
          const one = ready[choices[turn % choices.length]! % ready.length]!;
          if (one.answer.left === 0) {
            open.splice(open.indexOf(one), 1);
            taken -= one.answer.read;
            one.holding.release();
          } else {
            one.answer.left -= 1;
            one.answer.read += mb;
            taken += mb;
            one.answer.waits = !one.holding.grow(mb);
            expect(one.answer.waits && one.answer.read <= mb, 'a small answer waits').toBe(false);
          }
          expect(taken).toBeLessThanOrEqual(most + 40 * mb + 2 * mb * sizes.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const text = JSON.stringify({ filler: 'x'.repeat(8 * mb) });

/** Ways to send it whose ends differ. */
const ways: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'of a known length': (response) => response.writeHead(200, { 'content-length': text.length }).end(text),
  'in chunks': (response) => {
    response.writeHead(200);
    for (let at = 0; at < text.length; at += mb) response.write(text.slice(at, at + mb));
    response.end();
  },
  'whose end is that of the connection': (response) => {
    response.writeHead(200, { connection: 'close' });
    response.useChunkedEncodingByDefault = false;
    response.end(text);
  },
  'in gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
};

const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function transportTo(baseUrl: string, timeoutSeconds: number): Transport {
  const target = aTarget('t', { baseUrl, limits: { timeoutSeconds } });
  const transport = openTransport(target, { headers: {}, secrets: [] }, { memory: createAnswerMemory(2 * mb) });
  onTestFinished(() => transport.close());
  return transport;
}

describe('large answers at once', () => {
  test.each(Object.keys(ways))('%s wait for each other without a time-out, and small ones pass them', async (way) => {
    const server = await serveHttp((_request, response, body) => {
      if (body.includes('small')) response.writeHead(200).end('{}');
      else ways[way]!(response);
    });
    onTestFinished(() => server.close());
    const transport = transportTo(server.baseUrl, 1);
    const whole: (() => void)[] = [];
    const sent = Array.from({ length: 4 }, async () => {
      let letGo = (): void => undefined;
      const over = new Promise<void>((resolve) => (letGo = resolve));
      const { answer } = await transport.send({ model: 'large' }, { over });
      expect(answer).toMatchObject({ status: 200, failure: null });
      expect(answer.body.join('') === text).toBe(true);
      whole.push(letGo);
    });
    while (whole.length === 0) await moment(10);
    // Longer than the time-out.
    for (let time = 0; time < 3; time += 1) {
      await moment(500);
      expect(whole.length).toBe(1);
      expect((await transport.send({ model: 'small' })).answer.failure).toBeNull();
    }
    for (let ended = 1; ended <= 4; ended += 1) {
      while (whole.length < ended) await moment(10);
      expect(whole.length).toBe(ended);
      whole[ended - 1]?.();
    }
    await Promise.all(sent);
  });

  test.each(['end', 'resetAndDestroy'] as const)('that wait for room may be cut off (%s)', async (cut) => {
    const server = await serveRaw((socket) => {
      socket.write(`HTTP/1.0 200 OK\r\n\r\n${'x'.repeat(3 * mb)}`);
      setTimeout(() => socket[cut](), 300);
    });
    onTestFinished(() => server.close());
    const transport = transportTo(server.baseUrl, 20);
    const over = moment(800).then(() => undefined);
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => (await transport.send({ model: 'm' }, { over })).answer),
    );
    for (const { failure } of answers) expect(failure?.kind ?? 'whole').toMatch(/^(?:whole|connection_reset)$/);
  });
});
