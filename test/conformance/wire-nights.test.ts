import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Report } from '../../src/index.js';
import { exitCode } from '../../src/parts.js';
import { quirks, type Quirk } from '../../src/judge/index.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { readLabels } from '../support/label-table.js';
import { lastingFolder } from '../support/lasting-folder.js';

const order =
  '{ type: function, function: { name: create_order, parameters: { type: object, properties: { item: { type: string } }, required: [item], additionalProperties: false } } }';
const ping =
  '{ type: function, function: { name: ping, parameters: { type: object, properties: {}, additionalProperties: false } } }';

const weather =
  '{ type: function, function: { name: get_weather, parameters: { type: object, properties: { city: { type: string } }, required: [city], additionalProperties: false } } }';

/** One cell for each kind of answer; each is asked once, so that fresh exchanges must settle what they show. */
const suite = `suite: wire
probes:
  text: { request: { messages: [{ role: user, content: Say hello. }] }, expect: { content: any }, trials: 3 }
  streamed: { request: { messages: [{ role: user, content: Say hello. }], stream: true }, expect: { content: any } }
  letters: { request: { messages: [{ role: user, content: 'Say "王芳 🎁"' }], stream: true }, expect: { content: any }, trials: 3 }
  object: { request: { messages: [{ role: user, content: Write a JSON object. }], response_format: { type: json_object }, stream: true } }
  call: { request: { messages: [{ role: user, content: Order a lamp. }], tools: [${order}], tool_choice: required }, expect: { tool_call: true } }
  named: { request: { messages: [{ role: user, content: Order a lamp. }], tools: [${order}], tool_choice: { type: function, function: { name: create_order } } } }
  streamed-call: { request: { messages: [{ role: user, content: Order a lamp. }], tools: [${order}], tool_choice: required, stream: true }, expect: { tool_call: true } }
  no-parameters: { request: { messages: [{ role: user, content: Ping. }], tools: [${ping}], tool_choice: required }, expect: { tool_call: true } }
  one-at-a-time: { request: { messages: [{ role: user, content: Order a lamp and a desk. }], tools: [${order}], tool_choice: required, parallel_tool_calls: false }, expect: { tool_call: true } }
  two-streamed: { request: { messages: [{ role: user, content: 'How is the weather in Oslo right now, and how is it in Lima? Look both up at once.' }], tools: [${weather}], tool_choice: auto, stream: true }, expect: { tool_call: true } }
  cut: { request: { messages: [{ role: user, content: Write a long text about the sea. }], max_tokens: 5 }, expect: { outcome: truncated } }
`;

/** Each quirk with a model of the embedded service that shows it, as the labels say; a pause is told in no label. */
const showing = new Map<Quirk, string>([
  ...readLabels().flatMap(({ profile, cells = [] }) =>
    cells.flatMap(({ quirks = [] }) => quirks.map((quirk) => [quirk as Quirk, profile] as const)),
  ),
  ['stream_in_one_piece', 'sim-stream-at-once'],
]);

/** The same fault has another quirk, which the label names too. */
const alsoNamed = (quirk: Quirk, profile: string): readonly string[] =>
  readLabels()
    .filter((label) => label.profile === profile)
    .flatMap(({ cells = [] }) => cells.flatMap(({ quirks = [] }) => quirks))
    .filter((name) => name !== quirk)
    .map((name) => `${name} new`);

/** Pauses of these models: how long a busy machine really took says nothing, so the journal is given fixed times. */
const late = ['sim-stream-at-once'];
const asked = [...new Set([...showing.values(), 'sim-reference'])].filter((id) => !late.includes(id));
const reportIn = async (cwd: string, folder = 'run'): Promise<Report> =>
  JSON.parse(await readFile(join(cwd, folder, 'report.json'), 'utf8')) as Report;

/** A run in a folder of its own. */
async function night(models: readonly string[], baseline: string | null) {
  const cwd = await lastingFolder();
  const target = { base_url: 'simulator', limits: { concurrency: 16, timeout_s: 60, retries: 1 }, models };
  await writeFiles(cwd, {
    'wire.yaml': suite,
    'chatspec.yaml': JSON.stringify({ targets: { demo: target }, suites: ['wire.yaml'], baseline: 'baseline.yaml' }),
    ...(baseline !== null && { 'baseline.yaml': baseline }),
  });
  const { code, stderr } = await chatspec(['run', '--out', 'run', '--fail-on', 'never'], { cwd });
  expect(code, stderr).toBe(0);
  return { cwd, report: await reportIn(cwd) };
}

/** The run judged again as if each stream had come in one piece, 1.2 s after its request. */
async function inOnePiece({ cwd }: { readonly cwd: string }) {
  const file = join(cwd, 'run', 'journal.jsonl');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const timed = lines.map((line) => line.replace(/"pieces_ms":\[[^\]]*\],"busy_ms":\d+/, atOnce));
  expect(timed).not.toEqual(lines);
  await writeFile(file, `${timed.join('\n')}\n`);
  const { code, stderr } = await chatspec(['rejudge', 'run'], { cwd });
  expect(code, stderr).toBeLessThanOrEqual(1);
  return { cwd, report: await reportIn(cwd, 'run-rejudged') };
}

const atOnce = (times: string): string =>
  times.replaceAll(/(?<=[[,])\d+(?=[,\]])/g, '1200').replace(/"busy_ms":\d+/, '"busy_ms":0');

/** The baseline once a run is accepted. */
async function accepted({ cwd }: { readonly cwd: string }): Promise<string> {
  await chatspec(['baseline', 'accept', 'run'], { cwd });
  return readFile(join(cwd, 'baseline.yaml'), 'utf8');
}

const wireOf = ({ wire = [] }: Report, model: string): readonly string[] =>
  wire
    .filter((entry) => entry.model === `demo/${model}` && entry.standing !== 'as_expected')
    .map(({ quirk, standing }) => `${quirk} ${standing}`);

describe('overnight', () => {
  let before: string;
  let changed: Awaited<ReturnType<typeof night>>;
  let changedLate: typeof changed;

  beforeAll(async () => {
    before = await accepted(await night(['sim-reference'], null));
    // The same baseline for every model, as if each had been the reference the night before.
    const copies = [...asked, ...late].map((id) => before.replaceAll('demo/sim-reference', `demo/${id}`));
    const lines = copies.map((text) => text.split('\n'));
    const part = (from: string, to: string): string[] =>
      lines.flatMap((all) => all.slice(all.indexOf(from) + 1, to === '' ? undefined : all.indexOf(to)));
    expect(before).toContain('\nwire:\n');
    const all = [
      ...['format: chatspec-baseline/1', 'covers:', ...part('covers:', 'wire:')],
      ...['wire:', ...lines.map((text) => text[text.indexOf('wire:') + 1] ?? '')],
    ];
    changed = await night(asked, all.join('\n'));
    changedLate = await inOnePiece(await night(late, all.join('\n')));
  });

  test('every quirk has a profile that shows it', () => {
    expect(Object.keys(quirks).filter((quirk) => !showing.has(quirk as Quirk))).toEqual([]);
  });

  test('the reference itself has none: a chunk of usage alone is how streams end', () => {
    const own = changed.report.wire?.filter(({ model }) => model === 'demo/sim-reference').map(({ quirk }) => quirk);
    expect(own).toEqual([]);
  });

  test.each([...showing])('%s of %s is exactly one deviation, and it says what it breaks', (quirk, profile) => {
    const { report } = late.includes(profile) ? changedLate : changed;
    const found = wireOf(report, profile);
    const others = alsoNamed(quirk, profile);
    expect(found.filter((name) => !others.includes(name))).toEqual([`${quirk} new`]);
    const entry = report.wire?.find((one) => one.quirk === quirk && one.model === `demo/${profile}`);
    expect(entry!.breaks).toEqual([expect.stringMatching(/\w/)]);
    expect(entry!.of).toBeGreaterThanOrEqual(3);
    expect(entry!.seen).toBe(entry!.of);
    expect(entry!.cells.length).toBeGreaterThan(0);
    expect(entry!.exchange).toMatch(/^e\d+$/);
  });

  test('a model that did not change shows none', () => {
    expect(wireOf(changed.report, 'sim-reference')).toEqual([]);
  });

  test('the run exits with 1; --fail-on regression does not count it', () => {
    const conditions = { interrupted: false, maxUnmeasured: 1, shard: false };
    const wireOnly: Report = { ...changed.report, cells: [] };
    expect(exitCode(wireOnly, { ...conditions, failOn: 'deviation' })).toBe(1);
    expect(exitCode(wireOnly, { ...conditions, failOn: 'regression' })).toBe(0);
  });

  test('judging the run again gives the same', async () => {
    const { wire } = changed.report;
    await chatspec(['rejudge', 'run'], { cwd: changed.cwd });
    expect((await reportIn(changed.cwd, 'run-rejudged')).wire).toEqual(wire);
  });

  test('once accepted, the next unchanged run shows none', async () => {
    const next = await night(asked, await accepted(changed));
    expect(asked.flatMap((id) => wireOf(next.report, id))).toEqual([]);
  });

  test('an accepted quirk that no longer shows has ended', async () => {
    const text = before.replace('quirks: [', 'quirks: [ arguments_object,');
    const { report } = await night(['sim-reference'], text);
    expect(wireOf(report, 'sim-reference')).toEqual(['arguments_object gone']);
  });
});
