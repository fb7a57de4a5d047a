import { markdownTable } from '../safe/markdown-text.js';

/** Bytes of a job summary, with some left for a caller that adds its own: GitHub takes 1 MiB of a step. */
const mostBytes = 1_000_000;

/** A part of the document: text as it is, or a table whose last rows may be left out. */
export type Section =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'table';
      /** What stands above the table, its heading included. */
      readonly title: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** What stands below it. */
      readonly after?: string;
    };

/**
 * The document, within the size of a job summary. What comes first is whole; a table that would not fit loses its last
 * rows, and says how many.
 */
export function documentOf(
  sections: readonly Section[],
  most = mostBytes,
  room = '1 MiB in a job summary',
  all = 'index.html shows all',
): string {
  let left = most - sections.reduce((sum, section) => sum + bytes(smallest(section, room, all)) + 2, 0);
  const parts = sections.map((section) => {
    if (section.kind === 'text') return section.text;
    const { rows, head, title, after } = section;
    let kept = 0;
    for (const row of rows) {
      const size = bytes(markdownTable([], [row])) + 1;
      if (size > left) break;
      left -= size;
      kept += 1;
    }
    const table = kept === 0 ? [] : [markdownTable(head, rows.slice(0, kept))];
    const cut = kept === rows.length ? [] : [leftOut(rows.length - kept, rows.length, room, all)];
    return [title, ...table, ...cut, ...(after === undefined ? [] : [after])].join('\n\n');
  });
  return `${parts.join('\n\n')}\n`;
}

function smallest(section: Section, room: string, all: string): string {
  if (section.kind === 'text') return section.text;
  const { title, head, rows, after = '' } = section;
  return [title, markdownTable(head, []), leftOut(rows.length, rows.length, room, all), after].join('\n\n');
}

function leftOut(number: number, of: number, room: string, where: string): string {
  const [all, are] = [of.toLocaleString('en'), number === 1 ? 'row is' : 'rows are'];
  return `${number.toLocaleString('en')} of ${all} ${are} left out, because there is only room for ${room}: ${where}.`;
}

const bytes = (text: string): number => Buffer.byteLength(text);
