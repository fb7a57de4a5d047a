import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clientTable } from '../../src/clients/client-table.js';
import { quirks } from '../../src/chat/quirks.js';
import { outcomeClasses } from '../../src/judge/outcome.js';
import { shippedSchema } from '../../src/files/shipped-schema.js';
import { simulate } from '../../src/simulator/index.js';
import { clientFixture } from '../support/client-fixture.js';
import { projectFolder } from '../support/documents.js';
import { profilesFolder } from '../support/ask-service.js';

/**
 * Whether fixtures/clients.yaml is current. `npm run clients` makes it; `npm run clients -- --check` measures all of it
 * again.
 */

interface Script {
  readonly clients: readonly { readonly id: string; readonly package: string; readonly via?: string }[];
  readonly versionIn: (client: object, name: string) => string;
  readonly withoutOpenBracket: (text: string) => string;
  readonly effectIn: (line: object, right: object, answers: readonly object[], rightly: readonly object[]) => string;
  readonly quirkHits: (results: readonly object[], quirk: string) => readonly { readonly model: string }[];
  readonly overview: (table: object) => readonly string[];
  readonly measuredModels: (folder: string) => Promise<readonly string[]>;
}
const script = (await import(join(projectFolder, 'scripts', 'clients.mjs'))) as Script;
const table = clientTable();

test('fits its schema', async () => {
  const valid = await shippedSchema('clients');
  expect(valid(table), JSON.stringify(valid.errors)).toBe(true);
});

test('measures the versions that the locks of the fixtures install', () => {
  const installed = script.clients.map((client) => [client.id, script.versionIn(client, client.package)]);
  expect(table.clients.map(({ id, version }) => [id, version])).toEqual(installed);
  for (const client of table.clients.filter(({ via }) => via !== undefined))
    expect(client.via_version).toBe(script.versionIn(client, client.via ?? ''));
});

test('has a row or a reason for every quirk and every outcome class, never both', () => {
  for (const [kind, names] of [
    ['quirks', Object.keys(quirks)],
    ['classes', outcomeClasses],
  ] as const) {
    const told = [...Object.keys(table[kind]), ...Object.keys(table.unmeasured[kind])];
    expect(told.sort()).toEqual([...names].sort());
  }
});

test('stands in its page as it was measured', async () => {
  const page = await readFile(join(projectFolder, 'docs', 'clients.md'), 'utf8');
  const squeezed = (text: string): string => text.replaceAll(/ +/g, ' ');
  for (const row of script.overview(table).filter((line) => !line.includes('---'))) {
    expect(squeezed(page)).toContain(row);
  }
});

test('breaks no client where its page says that nothing breaks', async () => {
  const page = await readFile(join(projectFolder, 'docs', 'clients.md'), 'utf8');
  const harmless = [...(/Nothing breaks on ([^.]+)\./.exec(page)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, id]) => id);
  expect(harmless.length).toBeGreaterThan(0);
  for (const quirk of harmless) {
    const met = Object.entries(table.quirks[quirk ?? '']?.clients ?? {});
    expect(met.length, quirk).toBeGreaterThan(0);
    expect(
      met.flatMap(([id, { breaks }]) => (breaks === undefined ? [] : [id])),
      quirk,
    ).toEqual([]);
  }
});

test('names functions that the program of the client calls', async () => {
  for (const { program, calls } of table.clients) {
    const code = await readFile(join(projectFolder, program), 'utf8');
    for (const [call, names] of Object.entries(calls)) {
      expect(code, program).toMatch(new RegExp(`\\b${call}"?[:,] `));
      for (const name of names.split(', ')) expect(code, `${program} ${call}`).toContain(name);
    }
  }
});

test('asks every model that the embedded service has now, and knows no quirk or class that is gone', async () => {
  expect(table.models).toEqual(await script.measuredModels(profilesFolder));
  expect(Object.keys(quirks)).toEqual(expect.arrayContaining(Object.keys(table.quirks)));
  expect(outcomeClasses).toEqual(expect.arrayContaining(Object.keys(table.classes)));
});

test.each([
  ['openai-6', 'choices_missing_in_chunk', 'sim-chunk-without-choices', 'streamed'],
  ['openai-6', 'arguments_object', 'sim-arguments-object', 'tool'],
  ['openai-6', 'done_missing', 'sim-no-done', 'streamed'],
  ['openai-6', 'finish_reason_repeated', 'sim-finish-twice', 'streamed_tool'],
  ['openai-6', 'content_after_finish_reason', 'sim-call-after-finish', 'streamed_tool'],
  ['openai-6', 'content_type_wrong', 'sim-wrong-type-header', 'plain'],
  ['openai-6', 'tool_calls_not_a_list', 'sim-calls-not-a-list', 'tool'],
  ['langchain', 'choices_missing_in_chunk', 'sim-chunk-without-choices', 'streamed'],
])('says of %s and %s what it does with %s now: %s', async (name, quirk, model, call) => {
  const cwd = await clientFixture(name as 'openai-6');
  const simulator = await simulate();
  try {
    const env = { OPENAI_BASE_URL: simulator.baseUrl, OPENAI_API_KEY: 'sk-any', MODELS: `sim-reference ${model}` };
    const { stdout } = await promisify(execFile)(process.execPath, ['try.mjs', call], { cwd, env });
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { model: string; value?: unknown; trusting?: string; error?: string });
    const [right, odd] = ['sim-reference', model].map((id) => told.find((line) => line.model === id));
    const met = table.quirks[quirk]?.clients[name];
    const same = JSON.stringify(odd?.value) === JSON.stringify(right?.value);
    const wrong = odd?.error === undefined ? 'wrong value' : `throws ${odd.error}`;
    const own = odd?.trusting === undefined ? undefined : `${same ? 'needs ?.' : 'your code throws'}: ${odd.trusting}`;
    expect(table.quirks[quirk]?.models).toContain(model);
    expect(met?.works.includes(call)).toBe(same && own === undefined);
    expect(met?.breaks?.[call]).toBe(own ?? (same ? undefined : wrong));
  } finally {
    await simulator.close();
  }
});

const answer = (wrong: string | null, ...calls: readonly object[]) => ({ class: wrong, calls, value: null });
const said = (value: string) => ({ ...answer(null), value });
const right = { value: 'a' };
const [call, other] = [{ name: 'order' }, { name: 'else' }];
test.each<[name: string, line: object, answers: readonly object[], effect: string]>([
  ['the right value', { value: 'a' }, [answer(null)], 'works'],
  ['another value', { value: 'b' }, [answer(null)], 'wrong value'],
  ['an error of the library', { error: 'Error: no' }, [answer('refused')], 'throws Error: no'],
  ['no end', { error: 'Error: no answer in time' }, [answer(null)], 'hangs'],
  ['the right value by careful code', { value: 'a', trusting: 'TypeError' }, [answer(null)], 'needs ?.: TypeError'],
  ['no value by any code', { value: null, trusting: 'TypeError' }, [answer('refused')], 'your code throws: TypeError'],
  ['a second request', { value: 'a' }, [answer('http_error'), answer(null)], 'asks again'],
  ['a second answer in other words', { value: 'b' }, [answer('http_error'), said('b')], 'asks again'],
  ['such an answer that no code reads', { trusting: 'E' }, [answer('http_error'), said('b')], 'your code throws: E'],
  ['a wrong answer that nobody sees', { value: 'a' }, [answer('wrong_function')], 'works'],
])('%s is told as what became of the call', (_name, line, answers, effect) => {
  expect(script.effectIn(line, right, answers, [answer(null)])).toBe(effect);
});

test('a loop goes on after a wrong call without asking again', () => {
  const answers = [answer('wrong_function', call), answer(null)];
  expect(script.effectIn({ value: 'a' }, right, answers, [answer(null, call), answer(null)])).toBe('works');
});

test.each([
  [[call, call], 'works'],
  [[call], 'wrong value'],
  [[call, other], 'wrong value'],
])('of a call that is made twice, %j: %s', (value, effect) => {
  expect(script.effectIn({ value }, { value: [call] }, [answer(null, call, call)], [answer(null, call)])).toBe(effect);
});

test('the results of both calls may stand in one text', () => {
  const [once, twice] = ['{"buyer":"Li"}', '{"buyer":"Li"}; {"buyer":"Li"}'];
  const calls = { buyer: 'Li' };
  const effect = (value: string) =>
    script.effectIn({ value }, { value: once }, [answer(null, calls, calls)], [answer(null, calls)]);
  expect([effect(twice), effect(once)]).toEqual(['works', 'wrong value']);
});

test.each<[name: string, seen: readonly object[], isMet: boolean]>([
  ['as often as the reference', [met('one', 'x'), met('two', 'y')], true],
  ['only before it broke off', [met('one', 'x')], true],
  ['before it asked otherwise', [met('one', 'x'), met('three', 'z')], true],
  ['with another text', [met('one', 'z'), met('two', 'y')], false],
])('a call meets a quirk %s', (_name, seen, isMet) => {
  const results = [
    { call: 'tool_loop', model: 'm', effect: 'throws', seen, right: [plain('one', 'x'), plain('two', 'y')] },
  ];
  expect(script.quirkHits(results, 'id_missing')).toHaveLength(isMet ? 1 : 0);
});

function plain(request: string, value: string) {
  return { request, class: null, quirks: [] as readonly string[], value, calls: [] };
}

function met(request: string, value: string) {
  return { ...plain(request, value), quirks: ['id_missing'] };
}

test.each([
  ['nothing is cut', 'nothing is cut'],
  ['[a] and {b: [c]}', '[a] and {b: [c]}'],
  ["received [{'type'", 'received'],
  ['[whole] and {half', '[whole] and'],
  [']', ']'],
])('a text keeps no bracket that stays open: %s', (text, kept) => {
  expect(script.withoutOpenBracket(text)).toBe(kept);
});
