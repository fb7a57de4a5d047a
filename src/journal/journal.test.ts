import { readFileSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import type { ExchangeRecord, JournalLine, RunFinished, RunStarted } from './event.js';
import { JournalError } from './journal-error.js';
import { createJournal, draftJournal, resumeJournal } from './journal.js';
import { journalFiles, type JournalFiles } from './journal-files.js';
import { lockFolder } from './journal-lock.js';
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

/** A bound for what hangs: a busy machine may take long for the rest. */
const patient = { timeout: 60_000 };

describe('a journal', () => {
  test('has one event per line, in the order in which they were added', async () => {
    const folder = await tempFolder();
    const lines = [started, ...Array.from({ length: 9 }, (_, index) => record(index + 1)), finished];
    await journalWith(folder, lines);
    expect(await linesOf(folder)).toEqual(lines);
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

  test('is read correctly wherever chunks cut its lines', async () => {
    const lines = [started, record(1), record(2)];
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const size of [1, 7, 64, 1000]) {
      const files: JournalFiles = {
        ...journalFiles,
        async *readBytes() {
          for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
        },
      };
      const read: JournalLine[] = [];
      for await (const line of readJournal('any', files)) read.push(line);
      expect(read).toEqual(lines);
    }
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
  test('keeps a second run out until the first is closed', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder);
    await expect(createJournal(folder)).rejects.toMatchObject({ reason: 'in_use' });
    await expect(resumeJournal(folder, 'plan-1')).rejects.toMatchObject({ reason: 'in_use' });
    await journal.append(started);
    await journal.close();
    const again = await resumeJournal(folder, 'plan-1');
    await again.journal.close();
  });

  test.each([
    ['of a running process', { pid: process.ppid }, 'in_use'],
    ['of a process on another machine', { pid: 1, host: 'elsewhere' }, 'in_use'],
    ['of a process that is gone', { pid: 2 ** 22 + 1 }, null],
    ['of an earlier process with the id of a running one', { pid: process.ppid, started: 'long ago' }, null],
    ['that is not a lock at all', 'rubbish', null],
  ])('%s', async (_, holder, reason) => {
    const folder = await tempFolder();
    await mkdir(folder, { recursive: true });
    const text = typeof holder === 'string' ? holder : JSON.stringify({ host: hostname(), started: '', ...holder });
    await writeFile(join(folder, 'journal.lock'), text);
    if (reason === null) await (await createJournal(folder)).close();
    else await expect(createJournal(folder)).rejects.toMatchObject({ reason });
  });
});

describe('the lock of another host', () => {
  const lockOf = (folder: string) => join(folder, 'journal.lock');
  const silent = async (folder: string, seconds: number) => {
    const then = Date.now() / 1000 - seconds;
    await utimes(lockOf(folder), then, then);
  };

  test('counts as left behind once its run has been silent for a minute', async () => {
    const folder = await tempFolder();
    await writeFile(lockOf(folder), JSON.stringify({ host: 'container-1', pid: 1, started: '7', run: 'r-1' }));
    await silent(folder, 5);
    await expect(createJournal(folder)).rejects.toThrow('try again in 60 seconds');
    await silent(folder, 70);
    await (await createJournal(folder)).close();
    expect(await readdir(folder)).toEqual(['journal.jsonl']);
  });

  test('that took the folder over from this process is left to it', async () => {
    const folder = await tempFolder();
    const lock = await lockFolder(folder, journalFiles);
    const other = JSON.stringify({ host: 'container-2', pid: 1, started: '7', run: 'r-2' });
    await writeFile(lockOf(folder), other);
    await lock.release();
    expect(await readFile(lockOf(folder), 'utf8')).toBe(other);
  });

  /** A process that is suspended notices only that the clock has moved on. */
  const suspended = () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
    onTestFinished(() => void vi.useRealTimers());
  };

  test('that took the folder over while this process was suspended gets no more lines from it', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder);
    await journal.append(started);
    await writeFile(lockOf(folder), JSON.stringify({ host: 'container-2', pid: 1, started: '7', run: 'r-2' }));
    suspended();
    await expect(journal.append(record(1))).rejects.toMatchObject({ reason: 'taken_over' });
    await expect(journal.append(record(2))).rejects.toThrow('taken over by another run');
    await expect(journal.close()).rejects.toThrow('taken over by another run');
    expect(await linesOf(folder)).toEqual([started]);
  });

  test('that took the folder over while a merge was suspended keeps its journal', async () => {
    const folder = await tempFolder();
    const draft = await draftJournal(folder);
    await draft.append(started);
    await writeFile(lockOf(folder), JSON.stringify({ host: 'container-2', pid: 1, started: '7', run: 'r-2' }));
    suspended();
    await expect(draft.finish()).rejects.toMatchObject({ reason: 'taken_over' });
    await draft.close();
    expect(await readdir(folder)).toEqual(['journal.lock']);
  });

  test('is the same after a suspension in which nobody took the folder over, also where the lock was deleted', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder);
    suspended();
    await journal.append(started);
    await rm(lockOf(folder));
    vi.setSystemTime(Date.now() + 70_000);
    await journal.append(finished);
    await expect(createJournal(folder)).rejects.toMatchObject({ reason: 'in_use' });
    await journal.close();
    expect(await readdir(folder)).toEqual(['journal.jsonl']);
  });
});

test('the lock of a run is written again as a sign of life', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const rewritten: string[] = [];
  const folder = await tempFolder();
  const files: JournalFiles = {
    ...journalFiles,
    async rewrite(file, text) {
      await journalFiles.rewrite(file, text);
      rewritten.push(text);
    },
  };
  const lock = await lockFolder(folder, files);
  vi.advanceTimersByTime(10_000);
  await vi.waitFor(() => {
    expect(rewritten).toEqual([readFileSync(join(folder, 'journal.lock'), 'utf8')]);
  }, patient);
  await lock.release();
});

test('a torn line of 300 MB is left out, and cut when the run is resumed', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'journal.jsonl');
  await journalWith(folder, [started, record(1)]);
  const whole = (await stat(file)).size;
  await appendFile(file, '{"type":"exchange","id":"');
  await truncate(file, 300_000_000);
  expect(await linesOf(folder)).toHaveLength(2);
  const { journal, recorded } = await resumeJournal(folder, 'plan-1');
  await recorded.close();
  await journal.close();
  expect((await stat(file)).size).toBe(whole);
});

describe('the lock of a run whose process has ended', () => {
  const gone = `${JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1, started: '' })}\n`;
  const lockOf = (folder: string) => join(folder, 'journal.lock');

  test('is taken over by only one of two processes that find it at the same time', async () => {
    const folder = await tempFolder();
    await writeFile(lockOf(folder), gone);
    const others: Promise<unknown>[] = [];
    const files: JournalFiles = {
      ...journalFiles,
      async readText(file) {
        const text = await journalFiles.readText(file);
        if (file !== lockOf(folder) || others.length > 0) return text;
        others.push(lockFolder(folder, journalFiles, process.ppid).catch(() => null));
        await Promise.all(others);
        return text;
      },
    };
    const mine = await lockFolder(folder, files).catch(() => null);
    expect([mine, ...(await Promise.all(others))].filter((lock) => lock !== null)).toHaveLength(1);
    await mine?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('can be taken over even if another process was killed while doing so', async () => {
    const folder = await tempFolder();
    await writeFile(lockOf(folder), gone);
    await writeFile(`${lockOf(folder)}.taken`, gone);
    await (await createJournal(folder)).close();
    expect(await readdir(folder)).toEqual(['journal.jsonl']);
  });

  test('is never read half written', async () => {
    const folder = await tempFolder();
    const state = { ended: false };
    const writing = journalFiles.createText(lockOf(folder), 'x'.repeat(4_000_000)).finally(() => {
      state.ended = true;
    });
    while (!state.ended) {
      const length = await journalFiles.readText(lockOf(folder)).then(
        (text) => text.length,
        () => null,
      );
      expect(length === null || length === 4_000_000).toBe(true);
    }
    await writing;
    expect(await readdir(folder)).toEqual(['journal.lock']);
  });
});

describe('a disk', () => {
  const failing = (code: string, after: number): JournalFiles => ({
    ...journalFiles,
    async openAppend(file, exclusive) {
      const real = await journalFiles.openAppend(file, exclusive);
      let count = 0;
      return {
        ...real,
        append: (text) => {
          count += 1;
          real.append(count <= after ? text : text.slice(0, 10));
          if (count > after) throw Object.assign(new Error(`${code}: no`), { code });
        },
      };
    },
  });

  test('that is full leaves a whole last line and a clear error', async () => {
    const folder = await tempFolder();
    const journal = await createJournal(folder, failing('ENOSPC', 1));
    await journal.append(started);
    await expect(journal.append(record(1))).rejects.toMatchObject({ reason: 'disk_full' });
    await expect(journal.append(record(2))).rejects.toThrow(/disk is full/);
    await expect(journal.close()).rejects.toThrow(/disk is full/);
    expect(await linesOf(folder)).toEqual([started]);
    const { journal: continued } = await resumeJournal(folder, 'plan-1');
    await continued.close();
  });

  /** Syncs end when the test lets them. */
  const syncing = (ends: (() => Promise<void>)[]): JournalFiles => ({
    ...journalFiles,
    async openAppend(file, exclusive) {
      const real = await journalFiles.openAppend(file, exclusive);
      return {
        ...real,
        sync: () => new Promise((resolve, reject) => ends.push(() => real.sync().then(resolve, reject))),
      };
    },
  });

  test('that syncs keeps nobody waiting who has written, and those who come next share one write', async () => {
    const folder = await tempFolder();
    const ends: (() => Promise<void>)[] = [];
    const journal = await createJournal(folder, syncing(ends));
    await journal.append(started);
    let later = 0;
    const both = [record(1), record(2)].map((line) => journal.append(line).then(() => (later += 1)));
    await vi.waitFor(() => expect(ends).toHaveLength(1), patient);
    await setTimeout(20);
    expect(later).toBe(0);
    let closed = false;
    await ends[0]?.();
    await Promise.all(both);
    expect(await linesOf(folder)).toEqual([started, record(1), record(2)]);
    await vi.waitFor(() => expect(ends).toHaveLength(2), patient);
    const closing = journal.close().then(() => (closed = true));
    await setTimeout(20);
    expect(closed).toBe(false);
    await ends[1]?.();
    await closing;
    expect(ends).toHaveLength(2);
  });

  test('that fails to sync stops the journal, and closing tells of the last sync', async () => {
    const broken: JournalFiles = {
      ...journalFiles,
      async openAppend(file, exclusive) {
        const real = await journalFiles.openAppend(file, exclusive);
        return { ...real, sync: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) };
      },
    };
    const journal = await createJournal(await tempFolder(), broken);
    await journal.append(started);
    await expect(journal.append(record(1))).rejects.toThrow(JournalError);
    await expect(journal.close()).rejects.toThrow(JournalError);
    const last = await createJournal(await tempFolder(), broken);
    await last.append(started);
    await expect(last.close()).rejects.toThrow(JournalError);
  });

  test('that cannot be written to is reported before anything is sent', async () => {
    const readOnly = (): Promise<never> => Promise.reject(Object.assign(new Error('EROFS'), { code: 'EROFS' }));
    const folder = await tempFolder();
    await expect(createJournal(folder, { ...journalFiles, makeFolder: readOnly })).rejects.toMatchObject({
      reason: 'read_only',
    });
    await expect(createJournal(folder, { ...journalFiles, openAppend: readOnly })).rejects.toThrow(/cannot be written/);
    const journal = await createJournal(folder);
    await journal.close();
  });
});
