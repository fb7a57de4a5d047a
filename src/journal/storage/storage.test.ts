import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import type { Json } from '../../json/json.js';
import type { ExchangeRecord, JournalLine, RunFinished, RunStarted } from '../event.js';
import { createJournal, resumeJournal } from '../journal.js';
import { readJournal } from '../read-journal.js';
import { openRecordedExchanges } from '../recorded-exchanges.js';
import { lineWriter } from './line-writer.js';

/** What repeats stands once in the file, and every reader gets the whole exchange. */

const started: RunStarted = {
  ...{ type: 'run_started', run: 'run-1', at: '2026-11-20T00:00:00.000Z', plan: 'plan-1' },
  ...{ digests: { config: 'c', suites: 's', schemas: 'x' }, tool: { name: 'chatspec', version: '0.0.0' }, node: 'v20' },
  ...{ profile: 'standard', seed: 7, plannedCells: 1, shard: null },
};
const finished: RunFinished = { type: 'run_finished', at: '2026-11-20T00:01:00.000Z', requests: 2 };

type Parts = Pick<ExchangeRecord['exchange'], 'request'> & {
  readonly answer: Partial<ExchangeRecord['exchange']['answer']>;
};

function record(number: number, { request, answer }: Parts): ExchangeRecord {
  return {
    ...{ type: 'exchange', id: `e${String(number).padStart(6, '0')}`, model: 't/m', cell: 's/a@t/m' },
    ...{ ask: { kind: 'trial', patch: {}, sample: number }, purpose: 'probe', step: 'request', attempt: 0 },
    ...{ served: null, fingerprint: null },
    exchange: {
      request,
      answer: { status: 200, headers: {}, body: ['{}'], failure: null, ...answer },
      timing: { started_at: '2026-11-20T00:00:01.000Z', headers_ms: 1, total_ms: 2 },
    },
  };
}

const long = (text: string): string => text.padEnd(90, '. ');
const schema = (name: string): Json => ({ type: 'object', properties: { [name]: { description: long(name) } } });
const word = fc.constantFrom('a', 'b', '__proto__', 'ü~1/', '');
/** Requests and answers of few kinds, so that parts of every kind repeat, whole and within others. */
const parts: fc.Arbitrary<Parts> = fc.record({
  request: fc.record({
    url: fc.constantFrom('http://fake/1', 'http://fake/2'),
    headers: fc.dictionary(word, word.map(long), { maxKeys: 2 }),
    body: fc.oneof(
      fc.record({
        model: word,
        messages: fc.array(word.map((text) => ({ role: 'user', content: long(text) }))),
        response_format: fc.record({ json_schema: fc.record({ name: word, schema: word.map(schema) }) }),
        tools: fc.array(word.map((name) => ({ type: 'function', function: { name, parameters: schema(name) } }))),
      }),
      fc.jsonValue() as fc.Arbitrary<Json>,
    ),
  }),
  answer: fc.record({
    headers: fc.dictionary(word, word.map(long), { maxKeys: 2 }),
    body: fc.array(word.map(long), { maxLength: 3 }),
  }),
});

const written = (lines: readonly JournalLine[]): string => {
  const writer = lineWriter();
  return lines.map((line) => writer.textOf(line)).join('');
};
async function linesIn(file: string): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for await (const line of readJournal(file)) lines.push(line);
  return lines;
}
const linesOf = (some: readonly Parts[]): JournalLine[] => [
  started,
  ...some.map((one, index) => record(index + 1, one)),
  finished,
];

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** The order of members counts too: people read it. */
const texts = (lines: readonly JournalLine[]): string[] => lines.map((line) => JSON.stringify(line));

test('whatever is written is read again, to the order of its members', async () => {
  const file = join(await tempFolder(), 'journal.jsonl');
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 12 }), async (some) => {
      const lines = linesOf(some);
      await writeFile(file, written(lines));
      expect(await linesIn(file)).toEqual(parsed(lines));
      expect(texts(await linesIn(file))).toEqual(texts(lines));
    }),
    { numRuns: 60 },
  );
});

test('every cut of a file is a beginning of it', async () => {
  const file = join(await tempFolder(), 'journal.jsonl');
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { minLength: 4, maxLength: 10 }), fc.nat(), async (some, number) => {
      const lines = linesOf([...some, ...some]);
      const bytes = Buffer.from(written(lines));
      await writeFile(file, bytes.subarray(0, number % bytes.length));
      const read = await linesIn(file);
      expect(read).toEqual(parsed(lines.slice(0, read.length)));
    }),
    { numRuns: 60 },
  );
});

test('a run that is resumed at any cut has every exchange before it, and goes on with whole lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { minLength: 3, maxLength: 6 }), fc.nat(), async (some, number) => {
      const folder = await tempFolder();
      const file = join(folder, 'journal.jsonl');
      const lines = linesOf([...some, ...some]).slice(0, -1);
      const bytes = Buffer.from(written(lines));
      await writeFile(file, bytes.subarray(0, Math.max(bytes.indexOf(10) + 1, number % bytes.length)));
      const before = await linesIn(file);
      const { journal, recorded } = await resumeJournal(folder, 'plan-1');
      for (const line of before) {
        if (line.type !== 'exchange') continue;
        const { model, cell, ask, purpose, step, attempt, exchange } = line;
        const send = { purpose, step, attempt, body: exchange.request.body } as const;
        expect(await recorded.take({ model, cell, ask, send })).toMatchObject(line);
      }
      const others = lines.slice(before.length);
      await Promise.all(others.map((line) => journal.append(line)));
      await recorded.close();
      await journal.close();
      expect(await linesIn(file)).toEqual(parsed(lines));
    }),
    { numRuns: 20 },
  );
});

describe('in the file', () => {
  const request = {
    url: 'http://fake',
    headers: { authorization: long('Bearer ***') },
    body: { model: 'm', response_format: { json_schema: { name: 'n', schema: schema('s') } } },
  };
  const rows = (lines: readonly JournalLine[]) =>
    written(lines)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, Json>);

  test('what occurs once stands in its line, and what repeats is defined before the line that refers to it', () => {
    const answers = ['one', 'two', 'two'].map((text) => ({ body: [long(text)] }));
    const all = rows(linesOf(answers.map((answer) => ({ request, answer }))));
    const [, first, ...others] = all;
    expect(first).not.toHaveProperty('stored');
    expect(first?.['exchange']).toMatchObject({ request });
    expect(others.map(({ type }) => type)).toEqual([
      ...['defined', 'defined', 'defined', 'defined', 'exchange', 'defined', 'exchange', 'run_finished'],
    ]);
    expect(others[4]?.['exchange']).toMatchObject({ request: null, answer: { body: [long('two')] } });
    expect(others[6]?.['exchange']).toMatchObject({ request: null, answer: { body: null } });
    expect(Object.keys(all.at(-2)?.['stored'] ?? {})).toEqual(['/request', '/answer/body']);
  });

  test('requests of many models share schema and headers', () => {
    const models = Array.from({ length: 5 }, (_, index) => ({
      ...request,
      body: { ...request.body, model: `m${index}` },
    }));
    const text = written(linesOf([...models, ...models].map((one) => ({ request: one, answer: {} }))));
    expect(text.match(/"description":"s\./g)).toHaveLength(2);
    expect(text.match(/Bearer/g)).toHaveLength(2);
  });

  test('a line takes under 600 bytes where only times differ', () => {
    const many = Array.from({ length: 200 }, () => ({
      request,
      answer: { body: [long('x')], headers: { date: long('now') } },
    }));
    expect(written(linesOf(many)).length / 200).toBeLessThan(600);
  });

  test('definitions are forgotten before they fill a memory', () => {
    const large = (number: number) => ({ request: { ...request, body: `${number}`.padEnd(900_000) }, answer: {} });
    const lines = linesOf(Array.from({ length: 40 }, (_, number) => large(Math.floor(number / 2))));
    const anew = rows(lines).filter((line) => line['anew'] === true);
    expect(anew.length).toBeGreaterThan(1);
  });
});

describe('a file that another program wrote', () => {
  const exchange = record(1, { request: { url: '', headers: {}, body: null }, answer: {} });
  const definition = { type: 'defined', id: 'x', value: { a: 1 } };
  test.each<readonly [string, readonly object[]]>([
    ['refers to "y", which no line before it defines', [definition, { ...exchange, stored: { '/request/body': 'y' } }]],
    ['it has no place for "/request/url"', [definition, { ...exchange, stored: { '/request/url': 'x' } }]],
    ['it has no place for "/__proto__/x"', [definition, { ...exchange, stored: { '/__proto__/x': 'x' } }]],
    ['it has no place for ""', [definition, { ...exchange, stored: { '': 'x' } }]],
    ['"stored" has another form', [definition, { ...exchange, stored: { '/request/body': 7 } }]],
    ['"id" or "value" is missing', [{ type: 'defined', id: 'x' }]],
    [
      'which no line before it defines',
      [definition, { ...definition, id: 'z', anew: true }, { ...exchange, stored: { '/request/body': 'x' } }],
    ],
  ])('%s', async (message, lines) => {
    const file = join(await tempFolder(), 'journal.jsonl');
    await writeFile(file, [started, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    await expect(linesIn(file)).rejects.toThrow(message);
    await expect(openRecordedExchanges(file, { matchBodies: true })).rejects.toMatchObject({ reason: 'damaged' });
  });

  test('is refused where a few lines would be larger than any memory, written out', async () => {
    const file = join(await tempFolder(), 'journal.jsonl');
    const stored = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`/${index}`, 'd']));
    const bombs = Array.from({ length: 12 }, (_, level) => ({
      ...{ type: 'defined', id: `d${level + 1}`, value: Array.from({ length: 10 }, () => null) },
      stored: Object.fromEntries(Object.keys(stored).map((pointer) => [pointer, `d${level}`])),
    }));
    const lines = [started, { type: 'defined', id: 'd0', value: 'x'.repeat(100) }, ...bombs];
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await expect(linesIn(file)).rejects.toThrow('more than chatspec ever writes');
  });
});

test('a journal of an earlier version, in which every line is whole, is read, and continued in the new form', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'journal.jsonl');
  const one = {
    request: { url: 'http://fake', headers: { a: long('b') }, body: { text: long('snowman ☃') } },
    answer: {},
  };
  const lines = linesOf([one, one, one]).slice(0, -1);
  await writeFile(
    file,
    lines
      .slice(0, 3)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const { journal, recorded } = await resumeJournal(folder, 'plan-1');
  await journal.append(lines[3]!);
  await journal.append(lines[3]!);
  await recorded.close();
  await journal.close();
  expect(await linesIn(file)).toMatchObject([...lines, lines[3]]);
  expect(await readFile(file, 'utf8')).toContain('"type":"defined"');
});

test('a new journal can be read while it is written', async () => {
  const folder = await tempFolder();
  const journal = await createJournal(folder);
  const one = { request: { url: 'http://fake', headers: { a: long('b') }, body: { text: long('x') } }, answer: {} };
  const lines = linesOf([one, one, one]);
  for (const [index, line] of lines.entries()) {
    await journal.append(line);
    expect(await linesIn(join(folder, 'journal.jsonl'))).toMatchObject(lines.slice(0, index + 1));
  }
  await journal.close();
});
