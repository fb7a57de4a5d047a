/** Prints a Markdown table, as docs/how-chatspec-decides.md shows it. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${markdownTable(head, rows)}\n\n`);
}

/** With columns as wide as what stands in them, as the formatter of the documents demands. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
