import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { serveHttp, serveRaw, type Loopback } from '../../test/support/loopback.js';
import { openTransport, type Transport, type TransportCredentials, type TransportOptions } from './open-transport.js';

const opened: (Loopback | Transport)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const noCredentials: TransportCredentials = { headers: { authorization: 'Bearer sk-unit-test-key' }, secrets: [] };
const ask = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

function transportTo(
  baseUrl: string,
  options: TransportOptions & { timeoutSeconds?: number } = {},
  credentials = noCredentials,
): Transport {
  const { timeoutSeconds = 600, ...rest } = options;
  const transport = openTransport(aTarget('t', { baseUrl, limits: { timeoutSeconds } }), credentials, rest);
  opened.push(transport);
  return transport;
}

async function http(...args: Parameters<typeof serveHttp>): Promise<Loopback> {
  const server = await serveHttp(...args);
  opened.push(server);
  return server;
}

async function raw(handler: (socket: Socket) => void): Promise<Loopback> {
  const server = await serveRaw(handler);
  opened.push(server);
  return server;
}

const head = (headers: string): string => `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`;

describe('a request', () => {
  test('is sent to the chat completions of the target with the key, and recorded without it', async () => {
    const seen: unknown[] = [];
    const server = await http((request, response, body) => {
      seen.push(request.method, request.url, request.headers.authorization, request.headers['accept-encoding'], body);
      response.end('{}');
    });
    const exchange = await transportTo(server.baseUrl).send(ask, { headers: { 'x-team': 'eval' } });
    expect(seen).toEqual(['POST', '/v1/chat/completions', 'Bearer sk-unit-test-key', 'identity', JSON.stringify(ask)]);
    expect(exchange.request.url).toBe(`${server.baseUrl}/chat/completions`);
    expect(exchange.request.body).toEqual(ask);
    expect(exchange.request.headers).toMatchObject({ authorization: 'Bearer ***', 'x-team': 'eval' });
    expect(exchange.answer).toMatchObject({ status: 200, body: ['{}'], failure: null });
  });

  test('says when it has left, which is after the connection is there and before the answer', async () => {
    const order: string[] = [];
    const server = await http((_, response) => {
      order.push('arrived');
      setTimeout(() => response.end('{}'), 50);
    });
    const sent = (): void => void order.push('sent');
    await transportTo(server.baseUrl)
      .send(ask, { sent })
      .then(() => order.push('answered'));
    expect(order.toSorted()).toEqual(['answered', 'arrived', 'sent']);
    expect(order.at(-1)).toBe('answered');
    await server.close();
    await transportTo(server.baseUrl).send(ask, { sent });
    expect(order).toHaveLength(3);
  });

  test('reuses its connection', async () => {
    const ports = new Set<number | undefined>();
    const server = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    const transport = transportTo(server.baseUrl);
    for (let count = 0; count < 5; count += 1) await transport.send(ask);
    expect(ports.size).toBe(1);
  });

  test('keeps useful headers and drops cookies and organisation ids', async () => {
    const server = await http((_, response) => {
      response.writeHead(429, {
        'Content-Type': 'application/json',
        'Retry-After': '3',
        'X-RateLimit-Remaining-Requests': '0',
        'RateLimit-Reset': '5',
        'X-Request-Id': 'r1',
        traceresponse: '00-1-2-01',
        'Set-Cookie': 'session=secret',
        'OpenAI-Organization': 'org-1',
      });
      response.end('{}');
    });
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '3',
      'x-ratelimit-remaining-requests': '0',
      'ratelimit-reset': '5',
      'x-request-id': 'r1',
      traceresponse: '00-1-2-01',
    });
    expect(Object.keys(answer.headers)).not.toContain('set-cookie');
    expect(Object.keys(answer.headers)).not.toContain('openai-organization');
  });

  test('treats a redirect as an answer and never follows it', async () => {
    let followed = 0;
    const other = await http((_, response) => {
      followed += 1;
      response.end('{}');
    });
    const server = await http((_, response) => {
      response.writeHead(307, { location: `${other.baseUrl}/chat/completions?token=1` }).end();
    });
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: 307, failure: null });
    expect(answer.headers['location']).toBe(`${other.baseUrl}/chat/completions`);
    expect(followed).toBe(0);
  });
});

describe('a network error is a failure of the exchange', () => {
  test('connection refused', async () => {
    const server = await serveHttp(() => {});
    await server.close();
    const { answer, timing } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({
      status: null,
      body: [],
      failure: { kind: 'connection_refused', connection: 'refused' },
    });
    expect(timing.headers_ms).toBeNull();
  });

  test('a name that does not resolve', async () => {
    const { answer } = await transportTo('http://no-such-host.invalid/v1').send(ask);
    expect(answer.failure).toMatchObject({ kind: 'dns', connection: 'unknown_host' });
  });

  test('reset before an answer', async () => {
    const server = await raw((socket) => socket.resetAndDestroy());
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: null, failure: { kind: 'connection_reset', connection: 'no_http' } });
    expect(answer.failure?.message).toContain('before an answer began');
  });

  test('closed in the middle of the headers', async () => {
    const server = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'));
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: null, failure: { kind: 'connection_reset' } });
  });

  test.each(['content-length: 500', 'transfer-encoding: chunked'])(
    'cut in the body (%s) keeps what came',
    async (how) => {
      const piece = how.startsWith('content') ? '{"id":' : '6\r\n{"id":\r\n';
      const server = await raw((socket) => {
        socket.end(head(how) + piece);
      });
      const { answer } = await transportTo(server.baseUrl).send(ask);
      expect(answer).toMatchObject({ status: 200, body: ['{"id":'], failure: { kind: 'connection_reset' } });
      expect(answer.failure?.connection).toBeUndefined();
      expect(answer.failure?.message).toContain('in the middle of the answer');
    },
  );

  test('something that is not HTTP', async () => {
    const server = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: null, failure: { kind: 'other', connection: 'no_http' } });
    expect(answer.failure?.message).toContain('not HTTP');
  });

  test('TLS to a server without TLS', async () => {
    const server = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { answer } = await transportTo(server.baseUrl.replace('http:', 'https:')).send(ask);
    expect(answer.failure).toMatchObject({ kind: 'tls', connection: 'no_tls' });
  });

  test('headers that never come', async () => {
    const server = await http(() => {});
    const { answer } = await transportTo(server.baseUrl, { headersTimeoutMs: 60 }).send(ask);
    expect(answer).toMatchObject({ status: null, failure: { kind: 'headers_timeout' } });
  });

  test('a body that stalls', async () => {
    const server = await http((_, response) => void response.write('{"id":'));
    const { answer } = await transportTo(server.baseUrl, { bodyTimeoutMs: 60 }).send(ask);
    expect(answer).toMatchObject({ status: 200, body: ['{"id":'], failure: { kind: 'body_timeout' } });
  });

  test('a slow drip, which only the total time-out catches', async () => {
    const server = await http((_, response) => {
      const drip = setInterval(() => void response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const transport = transportTo(server.baseUrl, { bodyTimeoutMs: 600_000, timeoutSeconds: 1.5 });
    const { answer } = await transport.send(ask);
    expect(answer).toMatchObject({ status: 200, failure: { kind: 'total_timeout' } });
    expect(answer.body.join('').length).toBeGreaterThan(1);
  });

  test('an interruption', async () => {
    const server = await http((_, response) => void response.write('{'));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const { answer } = await transportTo(server.baseUrl).send(ask, {}, abort.signal);
    expect(answer.failure?.kind).toBe('interrupted');
    const after = await transportTo(server.baseUrl).send(ask, {}, abort.signal);
    expect(after.answer).toMatchObject({ status: null, failure: { kind: 'interrupted' } });
  });

  test('endless headers', async () => {
    const server = await raw((socket) =>
      socket.write(`${head('x: y').slice(0, -4)}\r\nx-long: ${'a'.repeat(100_000)}`),
    );
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer.failure?.kind).toBe('too_large');
  });
});

describe('a body', () => {
  test('that is endless is cut at the limit', async () => {
    let sent = 0;
    let closed = false;
    const server = await http((_, response) => {
      const more = (): void => {
        while (!closed && response.write(Buffer.alloc(65_536, 'a'))) sent += 65_536;
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    });
    const { answer } = await transportTo(server.baseUrl, { maxBodyBytes: 1_000_000 }).send(ask);
    expect(answer.failure).toMatchObject({ kind: 'too_large' });
    expect(answer.body.join('').length).toBeLessThanOrEqual(65_536);
    expect(sent).toBeLessThan(30_000_000);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('in %s, which the request did not accept, is read', async (encoding, compress) => {
    const server = await http((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"id":"é"}'));
    });
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer.failure).toBeNull();
    expect(answer.body.join('')).toBe('{"id":"é"}');
  });

  test.each([
    ['gzip', Buffer.from('no gzip at all')],
    ['gzip', gzipSync('{"id":"1"}').subarray(0, 20)],
    ['gzip', gzipSync(gzipSync('{"id":"1"}'))],
    ['gzip, gzip', gzipSync(gzipSync('{"id":"1"}'))],
    ['zstd-9000', Buffer.from('?')],
  ])('that is not in its content encoding (%s) fails', async (encoding, bytes) => {
    const server = await http((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes));
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: 200, failure: { kind: 'bad_encoding' } });
  });

  test('that is not in its content encoding is kept as it came, and the header is named', async () => {
    const server = await http((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('{"id":1}'));
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer.body).toEqual(['{"id":1}']);
    expect(answer.failure?.message).toContain('content-encoding: br');
    const bare = await http((_, response) => response.end(gzipSync('{"id":1}')));
    const { failure } = (await transportTo(bare.baseUrl).send(ask)).answer;
    expect(failure).toMatchObject({ kind: 'bad_encoding', message: expect.stringContaining('gzip') as string });
  });

  test('that is cut before its end is a failure of the connection, whatever its encoding', async () => {
    const server = await raw((socket) => {
      socket.end(`${head('content-encoding: br\r\ncontent-length: 99')}no brotli`);
    });
    expect((await transportTo(server.baseUrl).send(ask)).answer.failure?.kind).toBe('connection_reset');
  });

  test('that is not UTF-8 is kept, with a failure that says so', async () => {
    const server = await http((_, response) => response.end(Buffer.from([0x22, 0xff, 0xfe, 0x22])));
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: 200, body: ['"\uFFFD\uFFFD"'], failure: { kind: 'bad_encoding' } });
  });

  test('of an error page is read in its charset, even an unknown one', async () => {
    const gbk = Buffer.from([0xcd, 0xf8, 0xb9, 0xd8]);
    const server = await http((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html; charset=gbk' }).end(gbk);
    });
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer).toMatchObject({ status: 502, body: ['网关'], failure: null });
    const undeclared = await http((_, response) => response.writeHead(502).end(gbk));
    expect((await transportTo(undeclared.baseUrl).send(ask)).answer).toMatchObject({ status: 502, failure: null });
  });

  test('that stays open after [DONE] has ended', async () => {
    const server = await http((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[]}\n\ndata: [DO');
      setTimeout(() => void response.write('NE]\n\n'), 20);
    });
    const { answer } = await transportTo(server.baseUrl).send(ask);
    expect(answer.failure).toBeNull();
    expect(answer.body.join('')).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n');
  });

  test('reads the same wherever its bytes are cut', async () => {
    const whole = 'data: {"choices":[{"delta":{"content":"é 网 👍 sk-"}}]}\n\ndata: [DONE]\n\n';
    const bytes = Buffer.from(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 }), async (cuts) => {
        const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
        const server = await serveRaw((socket) => {
          socket.setNoDelay(true);
          void (async () => {
            socket.write(head('content-type: text/event-stream\r\nconnection: close'));
            for (let index = 1; index < places.length; index += 1) {
              socket.write(bytes.subarray(places[index - 1], places[index]));
              await new Promise((next) => setImmediate(next));
            }
            socket.end();
          })();
        });
        const secret = { headers: {}, secrets: ['sk-unit-test-secret'] };
        const transport = openTransport(aTarget('t', { baseUrl: server.baseUrl }), secret);
        const { answer } = await transport.send(ask);
        await transport.close();
        await server.close();
        expect(answer.failure).toBeNull();
        expect(answer.body.join('')).toBe(whole);
      }),
      { numRuns: 25 },
    );
  });
});
