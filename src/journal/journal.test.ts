import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import type { ExchangeRecord, JournalLine, RunFinished, RunStarted } from './event.js';
import { JournalError } from './journal-error.js';
import { compressJournal, createJournal, exchangesIn, openFile, resumeJournal } from './journal.js';
import { isInUse, lockFolder } from './journal-lock.js';
import { readJournal } from './read-journal.js';

const started: RunStarted = {
  type: 'run_started',
  run: 'run-1',
  at: '2026-11-20T00:00:00.000Z',
  plan: 'plan-1',
  digests: { config: 'c', suites: 's', schemas: 'x' },
  tool: { name: 'chatspec', version: '0.0.0' },
  node: 'v20',
  profile: 'standard',
  seed: 7,
  plannedCells: 1,
  shard: null,
};
const finished: RunFinished = { type: 'run_finished', at: '2026-11-20T00:01:00.000Z', requests: 2 };

const ask = { kind: 'trial', patch: {}, sample: 0 } as const;
const record = (number: number, changes: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  type: 'exchange',
  id: `e00000${number}`,
  model: 't/m',
  cell: 's/a@t/m',
  ask,
  purpose: 'probe',
  step: 'request',
  attempt: number - 1,
  served: null,
  fingerprint: null,
  exchange: {
    request: { url: 'http://fake', headers: {}, body: { text: `snowman ☃ ${number}` } },
    answer: { status: 200, headers: {}, body: ['{}'], failure: null },
    timing: { started_at: '2026-11-20T00:00:01.000Z', headers_ms: 1, total_ms: 2 },
  },
  ...changes,
});
const request = (number: number) => {
  const { model, cell, purpose, step, attempt, exchange } = record(number);
  return { model, cell, ask, send: { purpose, step, attempt, body: exchange.request.body } } as const;
};

async function linesOf(folder: string): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for await (const line of readJournal(join(folder, 'journal.jsonl'))) lines.push(line);
  return lines;
}

async function journalWith(folder: string, lines: readonly JournalLine[]): Promise<void> {
  const journal = await createJournal(folder);
  await Promise.all(lines.map((line) => journal.append(line)));
  await journal.close();
}

describe('a journal', () => {
  test('has one event per line, in the order in which they were added', async () => {
    const folder = await tempFolder();
    const lines = [started, ...Array.from({ length: 9 }, (_, index) => record(index + 1)), finished];
    await journalWith(folder, lines);
    expect(await linesOf(folder)).toEqual(lines);
    const found: ExchangeRecord[] = [];
    for await (const one of exchangesIn(folder)(new Set(['e000003', 'e000008', 'other']))) found.push(one);
    expect(found).toEqual([record(3), record(8)]);
  });

  test('has a line on disk once its append resolves', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder);
    await journal.append(started);
    expect(await readFile(join(folder, 'journal.jsonl'), 'utf8')).toBe(`${JSON.stringify(started)}\n`);
    await journal.close();
  });

  test('is never overwritten', async () => {
    const folder = await tempFolder();
    await journalWith(folder, [started]);
    await expect(createJournal(folder)).rejects.toMatchObject({ name: 'JournalError', reason: 'exists' });
    expect(await linesOf(folder)).toEqual([started]);
  });

  test('is read as it was written, plain and compressed, wherever the pieces that are read cut its lines', async () => {
    const folder = await tempFolder();
    const long = (number: number) => record(1, { id: `e${number}`, step: 'aü☃😀'.repeat(number * 1000) });
    const lines = [started, ...Array.from({ length: 30 }, (_, number) => long(number)), finished];
    await journalWith(folder, lines);
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect((await readFile(join(folder, 'journal.jsonl'), 'utf8')) === text).toBe(true);
    expect(JSON.stringify(await linesOf(folder)) === JSON.stringify(lines)).toBe(true);
    await compressJournal(folder);
    expect(await readdir(folder)).toEqual(['journal.jsonl.gz']);
    expect(JSON.stringify(await linesOf(folder)) === JSON.stringify(lines)).toBe(true);
  });

  test('that another program changed is reported as damaged, with the line', async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'journal.jsonl'), `${JSON.stringify(started)}\nnot json\n{"type":"exchange"}\n`);
    await expect(linesOf(folder)).rejects.toMatchObject({ reason: 'damaged' });
    await expect(linesOf(folder)).rejects.toThrow(/journal\.jsonl:2/);
  });
});

describe('continuing a journal', () => {
  test('uses each exchange once', async () => {
    const folder = await tempFolder();
    await journalWith(folder, [started, record(1), record(2)]);
    const { journal, recorded } = await resumeJournal(folder, 'plan-1');
    expect(recorded).toMatchObject({ started, finished: null, count: 2, lastNumber: 2 });
    expect(await recorded.take(request(2))).toEqual(record(2));
    expect(await recorded.take(request(2))).toBeNull();
    expect(await recorded.take(request(1))).toEqual(record(1));
    expect(await recorded.take(request(3))).toBeNull();
    await recorded.close();
    await journal.close();
  });

  test.each(['', '{', JSON.stringify(record(2)).slice(0, -1), JSON.stringify(record(2))])(
    'drops a torn last line and cuts it off (%#)',
    async (torn) => {
      const folder = await tempFolder();
      await journalWith(folder, [started, record(1)]);
      await appendFile(join(folder, 'journal.jsonl'), torn);
      expect(await linesOf(folder)).toEqual([started, record(1)]);
      const { journal, recorded } = await resumeJournal(folder, 'plan-1');
      expect(await recorded.take(request(2))).toBeNull();
      await journal.append(record(3));
      await journal.close();
      expect(await linesOf(folder)).toEqual([started, record(1), record(3)]);
    },
  );

  test('removes the line that marks the run as finished', async () => {
    const folder = await tempFolder();
    await journalWith(folder, [started, record(1), finished]);
    const { journal, recorded } = await resumeJournal(folder, 'plan-1');
    expect(recorded.finished).toEqual(finished);
    await journal.append(record(2));
    await journal.close();
    expect(await linesOf(folder)).toEqual([started, record(1), record(2)]);
  });

  test('refuses the journal of another plan, and changes nothing', async () => {
    const folder = await tempFolder();
    await journalWith(folder, [started, record(1), finished]);
    await expect(resumeJournal(folder, 'plan-2')).rejects.toMatchObject({ reason: 'other_plan' });
    expect(await linesOf(folder)).toEqual([started, record(1), finished]);
    const { journal } = await resumeJournal(folder, 'plan-1');
    await journal.close();
  });

  test('refuses a folder without a journal', async () => {
    await expect(resumeJournal(await tempFolder(), 'plan-1')).rejects.toMatchObject({ reason: 'missing' });
  });
});

describe('a line that another program wrote', () => {
  const exchange = record(1).exchange;
  test.each<readonly [string, unknown]>([
    ['"type"', { run: 'r' }],
    ['"run"', { type: 'run_started' }],
    ['"digests"', { ...started, digests: null }],
    ['"options.only.0"', { ...started, options: { only: [1] } }],
    ['"exchange"', { ...record(1), exchange: undefined }],
    ['"attempt"', { ...record(1), attempt: '0' }],
    ['"exchange.request.body"', { ...record(1), exchange: { ...exchange, request: { url: '', headers: {} } } }],
    [
      '"exchange.answer.body.1"',
      { ...record(1), exchange: { ...exchange, answer: { ...exchange.answer, body: ['', 7] } } },
    ],
    ['"requests"', { ...finished, requests: null }],
    ['"stopped.0"', { ...finished, stopped: [7] }],
  ])('is told with its place and the member %s', async (member, line) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'journal.jsonl'), `${JSON.stringify(started)}\n${JSON.stringify(line)}\n`);
    const refused = linesOf(folder);
    await expect(refused).rejects.toMatchObject({ reason: 'damaged' });
    await expect(refused).rejects.toThrow(`journal.jsonl:2 is not a journal event: ${member}`);
  });

  test.each([
    ['whose beginning was cut off', [record(1), finished], 'journal.jsonl:1 is not the beginning of a run'],
    ['of only a later type', [{ type: 'later' }], 'journal.jsonl:1 is not the beginning of a run'],
    ['with two beginnings', [started, record(1), started], 'journal.jsonl:3 is the beginning of another run'],
  ])('a journal %s is damaged', async (_, lines, says) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'journal.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await expect(linesOf(folder)).rejects.toMatchObject({ reason: 'damaged' });
    await expect(linesOf(folder)).rejects.toThrow(says);
  });

  test('a number that no number can hold is damage', async () => {
    const folder = await tempFolder();
    const line = JSON.stringify(record(1)).replace('"attempt":0', '"attempt":1e400');
    await writeFile(join(folder, 'journal.jsonl'), `${JSON.stringify(started)}\n${line}\n`);
    await expect(linesOf(folder)).rejects.toThrow('journal.jsonl:2 is not a journal event: "attempt"');
  });

  test.each([
    ['NUL bytes', '\0'.repeat(100)],
    ['compressed data', gzipSync('{}').toString('latin1')],
  ])('%s are told with their place', async (_, data) => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'journal.jsonl'), `${JSON.stringify(started)}\n${data}\n`, 'latin1');
    await expect(linesOf(folder)).rejects.toMatchObject({ reason: 'damaged' });
    await expect(linesOf(folder)).rejects.toThrow('journal.jsonl:2 is not JSON');
  });

  test('may have members that this version does not know, and a type as well', async () => {
    const folder = await tempFolder();
    const lines = [{ ...started, later: 1 }, { type: 'later' }, { ...record(1), later: {} }];
    await writeFile(join(folder, 'journal.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await linesOf(folder)).toHaveLength(2);
  });
});

describe('the lock of a run folder', () => {
  const lockOf = (folder: string) => join(folder, 'journal.lock');

  test('keeps a second run out until the first is closed', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder);
    await expect(createJournal(folder)).rejects.toMatchObject({ reason: 'in_use' });
    await expect(resumeJournal(folder, 'plan-1')).rejects.toMatchObject({ reason: 'in_use' });
    expect(await isInUse(folder)).toBe(true);
    await journal.append(started);
    await journal.close();
    expect(await isInUse(folder)).toBe(false);
    const again = await resumeJournal(folder, 'plan-1');
    await again.journal.close();
    expect(await readdir(folder)).toEqual(['journal.jsonl']);
  });

  const holder = (changes: object) => JSON.stringify({ host: hostname(), pid: process.ppid, started: '', ...changes });
  test.each([
    ['of a running process', holder({}), 'in_use'],
    ['of a process on another machine', holder({ host: 'elsewhere' }), 'in_use'],
    ['that is not a whole text yet', '{"host":', 'in_use'],
    ['of a process that is gone', holder({ pid: 2 ** 22 + 1 }), null],
    ['of an earlier process with the id of a running one', holder({ started: 'long ago' }), null],
    ['of an earlier process with the id of this one', holder({ pid: process.pid, started: 'long ago' }), null],
  ])('%s', async (_, text, reason) => {
    const folder = await tempFolder();
    await writeFile(lockOf(folder), text);
    expect(await isInUse(folder)).toBe(reason !== null);
    if (reason === null) {
      await (await createJournal(folder)).close();
    } else {
      await expect(createJournal(folder)).rejects.toMatchObject({ reason });
    }
    expect(await readdir(folder)).toEqual([reason === null ? 'journal.jsonl' : 'journal.lock']);
  });

  test('of another machine, which may have ended, is named so that it can be removed', async () => {
    const folder = await tempFolder();
    await writeFile(lockOf(folder), holder({ host: 'elsewhere' }));
    await expect(createJournal(folder)).rejects.toThrow(lockOf(folder));
    await rm(lockOf(folder));
    await (await createJournal(folder)).close();
  });

  test('of a process that is gone goes to one of those that find it at the same time', async () => {
    for (let time = 0; time < 20; time += 1) {
      const folder = await tempFolder();
      await writeFile(lockOf(folder), holder({ pid: 2 ** 22 + 1 }));
      const locks = await Promise.all([1, 2].map(() => lockFolder(folder).catch(() => null)));
      const [release, ...others] = locks.filter((lock) => lock !== null);
      expect(others).toEqual([]);
      await release?.();
      expect(await readdir(folder)).toEqual([]);
    }
  });
});

test('a torn line of 30 MB is left out, and cut when the run is resumed', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'journal.jsonl');
  await journalWith(folder, [started, record(1)]);
  const whole = (await stat(file)).size;
  await appendFile(file, '{"type":"exchange","id":"');
  await truncate(file, 30_000_000);
  expect(await linesOf(folder)).toHaveLength(2);
  const { journal, recorded } = await resumeJournal(folder, 'plan-1');
  await recorded.close();
  await journal.close();
  expect((await stat(file)).size).toBe(whole);
});

describe('a disk', () => {
  const no = (code: string) => Object.assign(new Error(`${code}: no`), { code });

  test('that is full leaves a whole last line and a clear error', async () => {
    const folder = await tempFolder();
    let count = 0;
    const journal = await createJournal(folder, async (...where) => {
      const real = await openFile(...where);
      return {
        ...real,
        append(text) {
          count += 1;
          real.append(count === 1 ? text : text.slice(0, 10));
          if (count > 1) throw no('ENOSPC');
        },
      };
    });
    await journal.append(started);
    await expect(journal.append(record(1))).rejects.toMatchObject({ reason: 'disk_full' });
    await expect(journal.append(record(2))).rejects.toThrow(/disk is full/);
    await expect(journal.close()).rejects.toThrow(/disk is full/);
    expect(await linesOf(folder)).toEqual([started]);
    const { journal: continued } = await resumeJournal(folder, 'plan-1');
    await continued.close();
  });

  test('that syncs keeps nobody waiting but the closing, and those who come meanwhile share one sync', async () => {
    const folder = await tempFolder();
    let syncs = 0;
    let end: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (end = resolve));
    const journal = await createJournal(folder, async (...where) => ({
      ...(await openFile(...where)),
      sync: () => ((syncs += 1) === 1 ? first : Promise.resolve()),
    }));
    const lines = [started, record(1), record(2)];
    for (const line of lines) await journal.append(line);
    expect(await linesOf(folder)).toEqual(lines);
    expect(syncs).toBe(1);
    const closing = journal.close();
    expect(await isInUse(folder)).toBe(true);
    end();
    await closing;
    expect(syncs).toBe(2);
    expect(await isInUse(folder)).toBe(false);
  });

  test('that fails to sync stops the journal, and closing tells of the last sync', async () => {
    const journal = await createJournal(await tempFolder(), async (...where) => ({
      ...(await openFile(...where)),
      sync: () => Promise.reject(no('EIO')),
    }));
    await journal.append(started);
    await expect(journal.close()).rejects.toThrow(JournalError);
    await expect(journal.append(record(1))).rejects.toThrow(JournalError);
  });

  test('brings no line to the disk that need not be there, and loses none that nobody waited for', async () => {
    const folder = await tempFolder();
    let syncs = 0;
    const journal = await createJournal(folder, async (...where) => ({
      ...(await openFile(...where)),
      sync: () => Promise.resolve(void (syncs += 1)),
    }));
    await journal.append(started);
    const appended = [record(1), record(2)].map((line) => journal.append(line, false));
    await journal.close();
    await Promise.all(appended);
    expect(await linesOf(folder)).toEqual([started, record(1), record(2)]);
    expect(syncs).toBe(1);
  });

  test('that cannot be written to is reported before anything is sent', async () => {
    const folder = await tempFolder();
    const refused = createJournal(folder, () => Promise.reject(no('EROFS')));
    await expect(refused).rejects.toMatchObject({ reason: 'read_only' });
    await expect(refused).rejects.toThrow(/cannot be written/);
    await (await createJournal(folder)).close();
  });
});
