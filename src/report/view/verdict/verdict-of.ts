import { isJudged } from '../../../cell/verdict.js';
import type { Report } from '../../../matrix/report-format.js';
import { type ExitConditions, unmeasured } from '../../../matrix/run-exit-code.js';
import { deviationsOf } from '../../../matrix/standing/deviations.js';
import { missingTrials } from '../../../matrix/missing-trials.js';
import type { RunSummary } from '../../history/run-summary.js';
import type { Cause } from '../causes/cause.js';
import { type Direction, directionNames, directionOf, directions } from '../causes/direction.js';
import { type NextStep, nextSteps } from '../next-steps.js';
import { stopSentence } from '../stop-sentences.js';
import { count, lowered, raised } from '../phrases.js';
import { modelsInDoubt, nothingAccepted, partialText, uncovered, uncoveredQuietly } from '../summary.js';
import { type BaselineKnown, baselineKnown } from './baseline-known.js';
import { type ExitMeaning, exitMeaning } from './exit-meaning.js';
import { lastingGroups, unmeasuredClause } from '../unmeasured.js';
import { nothingMeasured } from './nothing-measured.js';

/** The answer to "is everything as it should be", before anything else. */
export interface VerdictView {
  /** How it should look: an improvement is no alarm, whatever the exit code. */
  readonly tone: 'bad' | 'good' | 'open';
  /** One sentence, without a full stop. */
  readonly sentence: string;
  readonly exit: ExitMeaning;
  /** Of each direction that occurs; never a sum of all. */
  readonly counts: readonly DirectionCount[];
  readonly baseline: BaselineKnown;
  readonly next: readonly NextStep[];
}

export interface DirectionCount {
  readonly direction: Direction;
  readonly glyph: string;
  readonly tone: 'bad' | 'good' | 'open';
  readonly count: number;
  /** "6 cells lost" */
  readonly text: string;
}

export interface VerdictContext {
  readonly folder: string | null;
  /** The conditions under which the run ended; undefined: not known. */
  readonly exit?: ExitConditions | undefined;
  /** The runs before, the oldest first; absent or null: none is known. */
  readonly history?: { readonly runs: readonly RunSummary[] } | null | undefined;
}

export function verdictOf(
  report: Report,
  causes: readonly Cause[],
  { folder, exit, history }: VerdictContext,
): VerdictView {
  const earlier = history?.runs ?? [];
  const counts = countsOf(report);
  const meaning = exitMeaning(report, exit);
  return {
    ...{ tone: toneOf(meaning, counts, lastingGroups(report, earlier).length > 0), exit: meaning, counts },
    sentence: `${headline(report, meaning, { counts, missed: unmeasuredClause(report, earlier) })} (${exitText(meaning, counts)})`,
    baseline: baselineKnown(report),
    next: nextSteps(report, folder, causes),
  };
}

export function countsOf(report: Pick<Report, 'models' | 'cells' | 'wire'>): readonly DirectionCount[] {
  const found = deviationsOf(report).map(({ kind }) => directionOf(kind));
  return directionNames.flatMap((direction) => {
    const number = found.filter((one) => one === direction).length;
    const { glyph, tone, counted } = directions[direction];
    return number === 0 ? [] : [{ direction, glyph, tone, count: number, text: count(number, ...counted) }];
  });
}

function toneOf({ code }: ExitMeaning, counts: readonly DirectionCount[], lacks: boolean): VerdictView['tone'] {
  if (counts.some(({ tone }) => tone === 'bad')) return 'bad';
  if (lacks || counts.some(({ tone }) => tone === 'open')) return 'open';
  return code === 0 || counts.length > 0 ? 'good' : 'open';
}

interface Found {
  readonly counts: readonly DirectionCount[];
  /** What could not be measured; null: nothing that was missed. */
  readonly missed: string | null;
}

/** Of a partial run, the sentence begins with how much of the plan it is about. */
function headline(report: Report, meaning: ExitMeaning, found: Found): string {
  const nothing = nothingMeasured(report);
  if (nothing !== null) return nothing;
  const partial = partialText(report);
  const whole = headlineOfAsked(report, meaning, found);
  return partial === null ? whole : `${partial}; ${lowered(whole.replace(/^Nothing has changed: /, ''))}`;
}

function headlineOfAsked(report: Report, { code }: ExitMeaning, { counts, missed }: Found): string {
  const partly = code === 130 || code === 3 ? '' : unaskedText(report);
  const also = missed === null ? '' : `; ${missed}`;
  if (counts.length > 0) {
    const changes = `${changesText(report, counts)}${code === 3 ? '' : also}${partly}`;
    return code === 130 || code === 3 ? `${whyIncomplete(report, code)}; until then, ${lowered(changes)}` : changes;
  }
  if (code === 130 || code === 3) return whyIncomplete(report, code);
  const judged = report.cells.filter(isJudged);
  const failing = judged.filter(({ verdict }) => verdict !== 'pass').length;
  if (judged.length === 0) return `Nothing was judged${partly}`;
  if (nothingAccepted(report)) return `${raised(uncoveredQuietly(report))}${also}${partly}`;
  const known =
    failing === 0 ? '' : `, the ${count(failing, 'cell')} that ${failing === 1 ? 'does' : 'do'} not pass included`;
  const inDoubt = modelsInDoubt(report);
  if (inDoubt !== null) return `Nothing is known to have changed, but ${inDoubt}${also}${partly}`;
  const unsettled = judged.filter((cell) => cell.unsettled).length;
  if (unsettled > 0) {
    const differs = unsettled === 1 ? 'looks' : 'look';
    return `Nothing is known to have changed, but ${unsettled.toLocaleString('en')} of ${count(judged.length, 'judged cell')} ${differs} different, which too few trials show${also}${partly}`;
  }
  if (missed !== null) return `Nothing that was judged has changed, but ${missed}${partly}`;
  return `Nothing has changed: ${judged.length === 1 ? 'the one judged cell is' : `all ${count(judged.length, 'judged cell')} are`} as the baseline expects${known}${partly}`;
}

function changesText(report: Report, counts: readonly DirectionCount[]): string {
  const of = (tone: VerdictView['tone']): string =>
    counts
      .filter((one) => one.tone === tone)
      .map(({ text }) => text)
      .join(', ');
  const [bad, open, good] = [of('bad'), of('open'), of('good')];
  if (bad === '' && open === '') return `Nothing was lost: ${good}`;
  if (nothingAccepted(report) && bad === '') return `${raised(uncovered(report))}: ${open}`;
  const worse = bad === '' ? `Nothing was lost, but ${open}` : [bad, open && `; ${open}`].join('');
  return good === '' ? worse : `${worse}; ${good}, which is good news`;
}

function whyIncomplete(report: Report, code: 3 | 130): string {
  if (code === 130) return 'The run was interrupted, so part of it was not measured';
  if (!report.run.complete) return `${truncationText(report)}, so part of it was not measured`;
  const share = unmeasured(report);
  return `Too little could be measured: ${Number((100 * share).toFixed(1))} % of the plan is missing, which says nothing about the models`;
}

/** "The run is truncated", or which shard the merged run lacks. */
function truncationText({ run }: Report): string {
  const lacks = run.stops.filter(({ kind }) => kind === 'missing_shard').map(stopSentence);
  return lacks.length === 0 ? 'The run is truncated' : `The merged run is truncated: ${lacks.join(' and ')}`;
}

function unaskedText(report: Report): string {
  if (!report.run.complete) return `; ${lowered(truncationText(report))}, so part of it was not measured`;
  return missingTrials(report).missing > 0 ? '; planned trials were not asked' : '';
}

function exitText({ code, meaning, assumed }: ExitMeaning, counts: readonly DirectionCount[]): string {
  const isGoodNews = counts.length > 0 && counts.every(({ tone }) => tone === 'good');
  const why = code === 1 && isGoodNews ? 'good news is a deviation too, until it is accepted' : meaning;
  // The sentence itself says why nothing could be measured, or that nothing deviates.
  const isSaid = code === 3 || code === 130 || (code === 0 && counts.length === 0);
  return `${assumed ? 'by default, ' : ''}exit code ${code}${isSaid ? '' : `: ${why}`}`;
}
