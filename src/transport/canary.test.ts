import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../../test/support/build.js';
import { driveOptions, eventsOf, plainTrial, aCellToRun } from '../../test/support/fake-run.js';
import { serveHttp, type Loopback } from '../../test/support/loopback.js';
import { tempFolder } from '../../test/support/temp-folder.js';
import { systemClock } from '../run/clock.js';
import { drive } from '../run/drive.js';
import { createJournal } from '../journal/journal.js';
import type { RunTarget } from '../run/target-state.js';
import { openTransport } from './open-transport.js';

const key = 'sk-canary-0123456789abcdef';
const token = 'team-token-zyxwvu';
const credentials = {
  headers: { Authorization: `Bearer ${key}`, 'x-token': token, 'x-team': 'eval' },
  secrets: [key, token],
};

let server: Loopback | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

describe('a key never reaches the journal', () => {
  test('whatever a service does with it', async () => {
    const spellings = [key, token, encodeURIComponent(key), Buffer.from(key).toString('base64')];
    const deltas = Array.from(
      Buffer.from(key).toString('latin1'),
      (letter) => `data: ${JSON.stringify({ choices: [{ delta: { content: letter } }] })}\n\n`,
    );
    let count = 0;
    server = await serveHttp((_, response) => {
      // The stream comes first: the opening control needs an answer that can be read.
      const how = (count + 2) % 6;
      count += 1;
      const headers = {
        'x-request-id': `r-${key}`,
        'set-cookie': `key=${key}`,
        location: `https://elsewhere.example/${key}?key=${key}`,
        server: Buffer.from(`:${key}`).toString('base64'),
      };
      if (how === 0) {
        response.writeHead(200, headers).end(JSON.stringify({ error: spellings }));
      } else if (how === 1) {
        response.writeHead(401, `no ${key}`, headers).end(`Bearer ${key} is wrong`);
      } else if (how === 2) {
        response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
        for (const delta of deltas) response.write(delta);
        response.end();
      } else if (how === 3) {
        response.writeHead(200, headers);
        response.write(key.slice(0, 9), () => response.end(key.slice(9)));
      } else if (how === 4) {
        response.writeHead(200, { ...headers, 'content-length': '500' });
        response.write(`cut in ${key.slice(0, -2)}`, () => response.socket?.end());
      } else {
        response.writeHead(200, headers).end(`{"echo":"\\u0073${key.slice(1)}"}`);
      }
    });
    const folder = await tempFolder();
    const config = aTarget('t', { baseUrl: server.baseUrl, limits: { concurrency: 2 } });
    const transport = openTransport(config, credentials);
    const target: RunTarget = {
      config,
      simulator: false,
      send: (body, extra, signal) => transport.send(body, extra, signal),
    };
    const options = driveOptions(aPlan([aCellToRun(aModel('t/m'), 'a', 12)]), [target], systemClock, {
      journal: await createJournal(folder),
      trial: plainTrial(0),
      judgeControl: () => ({ passed: true, fault: false }) as never,
    });
    const events = await eventsOf(drive(options));
    await transport.close();
    const everything = (await readFile(join(folder, 'journal.jsonl'), 'utf8')) + JSON.stringify(events);
    expect(count).toBeGreaterThanOrEqual(12);
    for (const spelling of [...spellings, key.slice(3), key.slice(0, -2)]) expect(everything).not.toContain(spelling);
    const contents = Array.from(everything.matchAll(/\\"content\\":\\"([^"\\]*)\\"/g), ([, text]) => text).join('');
    expect(contents).toContain('***');
    expect(contents).not.toContain(key);
    expect(everything).toContain('Bearer ***');
    expect(everything).toContain('"x-team":"eval"');
  });

  test('in the name of a header, where a long header is cut, or in what is kept of an endless stream', async () => {
    const deltas = Array.from(
      key,
      (letter) => `data: ${JSON.stringify({ choices: [{ delta: { content: letter } }] })}\n\n`,
    );
    server = await serveHttp((_, response) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        [`x-ratelimit-${key}`]: '1',
        'x-request-id': `${'a'.repeat(2030)}${key}`,
      });
      response.end(deltas.join('') + `data: ${'x'.repeat(200_000)}\n\n`);
    });
    const transport = openTransport(aTarget('t', { baseUrl: server.baseUrl }), credentials, { maxBodyBytes: 100_000 });
    const { answer } = await transport.send({});
    await transport.close();
    expect(answer.failure?.kind).toBe('too_large');
    expect(answer.headers['x-request-id']).toMatch(/^a{2030}\*+$/);
    expect(answer.headers['x-ratelimit-***']).toBe('1');
    expect(answer.body.join('')).toContain('"***"');
    expect(answer.body.join('')).toContain('data: xxx');
  });

  test('in a request body, because such a request is not sent', async () => {
    let count = 0;
    server = await serveHttp((_, response) => {
      count += 1;
      response.end('{}');
    });
    const transport = openTransport(aTarget('t', { baseUrl: server.baseUrl }), credentials);
    for (const text of [`my key is ${key}`, `in base64 ${Buffer.from(`a${key}`).toString('base64')}`, token]) {
      const sent = transport.send({ messages: [{ role: 'user', content: text }] });
      await expect(sent).rejects.toMatchObject({ name: 'SecretInBody', target: 't' });
      await sent.catch((error: unknown) => expect(String(error)).not.toContain(key));
    }
    expect(count).toBe(0);
    await transport.close();
  });

  test("nor does another target's key, in a request, a header or what comes back", async () => {
    const foreign = 'Zq7LmX2vRt9KpW4n';
    let count = 0;
    server = await serveHttp((_, response) => {
      count += 1;
      response.end(JSON.stringify({ echo: foreign }));
    });
    const other = { headers: { authorization: `Bearer ${key}` }, secrets: [key], foreignSecrets: [foreign] };
    const transport = openTransport(aTarget('t', { baseUrl: server.baseUrl }), other);
    const sent = [
      transport.send({ messages: [{ role: 'user', content: `a ${foreign} b` }] }),
      transport.send({}, { headers: { 'x-note': foreign } }),
    ];
    for (const one of sent) await expect(one).rejects.toMatchObject({ name: 'SecretInBody', target: 't' });
    expect(count).toBe(0);
    expect(JSON.stringify(await transport.send({}))).not.toContain(foreign);
    expect(count).toBe(1);
    await transport.close();
  });

  test('in the message of a failure', async () => {
    const transport = openTransport(aTarget('t', { baseUrl: `http://${key}.invalid/v1` }), credentials);
    const exchange = await transport.send({});
    expect(exchange.answer.failure?.kind).toBe('dns');
    expect(JSON.stringify(exchange)).not.toContain(key);
    await transport.close();
  });
});
