import type { KeptCell } from '../../baseline/accept-run.js';
import { listChanges, type ListChanges } from '../../baseline/changes/list-changes.js';
import { unifiedDiff } from '../../baseline/changes/unified-diff.js';
import { splitAtModel } from '../../cell/cell-key.js';
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

/** Prints how many entries were written, or with `--dry-run` each of them as a diff, and which cells stay as they were. */
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
    for (const line of summaryOf(changes)) io.out(`${line.startsWith(' ') ? '  ' : ''}${oneLine(capped(line))}\n`);
  }
  const print = dryRun ? io.err : io.out;
  for (const line of [...notedLines(noted), ...leftLines(accepted, left)]) print(`${oneLine(capped(line))}\n`);
}

/** So many models are counted by name, and so few entries are named themselves. */
const [mostModels, mostNamed] = [20, 6];
const marks = { added: '+', changed: '~', removed: '-' } as const;

/** "expect: 1 added, 1 changed, 1 removed, 12 kept", and then the same for each model; `--dry-run` shows each entry. */
function summaryOf(changes: readonly ListChanges[]): readonly string[] {
  const kinds = ['added', 'changed', 'removed'] as const;
  const all = changes.flatMap((list) =>
    kinds.flatMap((kind) => list[kind].map(({ name }) => ({ kind, name, model: splitAtModel(name).model ?? name }))),
  );
  const named = new Set(all.map(({ kind, name }) => `  ${marks[kind]} ${name}`));
  if (named.size <= mostNamed) return [...changes.map(numbersOf), ...named];
  const models = [...groupBy(all, ({ model }) => model)].sort(([, one], [, other]) => other.length - one.length);
  const counts = models.slice(0, mostModels).map(([model, own]) => {
    const parts = kinds.map((kind) => [own.filter((one) => one.kind === kind).length, kind] as const);
    return `  ${model}: ${parts.flatMap(([number, kind]) => (number === 0 ? [] : `${number} ${kind}`)).join(', ')}`;
  });
  const more = models.length - counts.length;
  return [...changes.map(numbersOf), ...counts, ...(more > 0 ? [`  ${count(more, 'more model')}`] : [])];
}

function numbersOf({ list, added, changed, removed, kept }: ListChanges): string {
  return `${list}: ${added.length} added, ${changed.length} changed, ${removed.length} removed, ${kept} kept`;
}

function totalOf(changes: readonly ListChanges[]): string {
  const lists = changes.filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
  if (lists.length === 0) return 'without --dry-run, no entry changes';
  return `without --dry-run, these entries change: ${lists.map(numbersOf).join('; ')}`;
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
    ...[...groups].flatMap(([because, cells]) => {
      const [first] = cells;
      if (first === undefined || because === 'not_judged' || because === 'holds') return [];
      const way = because === 'in_doubt' ? '; --only accepts it all the same' : '';
      const what = cells.length === 1 ? first.cell : `${count(cells.length, 'cell')}, such as ${first.cell},`;
      return `${what} ${stay(cells)}: ${reasonOf(first)}${way}`;
    }),
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
