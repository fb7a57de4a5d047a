/** Planned cells of a run, and how much of each size is simulated: a night of 17,000 cells takes as long as 280 of 60. */
export const sizes = [
  { size: 60, baselines: 120, length: 30, single: 100, together: 40, isRepeated: false },
  { size: 720, baselines: 6, length: 30, single: 30, together: 10, isRepeated: false },
  { size: 4440, baselines: 2, length: 20, single: 8, together: 4, isRepeated: true },
  { size: 17_000, baselines: 1, length: 20, single: 4, together: 2, isRepeated: true },
] as const;

export const kinds = {
  ordinary: 'failure rates 0 to 5 %',
  mixed: 'one in six passes seven times in ten',
} as const;

export const alarmHead = ['cells', 'nights', 'with an alarm', 'of the first three of each baseline'] as const;
export const foundHead = [
  'among which cells',
  'who falls',
  'the next night',
  'after a second `certify` run',
  'after 10 nights',
] as const;

/** Who falls from 0.98 to 0.6. */
export const fallers = {
  single: { name: 'one, asked twice', changed: [{ rate: 0.6, trials: 2 }] },
  together: {
    name: '15, half asked twice',
    changed: Array.from({ length: 15 }, (_, index) => ({ rate: 0.6, trials: 1 + (index % 2) })),
  },
} as const;

export const nameOf = (size: number, kind: keyof typeof kinds): string =>
  `${size.toLocaleString('en-US')}, ${kinds[kind]}`;

/** Those of docs/how-chatspec-decides.md, and the bench that writes each. */
const writers = {
  'false-nights': 'later-nights',
  'found-later': 'later-nights',
  'shared-failures': 'shared-failures',
  'shared-false': 'shared-failures',
} as const;
type Table = keyof typeof writers;

const marks = (name: Table) =>
  ({
    before: `<!-- ${name}: written by npm run bench -- ${writers[name]} --write -->`,
    after: `<!-- /${name} -->`,
  }) as const;

/** The document with this table in its place; throws where it has none. */
export function withTableOf(document: string, name: Table, table: string): string {
  const { before, after } = marks(name);
  const [from, to] = [document.indexOf(before), document.indexOf(after)];
  if (from === -1 || to < from) throw new Error(`the document has no place for the table ${name}`);
  return `${document.slice(0, from + before.length)}\n\n${table}\n\n${document.slice(to)}`;
}

/** What stands between the marks. */
export function tableOf(document: string, name: Table): string {
  const { before, after } = marks(name);
  return document.slice(document.indexOf(before) + before.length, document.indexOf(after)).trim();
}
