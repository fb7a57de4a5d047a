import { isJudged } from '../../../cell/verdict.js';
import type { Report } from '../../../matrix/report-format.js';
import { count, raised, uncoveredText } from '../phrases.js';
import { enoughTrials } from '../unsettled-text.js';

/** What the run was compared with, as far as its report tells. */
export interface BaselineKnown {
  /** ISO date of the newest entry for a cell of the run; null where no entry has one. */
  readonly date: string | null;
  readonly judged: number;
  /** Judged cells that somebody has accepted. */
  readonly covered: number;
  /** Of these, the ones that are known from few trials. */
  readonly provisional: number;
  /** From how many trials the least known of them is known; null: the baseline does not say. */
  readonly leastTrials: number | null;
  /** All of it in a sentence, without a full stop. */
  readonly sentence: string;
}

export function baselineKnown({ cells }: Pick<Report, 'cells'>): BaselineKnown {
  const judged = cells.filter(isJudged);
  const expected = judged.flatMap((cell) => cell.expected ?? []);
  const trials = expected.flatMap((one) => one.trials ?? []);
  const known = {
    date: expected.reduce<string | null>((newest, { date }) => later(newest, date), null),
    judged: judged.length,
    covered: expected.length,
    provisional: trials.filter((number) => number < enoughTrials).length,
    leastTrials: trials.length === 0 ? null : trials.reduce((least, number) => Math.min(least, number), Infinity),
  };
  return { ...known, sentence: sentenceOf(known) };
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

function sentenceOf({ date, judged, covered, provisional, leastTrials }: Omit<BaselineKnown, 'sentence'>): string {
  if (judged === 0) return 'Nothing was judged, so nothing was compared with the baseline';
  if (covered === 0) return raised(uncoveredText(judged));
  const which = date === null ? '' : ` (${covered === 1 ? '' : 'the newest entry '}accepted on ${date})`;
  const of =
    covered === judged ? allJudged(judged) : `${covered.toLocaleString('en')} of ${count(judged, 'judged cell')}`;
  if (provisional === 1 && covered === 1) {
    const known = leastTrials === null ? '' : `, from ${count(leastTrials, 'trial')}`;
    return `Compared with a baseline that covers ${of} provisionally${known}${which}`;
  }
  const provisionally =
    provisional === 0
      ? ''
      : `; ${provisional === covered ? 'all' : provisional.toLocaleString('en')} of them only provisionally, from ${fewTrials(provisional, leastTrials)}`;
  return `Compared with a baseline that covers ${of}${which}${provisionally}`;
}

/** "1 to 9 trials each" */
function fewTrials(cells: number, least: number | null): string {
  const most = enoughTrials - 1;
  if (least === null) return `fewer than ${enoughTrials} trials`;
  if (cells === 1) return count(least, 'trial');
  return least === most ? `${most} trials each` : `${least} to ${most} trials each`;
}

function allJudged(number: number): string {
  return number === 1 ? 'the one judged cell' : `all ${number.toLocaleString('en')} judged cells`;
}
