import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { groupBy } from '../../json/group-by.js';
import type { ToldFailure } from '../evidence/evidence-bundle.js';
import type { FailureLine } from './failure-lines.js';

/**
 * All failing trials of these cells, by key, in the order of the trials. Read from `failures.jsonl` line by line; empty
 * where a run folder has none. A line that a killed run left torn is skipped.
 */
export async function failuresOf(
  keys: ReadonlySet<string>,
  folder: string,
): Promise<ReadonlyMap<string, readonly ToldFailure[]>> {
  const file = join(folder, 'failures.jsonl');
  const found: FailureLine[] = [];
  if (existsSync(file)) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const one = parsed(line);
      if (one !== null && keys.has(one.cell)) found.push(one);
    }
  }
  found.sort((a, b) => a.trial - b.trial);
  return new Map([...groupBy(found, ({ cell }) => cell)].map(([key, lines]) => [key, lines.map(told)]));
}

const told = ({ error, validation_errors, exchange, exchanges }: FailureLine): ToldFailure => ({
  ...{ detail: error, violations: validation_errors, exchange, exchanges },
});

function parsed(line: string): FailureLine | null {
  try {
    return JSON.parse(line) as FailureLine;
  } catch {
    return null;
  }
}
