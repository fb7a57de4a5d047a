import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json } from '../../json/json.js';

/** A task text that the reference knows, with the values that are right for it (null: the text alone is known). */
export interface KnownTask {
  readonly text: string;
  readonly answer: Json;
  /** Name of the file it comes from, without its ending. */
  readonly file: string;
}

/** The known task that a message quotes, or null. */
export type Knowledge = (message: string) => KnownTask | null;

/** Reads every row with a `text` from the JSON Lines files of a folder; a missing folder is no knowledge. */
export function loadTasks(folder: string): readonly KnownTask[] {
  return listFiles(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap((line) => taskOf(JSON.parse(line) as Json, file.replace(/\.jsonl$/, ''))),
  );
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
  } catch {
    return [];
  }
}

function taskOf(row: Json, file: string): KnownTask[] {
  if (!isObject(row) || typeof row['text'] !== 'string') return [];
  return [{ text: collapsed(row['text']), answer: row['answer'] ?? null, file }];
}

/** Prompts may be folded differently from the samples: only the words count. */
function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The longest known text that stands in the message wins. Messages come again and again, so answers are kept. */
export function knowledgeOf(tasks: readonly KnownTask[]): Knowledge {
  const longestFirst = [...tasks].sort((left, right) => right.text.length - left.text.length);
  const kept = new Map<string, KnownTask | null>();
  return (message) => {
    const known = kept.get(message);
    if (known !== undefined) return known;
    const words = collapsed(message);
    const found = longestFirst.find((task) => words.includes(task.text)) ?? null;
    if (kept.size >= 5000) kept.clear();
    kept.set(message, found);
    return found;
  };
}
