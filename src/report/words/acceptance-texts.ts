import { groupBy } from '../../json/group-by.js';
import { isObject } from '../../json/json.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { acceptance, keptBecause, verdictTexts } = texts;

/** How one list of a baseline changed, entry by entry. */
interface NamedListChanges {
  readonly list: string;
  readonly added: readonly { readonly name: string; readonly entry: unknown }[];
  readonly changed: readonly { readonly name: string }[];
  readonly removed: readonly { readonly name: string }[];
  readonly kept: number;
}

/** A cell whose line stays, and why. */
interface KeptCell {
  readonly cell: string;
  readonly because: keyof typeof keptBecause;
}

const isChange = ({ added, changed, removed }: NamedListChanges): boolean =>
  added.length + changed.length + removed.length > 0;

/** So many entries are named. */
const maxSummaryEntries = 6;
const marks = { added: '+', changed: '~', removed: '-' } as const;

/** "expect: 1 added, 1 changed, 1 removed, 12 kept", and the first entries; `--dry-run` and `--json` show each. */
export function summaryTexts(changes: readonly NamedListChanges[]): readonly string[] {
  const kinds = ['added', 'changed', 'removed'] as const;
  const named = changes.flatMap((list) =>
    kinds.flatMap((kind) => list[kind].map(({ name }) => `  ${marks[kind]} ${name}`)),
  );
  const all = [...new Set(named)];
  const more = all.length - maxSummaryEntries;
  return [
    ...changes.map(numbersOf),
    ...all.slice(0, maxSummaryEntries),
    ...(more > 0 ? [`  ${say(acceptance.more, { more })}`] : []),
  ];
}

function numbersOf({ list, added, changed, removed, kept }: NamedListChanges): string {
  return say(acceptance.list, {
    list,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    kept,
  });
}

/** Effects of accepting. */
export function changesCount(changes: readonly NamedListChanges[]): string {
  const lists = changes.filter(isChange).map(numbersOf);
  if (lists.length === 0) return say(acceptance.nothing);
  return say(acceptance.would, { lists: lists.join('; ') });
}

/** Cells that were asked and show nothing, and that are known as such now: they are not new again. */
export function notedIn(changes: readonly NamedListChanges[]): ReadonlySet<string> {
  const added = changes.flatMap(({ list, added }) => (list === 'covers' ? added : []));
  return new Set(added.filter(({ entry }) => isObject(entry) && entry['trials'] === 0).map(({ name }) => name));
}

/** A cell of which the baseline says what it said before. */
interface LeftCell extends KeptCell {
  readonly verdict: ReportCell['verdict'];
  readonly detail: string | null;
}

export function leftCells(kept: readonly KeptCell[], cells: readonly ReportCell[]): readonly LeftCell[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  return kept.flatMap((one) => {
    const cell = byKey.get(one.cell);
    return cell === undefined ? [] : [{ ...one, verdict: cell.verdict, detail: cell.detail }];
  });
}

/** Of cells that the user named, each with its reason; of a whole run, only what needs a word. */
export function leftTexts(left: readonly LeftCell[], noted: number, isNamed: boolean): string[] {
  const notes = noted === 0 ? [] : [say(acceptance.noted, { cells: noted })];
  if (isNamed) return [...notes, ...left.map((one) => staysText([one], shownText(one)))];
  const groups = [...groupBy(left, ({ because }) => because)].filter(([because]) => because !== 'holds');
  return [...notes, ...groups.map(([, cells]) => staysText(cells, 'none'))];
}

const shownText = ({ verdict, detail }: LeftCell): string =>
  `${say(verdictTexts[verdict])}${detail === null ? '' : `: ${detail}`}`;

function staysText(cells: readonly LeftCell[], shown: string): string {
  const [first] = cells;
  if (first === undefined) return '';
  return say(acceptance.stays, {
    cells: cells.length,
    cell: first.cell,
    why: say(keptBecause[first.because], { shown }),
  });
}
