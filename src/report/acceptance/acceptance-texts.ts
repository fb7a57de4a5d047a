import { groupBy } from '../../json/group-by.js';
import { isObject } from '../../json/json.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { verdictTexts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { count } from '../words/phrases.js';

/** How one list of a baseline changed, entry by entry. */
interface ListChanges {
  readonly list: string;
  readonly added: readonly { readonly name: string; readonly entry: unknown }[];
  readonly changed: readonly { readonly name: string }[];
  readonly removed: readonly { readonly name: string }[];
  readonly kept: number;
}

/** A cell whose line stays, and why. */
interface KeptCell {
  readonly cell: string;
  readonly because: 'not_judged' | 'holds' | 'in_doubt' | 'threshold_in_doubt';
}

const isChange = ({ added, changed, removed }: ListChanges): boolean =>
  added.length + changed.length + removed.length > 0;

/** So many entries are named. */
const mostNamed = 6;
const marks = { added: '+', changed: '~', removed: '-' } as const;

/** "expect: 1 added, 1 changed, 1 removed, 12 kept", and the first entries; `--dry-run` and `--json` show each. */
export function summaryTexts(changes: readonly ListChanges[]): readonly string[] {
  const kinds = ['added', 'changed', 'removed'] as const;
  const named = changes.flatMap((list) =>
    kinds.flatMap((kind) => list[kind].map(({ name }) => `  ${marks[kind]} ${name}`)),
  );
  const all = [...new Set(named)];
  const more = all.length - mostNamed;
  return [...changes.map(numbersOf), ...all.slice(0, mostNamed), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function numbersOf({ list, added, changed, removed, kept }: ListChanges): string {
  return `${list}: ${added.length} added, ${changed.length} changed, ${removed.length} removed, ${kept} kept`;
}

/** What accepting would do. */
export function changesCount(changes: readonly ListChanges[]): string {
  const lists = changes.filter(isChange).map(numbersOf);
  if (lists.length === 0) return 'accepting would change nothing';
  return `without --dry-run, these entries change: ${lists.join('; ')}`;
}

/** Cells that were asked and show nothing, and that are known as such now: they are not new again. */
export function notedIn(changes: readonly ListChanges[]): ReadonlySet<string> {
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

const reasons: Readonly<Record<KeptCell['because'], string>> = {
  holds: 'the baseline already says what the run shows',
  in_doubt: 'the run did not settle whether it has changed; --only accepts it all the same',
  threshold_in_doubt: 'the run did not settle whether its threshold has moved; a run with --profile certify does',
  not_judged: 'there is no result to accept',
};

/** Of cells that the user named, each with its reason; of a whole run, only what needs a word. */
export function leftTexts(left: readonly LeftCell[], noted: number, isNamed: boolean): string[] {
  const because = ({ because: why, verdict, detail }: LeftCell): string => {
    const shown = `${say(verdictTexts[verdict])}${detail === null ? '' : `: ${detail}`}`;
    return why === 'not_judged' ? `${reasons[why]} (${shown})` : reasons[why];
  };
  const groups = [...groupBy(left, ({ because: why }) => why)].filter(([why]) => why !== 'holds');
  return [
    ...(noted === 0
      ? []
      : [`${count(noted, 'cell')} could not be measured, and noted with 0 trials: no news until something shows`]),
    ...(isNamed
      ? left.map((one) => `${one.cell} stays as it was: ${because(one)}`)
      : groups.map(([why, cells]) => {
          const such =
            cells.length === 1
              ? (cells[0]?.cell ?? '')
              : `${count(cells.length, 'cell')}, such as ${cells[0]?.cell ?? ''},`;
          return `${such} ${cells.length === 1 ? 'stays as it was' : 'stay as they were'}: ${reasons[why]}`;
        })),
  ];
}
