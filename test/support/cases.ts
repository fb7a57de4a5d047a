import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A table of fixtures/cases/FILE.yaml, whose rows are the arguments of a test. */
export function tableIn(file: string, table: string): unknown {
  const text = readFileSync(new URL(`../../fixtures/cases/${file}.yaml`, import.meta.url), 'utf8');
  const found = (parse(text) as Readonly<Record<string, unknown>>)[table];
  if (!Array.isArray(found) || found.length === 0) throw new Error(`fixtures/cases/${file}.yaml has no "${table}"`);
  return found;
}
