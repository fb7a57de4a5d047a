import type { NeedForm } from '../../suite/probe.js';
import { wellKnown } from '../../stats/evidence.js';
import type { Count } from '../../stats/count.js';
import { defaultTest } from '../../stats/sequential-test.js';
import { wilson } from '../../stats/wilson.js';
import { capToSend, chooseSettings, isClean, usualCap, type Found } from './choice.js';
import { trialsIn, type Evidence } from './evidence.js';

/** How well a form can be relied on: with settings alone, with a caveat that has to be observed, or with retries. */
export type Reliability = 'reliable' | 'awkward' | 'flaky';

export interface UsableForm {
  readonly form: NeedForm;
  readonly reliability: Reliability;
  readonly found: Found;
  /** All that was judged of the form, also with other settings. */
  readonly judged: readonly Evidence[];
  /** What was judged with the settings that are sent. */
  readonly sent: readonly Evidence[];
  /** `max_tokens` to send; null: any usual cap. */
  readonly cap: number | null;
}

interface UnusableForm {
  readonly form: NeedForm;
  readonly reliability: 'none';
  readonly judged: readonly Evidence[];
}

export type AssessedForm = UsableForm | UnusableForm;

/** So low may the rate of a flaky form be, at worst, by all trials together. */
const usableRate = 0.9;

/** null: nothing was judged. */
export function assessForm(form: NeedForm, all: readonly Evidence[]): AssessedForm | null {
  const own = all.filter(({ labels }) => isOfForm(form, labels));
  const judged = own.filter(({ trials }) => trials.total > 0);
  if (judged.length === 0) return null;
  const evidence = [...judged, ...thoseThatNeverCame(own)];
  const clean = chooseSettings(evidence, isClean);
  const found = clean ?? chooseSettings(evidence, mayBeReliable);
  if (found === null || (clean === null && lowest(trialsIn(found.holding)) < usableRate))
    return { form, reliability: 'none', judged };
  const cap = capToSend(found);
  const sent = cap === null ? found.holding : found.holding.filter((one) => (one.cap ?? 0) >= cap);
  const reliability = clean === null ? 'flaky' : found.awkward ? 'awkward' : 'reliable';
  return { form, reliability, found, judged: evidence, sent, cap };
}

const lowest = ({ passed, total }: Count): number => wilson(passed, total)[0];

function mayBeReliable({ trials: { passed, total } }: Evidence): boolean {
  return total > 0 && wilson(passed, total)[1] >= defaultTest.reliable;
}

/**
 * Without forms that may only be lucky: where requests of two other kinds fail at times, one that is known from few trials
 * passes as those do, as far as anybody knows.
 */
export function withoutLucky(forms: readonly AssessedForm[]): readonly AssessedForm[] {
  const unusable = forms.flatMap((one) => (one.reliability === 'none' ? one.judged : []));
  const wavering = new Set(unusable.filter(failsAtTimes).map(({ shape }) => shape));
  if (wavering.size < 2) return forms;
  return forms.map((one): AssessedForm => {
    if (one.reliability === 'none' || trialsIn(one.sent).total >= wellKnown) return one;
    return { form: one.form, reliability: 'none', judged: one.judged };
  });
}

/** Values that are hard to tell, and caps that are searched for, fail at times for reasons of their own. */
function failsAtTimes({ trials: { passed, total }, cell, isSearched, shape }: Evidence): boolean {
  return shape !== null && passed > 0 && passed < total && !isSearched && cell.class !== 'rule_violation';
}

/**
 * Where one form of a model needs more tokens than usual, or a form was asked with more alone, it is sent with a cap under
 * which it was seen to work.
 */
export function withCapLike(forms: readonly AssessedForm[]): readonly AssessedForm[] {
  const most = Math.max(0, ...forms.flatMap((one) => (one.reliability === 'none' ? [] : (one.cap ?? []))));
  return forms.map((one): AssessedForm => {
    if (one.reliability === 'none' || one.cap !== null) return one;
    const caps = one.sent.flatMap(({ cap }) => cap ?? []).sort((a, b) => a - b);
    const enough = caps.find((own) => own >= most);
    const cap = enough ?? caps[0];
    const isFree = one.sent.some((own) => own.cap === null) && (most <= usualCap || enough === undefined);
    if (cap === undefined || isFree || caps.some((own) => own <= usualCap)) return one;
    return { ...one, cap, sent: one.sent.filter((own) => (own.cap ?? 0) >= cap) };
  });
}

/** A cell that sends another tool_choice is about another form. */
function isOfForm({ settings }: NeedForm, labels: Evidence['labels']): boolean {
  const wanted = settings['tool_choice'];
  return wanted === undefined || labels['tool_choice'] === undefined || labels['tool_choice'] === wanted;
}

/** Of streams, or of plain answers, none could be judged: a client should not count on them either. */
function thoseThatNeverCame(own: readonly Evidence[]): readonly Evidence[] {
  return ['true', 'false'].flatMap((stream) => {
    const alike = own.filter(({ labels }) => labels['stream'] === stream);
    return alike.some(({ trials }) => trials.total > 0) ? [] : alike.filter(({ cell }) => cell.trials.faults > 0);
  });
}
