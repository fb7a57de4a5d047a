import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, expectTypeOf, test } from 'vitest';
import { serveHttp } from '../../test/support/loopback.js';
import { chooseForm, loadCapabilities, StaleEvidence, type CapabilityMap, type NeedEntry } from './index.js';

const entry: NeedEntry = {
  ...{ model: 'demo/vendor/a', need: 'structured', form: 'json_schema', supported: true, condition: null },
  ...{ settings: { max_tokens: '2048' }, request: { max_tokens: 2048 }, caveats: ['validate'], because: 'it passes' },
  ...{ date: '2026-11-01T03:00:00.000Z', expires: '2026-12-01T03:00:00.000Z', evidence: `sha256:${'0'.repeat(64)}` },
  ...{ trials: { passed: 10, total: 10 }, interval: [0.72, 1] },
};
const map: CapabilityMap = {
  format: 'chatspec-capabilities/1',
  run: { id: 'r', profile: 'standard', complete: true, tool: { name: 'chatspec', version: '0' } },
  models: [
    { id: 'demo/vendor/a', model: 'vendor/a', as: 'a', reachable: true },
    { id: 'demo/b', model: 'b', as: null, reachable: true },
    { id: 'other/b', model: 'b', as: null, reachable: true },
  ],
  needs: [entry, { ...entry, need: 'tool_call', form: null, supported: false }],
  capabilities: [],
};
const now = '2026-11-22T00:00:00Z';

test.each(['demo/vendor/a', 'vendor/a', 'a'])('a model is found by TARGET/MODEL, id and common name: %s', (model) => {
  expect(chooseForm(map, { model, need: 'structured', now })).toEqual({
    ...{ form: 'json_schema', settings: { max_tokens: '2048' }, request: { max_tokens: 2048 }, caveats: ['validate'] },
  });
});

test('null where nothing can be relied on: no form, a need that was not measured, a model that nobody asked', () => {
  expect(chooseForm(map, { model: 'a', need: 'tool_call', now })).toBeNull();
  expect(chooseForm(map, { model: 'a', need: 'plain_text', now })).toBeNull();
  expect(chooseForm(map, { model: 'nobody', need: 'structured', now })).toBeNull();
});

test('a name that two targets have is refused, since they may differ', () => {
  expect(() => chooseForm(map, { model: 'b', need: 'structured', now })).toThrow('demo/b, other/b');
  expect(chooseForm(map, { model: 'demo/b', need: 'structured', now })).toBeNull();
});

test('a need that does not exist is refused', () => {
  expect(() => chooseForm(map, { model: 'a', need: 'json' as 'structured', now })).toThrow(RangeError);
});

test('evidence counts until the moment at which it expires, for good news and bad', () => {
  const at = (time: Date | number | string, need: 'structured' | 'tool_call' = 'structured') =>
    chooseForm(map, { model: 'a', need, now: time });
  const expires = Date.parse(entry.expires);
  expect(at(expires - 1)).not.toBeNull();
  for (const time of [expires, new Date(expires + 1), '2027-01-01']) {
    expect(() => at(time)).toThrow(StaleEvidence);
    expect(() => at(time, 'tool_call')).toThrow(StaleEvidence);
  }
  for (const time of ['no date', NaN, new Date('')]) expect(() => at(time)).toThrow(new RangeError('now is no date'));
});

test('without a time, the present counts', () => {
  const old = { ...map, needs: [{ ...entry, expires: '2001-01-01T00:00:00Z' }] };
  expect(() => chooseForm(old, { model: 'a', need: 'structured' })).toThrow(StaleEvidence);
});

test('a map is read from a path, its folder, a file URL, its text, its content and the web', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-map-'));
  const file = join(folder, 'capabilities.json');
  const text = JSON.stringify(map);
  await writeFile(file, text);
  const service = await serveHttp((_, response) => response.end(text));
  for (const source of [file, folder, pathToFileURL(file), text, map, new URL(service.baseUrl), service.baseUrl]) {
    const loaded: unknown = await loadCapabilities(source);
    expect(loaded).toEqual(map);
  }
});

test('the type of what comes says whether it is a promise wherever the type of the source does', () => {
  type Either = CapabilityMap | Promise<CapabilityMap>;
  type Web = Promise<CapabilityMap>;
  type Of<Source extends string | object> = ReturnType<typeof loadCapabilities<Source>>;
  expectTypeOf<Of<'https://example.com/map'>>().toEqualTypeOf<Web>();
  expectTypeOf<Of<'HTTP://example.com/map'>>().toEqualTypeOf<Web>();
  expectTypeOf<Of<`https://${string}`>>().toEqualTypeOf<Web>();
  expectTypeOf<Of<'reports/latest'>>().toEqualTypeOf<CapabilityMap>();
  expectTypeOf<Of<string>>().toEqualTypeOf<Either>();
  expectTypeOf<Of<`${string}/capabilities.json`>>().toEqualTypeOf<Either>();
  expectTypeOf<Of<URL>>().toEqualTypeOf<Either>();
  expectTypeOf<Of<string | URL>>().toEqualTypeOf<Either>();
  expectTypeOf<Of<object>>().toEqualTypeOf<Either>();
  expectTypeOf<Of<CapabilityMap>>().toEqualTypeOf<CapabilityMap>();
  expectTypeOf<Awaited<Of<string>>>().toEqualTypeOf<CapabilityMap>();
});

test('a map that was not waited for, or is none, is told in a sentence', () => {
  const wish = { model: 'a', need: 'structured', now } as const;
  expect(() => chooseForm(Promise.resolve(map) as never, wish)).toThrow(/^not a capability map .*: await it$/);
  for (const other of [undefined, null, 7, '{}', {}, [], { ...map, needs: {} }]) {
    expect(() => chooseForm(other as never, wish)).toThrow(/^not a capability map \(chatspec-capabilities.1\)$/);
  }
});

test('anything else is refused', async () => {
  for (const source of ['{}', { format: 'chatspec-report/1' }, '{"format":"chatspec-capabilities/1"}']) {
    expect(() => loadCapabilities(source)).toThrow('not a capability map');
  }
  const message =
    'cannot read /nowhere/at/all/capabilities.json: it does not exist; name a run folder, or the capabilities.json that every run writes into it';
  expect(() => loadCapabilities('/nowhere/at/all')).toThrow(
    expect.objectContaining({ message, code: 'ENOENT' }) as Error,
  );
  const gone = await serveHttp((_, response) => response.writeHead(404).end());
  await expect(loadCapabilities(new URL(gone.baseUrl))).rejects.toThrow('HTTP 404');
  const refusing = 'http://user:secret@127.0.0.1:1/map';
  const refused = await Promise.resolve(loadCapabilities(refusing)).catch((error: unknown) => String(error));
  expect(refused).toMatch(/^TypeError: cannot read http:\/\/127\.0\.0\.1:1\/map: .+; check the address/);
  expect(refused).not.toContain('secret');

  const folder = await mkdtemp(join(tmpdir(), 'chatspec-map-'));
  const file = join(folder, 'report.json');
  await writeFile(file, '{"format":"chatspec-report/1"}');
  expect(() => loadCapabilities(file)).toThrow(
    `${file}: not a capability map (chatspec-capabilities/1); its format is "chatspec-report/1": name the capabilities.json beside it`,
  );
  await writeFile(file, 'chat');
  expect(() => loadCapabilities(pathToFileURL(file))).toThrow(`${file}: not a capability map (it is no JSON)`);
  const page = await serveHttp((_, response) => response.end('<html>'));
  await expect(loadCapabilities(page.baseUrl as `http://${string}`)).rejects.toThrow(
    `${page.baseUrl}: not a capability map (it is no JSON)`,
  );
});
