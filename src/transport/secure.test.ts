import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { aTarget } from '../../test/support/build.js';
import { listening, serveHttp, type Loopback } from '../../test/support/loopback.js';
import { openTransport, type TransportOptions } from './open-transport.js';

const opened: Loopback[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const tls = new URL('../../test/support/tls/', import.meta.url);

/** A service over TLS with its own certificate for 127.0.0.1 and service.test. */
async function serveSecurely(): Promise<Loopback & { readonly ca: string }> {
  const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((name) => readFile(new URL(name, tls), 'utf8')));
  const server = createServer({ key, cert }, (_, response) => {
    response.end('{"secure":true}');
  });
  const loopback = await listening(server, 'https');
  opened.push(loopback);
  return { ...loopback, ca: cert ?? '' };
}

/** A proxy that connects every tunnel to one port. */
async function serveProxy(port: number, status = 200) {
  const asked: (string | undefined)[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url, request.headers.authorization);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const loopback = await listening(server);
  opened.push(loopback);
  return { address: loopback.baseUrl.replace('/v1', ''), asked };
}

async function ask(baseUrl: string, options: TransportOptions) {
  const credentials = { headers: { authorization: 'Bearer sk-secure-test' }, secrets: ['sk-secure-test'] };
  const transport = openTransport(aTarget('t', { baseUrl }), credentials, options);
  const { answer } = await transport.send({ model: 'm' });
  await transport.close();
  return answer;
}

describe('over TLS', () => {
  test('a certificate of an unknown authority is refused, and one of a known authority is not', async () => {
    const { baseUrl, ca } = await serveSecurely();
    expect((await ask(baseUrl, {})).failure).toMatchObject({ kind: 'tls', connection: 'certificate_authority' });
    expect(await ask(baseUrl, { ca })).toMatchObject({ status: 200, failure: null });
  });

  test('a certificate for another name is refused', async () => {
    const { baseUrl, ca } = await serveSecurely();
    const other = baseUrl.replace('127.0.0.1', 'localhost');
    expect((await ask(other, { ca })).failure).toMatchObject({ kind: 'tls', connection: 'certificate_name' });
  });

  test('a proxy tunnels, and does not see the key', async () => {
    const { port, ca } = await serveSecurely();
    const proxy = await serveProxy(port);
    const proxies = { httpsProxy: proxy.address };
    expect(await ask('https://service.test/v1', { ca, proxies })).toMatchObject({ status: 200, failure: null });
    expect(proxy.asked).toEqual(['service.test:443', undefined]);
  });

  test('a host named in NO_PROXY is reached directly', async () => {
    const proxy = await serveProxy(1);
    for (const noProxy of ['other.test, service.invalid', '*']) {
      const answer = await ask('https://service.invalid/v1', { proxies: { httpsProxy: proxy.address, noProxy } });
      expect(answer.failure).toMatchObject({ kind: 'dns', connection: 'unknown_host' });
    }
    expect(proxy.asked).toEqual([]);
  });
});

test.each([
  [407, 'proxy_login'],
  [403, 'proxy_refuses'],
  [499, 'proxy_refuses'],
  [500, 'proxy_fails'],
  [502, 'proxy_fails'],
])('a proxy that refuses with %i is a failure of the exchange', async (status, connection) => {
  const proxy = await serveProxy(1, status);
  const answer = await ask('https://service.test/v1', { proxies: { httpsProxy: proxy.address } });
  expect(answer).toMatchObject({ status: null, failure: { kind: 'other', connection } });
  expect(answer.failure?.message).toContain(String(status));
});

test.each(['http://127.0.0.1:1', 'http://no-such-proxy.invalid:3128'])(
  'a proxy that is not there (%s) is told from a service that is not',
  async (httpsProxy) => {
    const { failure } = await ask('https://service.test/v1', { proxies: { httpsProxy } });
    expect(failure?.connection).toBe('proxy');
  },
);

test('this machine is never reached through a proxy', async () => {
  const server = await serveHttp((_, response) => response.end('{}'));
  opened.push(server);
  const proxy = await serveProxy(1);
  expect(await ask(server.baseUrl, { proxies: { httpsProxy: proxy.address } })).toMatchObject({ status: 200 });
  expect(proxy.asked).toEqual([]);
});
