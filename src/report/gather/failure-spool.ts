import { closeSync, createReadStream, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unfinishedName } from '../../files/write-whole.js';
import type { CellFailure } from '../../matrix/report-format.js';
import type { Ask } from '../../plan/plan.js';
import type { ExchangeFacts } from '../../judge/application/exchange-facts.js';
import { parsedJson, writtenJson } from '../../json/json.js';

/** A trial that failed, from which a line of `failures.jsonl` is made. */
export interface FailingTrial extends CellFailure {
  readonly cell: string;
  readonly ask: Ask;
  /** Facts of the failed exchange, so that the journal need not be read again. */
  readonly facts: ExchangeFacts | null;
}

/** Keeps the failing trials of a run until `failures.jsonl` is written. */
export interface FailureSpool {
  add(failure: FailingTrial): void;
  /** In the order in which they were added. */
  all(): Iterable<FailingTrial> | AsyncIterable<FailingTrial>;
  close(): void;
}

export function memorySpool(): FailureSpool {
  const failures: FailingTrial[] = [];
  return { add: (failure) => void failures.push(failure), all: () => failures, close: () => undefined };
}

/** How many failing trials are kept in memory before they go to disk. */
const roomInMemory = 500;

/**
 * Keeps a few failing trials in memory and the others in an unlinked file, so that a night in which everything fails
 * needs no more memory than a good one, and a killed run leaves nothing behind. Throws what the file system throws.
 * @param folder where to make the file, which holds text that is not redacted yet
 */
export function diskSpool(folder: () => string): FailureSpool {
  // As JSON text, because a substring keeps the whole reply in memory that it was cut from.
  let recent: string[] = [];
  let file: number | null = null;

  const spill = (): void => {
    file ??= openUnnamed(folder());
    writeSync(file, recent.map((line) => `${line}\n`).join(''));
    recent = [];
  };

  return {
    add(failure) {
      if (recent.push(writtenJson(failure)) >= roomInMemory) spill();
    },
    async *all() {
      if (file !== null) {
        const input = createReadStream('', { fd: file, start: 0, autoClose: false });
        for await (const line of createInterface({ input })) yield parsedJson(line) as FailingTrial;
      }
      for (const line of recent) yield parsedJson(line) as FailingTrial;
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** The file is unlinked at once. */
function openUnnamed(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const path = unfinishedName(join(folder, '.failures'));
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}
