import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, parsedJson } from '../../json/json.js';
import { remembered } from '../../json/remembered.js';

/** A task text that the reference knows, with the right answer (null: none is known). */
export interface KnownTask {
  readonly text: string;
  readonly answer: Json;
  /** Name of its file without the extension. */
  readonly file: string;
}

function tasksIn(folder: string): readonly KnownTask[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .flatMap((line) => taskFromRow(parsedJson(line) as Json, file.replace(/\.jsonl$/, ''))),
    );
}

function taskFromRow(row: Json, file: string): KnownTask[] {
  if (!isObject(row) || typeof row['text'] !== 'string') return [];
  return [{ text: normalised(row['text']), answer: row['answer'] ?? null, file }];
}

/** Prompts may be wrapped differently from the samples, so white space is normalised. */
function normalised(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Finds the task that a message quotes, or null: the longest text that it contains wins. Tasks are all rows with a
 * `text` in the JSON Lines files of a folder; a missing folder counts as empty.
 */
export function knownTasksIn(folder: string): (message: string) => KnownTask | null {
  const longestFirst = tasksIn(folder).toSorted((left, right) => right.text.length - left.text.length);
  return remembered(5000, (message: string) => {
    const words = normalised(message);
    return longestFirst.find((task) => words.includes(task.text)) ?? null;
  });
}
