import { readFileSync, writeFileSync } from 'node:fs';

/** Puts a table between its marks in a page of docs/. Throws when the page has no place for it. */
export function writeTable(page: string, name: string, table: string): void {
  const text = readFileSync(page, 'utf8');
  const marks = new RegExp(`(<!-- ${name}: begin -->\\n)[^]*?(\\n<!-- ${name}: end -->)`);
  if (!marks.test(text)) throw new Error(`${page} has no place for the table "${name}"`);
  writeFileSync(
    page,
    text.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`),
  );
}
