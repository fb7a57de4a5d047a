import type { KeptCell } from '../../baseline/accept-run.js';
import { type Entry, type EntryChange, listChanges, type ListChanges } from '../../baseline/changes/list-changes.js';
import { unifiedDiff } from '../../baseline/changes/unified-diff.js';
import { groupBy } from '../../json/group-by.js';
import { isObject } from '../../json/json.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine, visible } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { verdictTexts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { count } from '../../report/words/phrases.js';
import type { Options } from '../verb.js';
import type { Io } from './io.js';

/** What `baseline accept` did, or would do, to the file. */
export interface Accepted {
  readonly file: string;
  readonly run: string;
  readonly only: readonly string[] | null;
  /** null: there was no file. */
  readonly before: string | null;
  /** As `before` where nothing is accepted. */
  readonly after: string | null;
  /** No: the run has nothing to accept, which is told as an error. */
  readonly isAccepted: boolean;
  readonly dryRun: boolean;
  readonly kept: readonly KeptCell[];
  readonly cells: readonly ReportCell[];
}

/** Prints what was written, entry by entry, or with `--dry-run` as a diff, and which cells stay as they were. */
export function printAcceptance(accepted: Accepted, options: Options, io: Io): void {
  const { file, run, before, after, dryRun, isAccepted } = accepted;
  const changes = listChanges(before, after ?? '');
  const diff = dryRun && after !== null ? unifiedDiff(file, before, after) : '';
  const noted = notedIn(changes);
  const left = leftCells(accepted).filter(({ cell }) => !noted.has(cell));
  if (options['json'] === true) {
    const written = !dryRun && before !== after;
    const data = { file, run, dry_run: dryRun, written, changes, left, ...(dryRun && { diff }) };
    io.out(`${jsonText(data)}\n`);
    return;
  }
  if (!isAccepted) {
    // What stays as it was is all there is to say.
  } else if (dryRun) {
    // The diff alone, so that it can be applied. The rest is for people.
    io.out(visible(diff));
    io.err(
      `chatspec: nothing was written; ${before === after ? 'accepting would change nothing' : totalOf(changes)}\n`,
    );
  } else {
    io.out(`${oneLine(`${file}: accepted ${run}${before === after ? '; nothing changed' : ''}`)}\n`);
    for (const list of changes) for (const line of linesOf(list)) io.out(`${line}\n`);
  }
  const print = dryRun ? io.err : io.out;
  for (const line of [...notedLines(noted), ...leftLines(accepted, left)]) print(`${oneLine(capped(line))}\n`);
}

/** "expect: 1 added, 1 changed, 1 removed, 12 kept", and each of them but those that stay. */
function linesOf(list: ListChanges): readonly string[] {
  return [
    numbersOf(list),
    ...list.added.map(({ name, entry }) => `  + ${withMembers(name, entry)}`),
    ...list.changed.map((change) => `  ~ ${withMembersChanged(change)}`),
    ...list.removed.map(({ name, entry }) => `  - ${withMembers(name, entry)}`),
  ].map((line) => `${line.startsWith(' ') ? '  ' : ''}${oneLine(capped(line, undefined, '--json shows all'))}`);
}

function numbersOf({ list, added, changed, removed, kept }: ListChanges): string {
  return `${list}: ${added.length} added, ${changed.length} changed, ${removed.length} removed, ${kept} kept`;
}

function totalOf(changes: readonly ListChanges[]): string {
  const lists = changes.filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
  if (lists.length === 0) return 'without --dry-run, no entry changes';
  return `without --dry-run, these entries change: ${lists.map(numbersOf).join('; ')}`;
}

function withMembers(name: Entry['name'], entry: unknown): string {
  const members = membersOf(name, entry).map(([member, value]) => `${member} ${valueText(value, member)}`);
  return members.length === 0 ? name : `${name}: ${members.join(', ')}`;
}

function withMembersChanged({ name, before, after }: EntryChange): string {
  const [old, now] = [new Map(membersOf(name, before)), new Map(membersOf(name, after))];
  const members = [...new Set([...now.keys(), ...old.keys()])].flatMap((member) => {
    const [was, is] = [valueText(old.get(member), member), valueText(now.get(member), member)];
    return was === is ? [] : [`${member} ${was} -> ${is}`];
  });
  return `${name}: ${members.join(', ')}`;
}

/** All but the one that names it. */
function membersOf(name: string, entry: unknown): readonly (readonly [string, unknown])[] {
  return isObject(entry) ? Object.entries(entry).filter(([, value]) => value !== name) : [];
}

function valueText(value: unknown, member: string): string {
  // Quirks are left out until somebody has looked; an empty list says that there are none.
  if (value === undefined) return member === 'quirks' ? 'not looked at' : 'none';
  if (Array.isArray(value) && value.length === 0) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ');
}

/** Cells that were asked and show nothing, and that are known as such now: they are not new again. */
function notedIn(changes: readonly ListChanges[]): ReadonlySet<string> {
  const added = changes.flatMap(({ list, added }) => (list === 'covers' ? added : []));
  return new Set(added.filter(({ entry }) => isObject(entry) && entry['trials'] === 0).map(({ name }) => name));
}

function notedLines({ size }: ReadonlySet<string>): readonly string[] {
  if (size === 0) return [];
  const are = size === 1 ? 'is' : 'are';
  return [
    `${count(size, 'cell')} could not be measured, and ${are} noted with 0 trials: no news until something shows`,
  ];
}

interface LeftCell extends KeptCell {
  readonly verdict: ReportCell['verdict'];
  readonly detail: string | null;
}

function leftCells({ kept, cells }: Accepted): readonly LeftCell[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  return kept.flatMap((one) => {
    const cell = byKey.get(one.cell);
    return cell === undefined ? [] : [{ ...one, verdict: cell.verdict, detail: cell.detail }];
  });
}

/** Of cells that the user named, each with its reason; of a whole run, only what needs a word. */
function leftLines({ only }: Accepted, left: readonly LeftCell[]): readonly string[] {
  if (only !== null) return left.map((one) => `${one.cell} stays as it was: ${reasonOf(one)}`);
  const groups = groupBy(left, ({ because }) => because);
  const unjudged = groups.get('not_judged') ?? [];
  const verdicts = [...groupBy(unjudged, ({ verdict }) => verdict)].map(
    ([verdict, cells]) => `${cells.length} ${say(verdictTexts[verdict])}`,
  );
  const stay = (cells: readonly LeftCell[]) => (cells.length === 1 ? 'stays as it was' : 'stay as they were');
  return [
    ...(unjudged.length === 0
      ? []
      : [`${count(unjudged.length, 'cell')} not judged ${stay(unjudged)} (${verdicts.join(', ')})`]),
    ...[...(groups.get('in_doubt') ?? []), ...(groups.get('threshold_in_doubt') ?? [])].map(
      (one) =>
        `${one.cell} stays as it was: ${reasonOf(one)}${one.because === 'in_doubt' ? '; --only accepts it all the same' : ''}`,
    ),
  ];
}

function reasonOf({ because, verdict, detail }: LeftCell): string {
  switch (because) {
    case 'holds':
      return 'the baseline already says what the run shows';
    case 'in_doubt':
      return 'the run did not settle whether it has changed';
    case 'threshold_in_doubt':
      return 'the run did not settle whether its threshold has moved; a run with --profile certify does';
    case 'not_judged':
      return `there is no result to accept (${say(verdictTexts[verdict])}${detail === null ? '' : `: ${detail}`})`;
  }
}
