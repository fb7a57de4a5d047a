import type { NeedForm } from '../../suite/probe.js';
import { trialsIn, type Evidence } from './evidence.js';
import { backgroundFor } from './background.js';
import { capToSend } from './cap-to-send.js';
import { usualCap } from './choice.js';
import { searchSettings, type Found } from './settings-search.js';
import { withFewFailures, withoutFailure, withStructure } from './standards.js';

/** How well a form can be relied on: with settings alone, with a caveat that has to be observed, or with retries. */
export type Reliability = 'reliable' | 'awkward' | 'flaky';

export interface UsableForm {
  readonly form: NeedForm;
  readonly reliability: Reliability;
  readonly found: Found;
  /** All that was judged of the form, also with other settings. */
  readonly judged: readonly Evidence[];
  /** `max_tokens` to send; null: any usual cap. */
  readonly cap: number | null;
  /** Some of what was judged held its values to rules. */
  readonly judgesValues: boolean;
}

export interface UnusableForm {
  readonly form: NeedForm;
  readonly reliability: 'none';
  readonly judged: readonly Evidence[];
  /** The structure would have been right. */
  readonly onlyValuesWrong: boolean;
}

export type AssessedForm = UsableForm | UnusableForm;

/** What was judged with the very settings that are sent: with the cap, or a larger one. */
export function judgedAsSent({ found: { holding }, cap }: Pick<UsableForm, 'found' | 'cap'>): readonly Evidence[] {
  return cap === null ? holding : holding.filter((one) => one.cap !== null && one.cap >= cap);
}

/** Fewer trials than this prove little. */
export const fewTrials = 3;

/**
 * The forms of a model of which anything was judged. Where one of them needs more tokens than usual, the others are
 * recommended with a cap under which they were seen to work.
 */
export function assessForms(
  forms: readonly NeedForm[],
  evidenceFor: (form: NeedForm) => readonly Evidence[],
  ofModel: readonly Evidence[],
): readonly AssessedForm[] {
  const assessed = forms.flatMap((form) => assessForm(form, evidenceFor(form), ofModel) ?? []);
  const most = Math.max(0, ...assessed.flatMap((one) => (one.reliability === 'none' ? [] : (one.cap ?? []))));
  return assessed.map((one) =>
    one.reliability === 'none' || one.cap !== null ? one : { ...one, cap: capLike(most, one) },
  );
}

/**
 * null where smaller caps were seen to be enough, or requests without one where no form needs more than usual. Otherwise
 * nobody knows what the usual cap leads to.
 */
function capLike(most: number, { found: { choice, holding } }: UsableForm): number | null {
  const passing = holding.filter(({ trials }) => trials.passed > 0);
  const caps = passing.flatMap(({ cap }) => cap ?? []);
  if (choice.noCap || caps.length === 0 || caps.some((cap) => cap <= usualCap)) return null;
  const enough = caps.filter((cap) => cap >= most);
  const isFreeEnough = passing.length > caps.length && (most <= usualCap || enough.length === 0);
  if (isFreeEnough) return null;
  return Math.min(...(enough.length > 0 ? enough : caps));
}

/** null: nothing was judged. */
function assessForm(form: NeedForm, all: readonly Evidence[], ofModel: readonly Evidence[]): AssessedForm | null {
  const own = all.filter(({ labels }) => isOfForm(form, labels));
  const judged = own.filter(({ trials }) => trials.total > 0);
  if (judged.length === 0) return null;
  const evidence = [...judged, ...thoseThatNeverCame(own)];
  const background = backgroundFor(judged, ofModel);
  for (const standard of [withoutFailure, withFewFailures]) {
    const found = searchSettings(evidence, standard, background);
    if (found === null) continue;
    const isFlaky = !found.holding.every(withoutFailure.isGood);
    const reliability = isFlaky ? 'flaky' : found.awkward || isScarce(found) ? 'awkward' : 'reliable';
    const judgesValues = found.holding.some((one) => one.judgesValues);
    return { form, reliability, found, judged: evidence, cap: capToSend(found, evidence, standard), judgesValues };
  }
  // Requests that passed, but by luck, say nothing of values.
  const structured = searchSettings(evidence, withStructure);
  const onlyValuesWrong = structured?.holding.some((one) => one.onlyValuesWrong) === true;
  return { form, reliability: 'none', judged, onlyValuesWrong };
}

/** Hardly anything was judged under a setting of the model. */
function isScarce({ choice, holding }: Found): boolean {
  const isSet = ([name, label]: [string, string | null]): boolean =>
    label !== null && holding.some(({ optional }) => optional.has(name));
  return trialsIn(holding).total < fewTrials && Object.entries(choice.labels).some(isSet);
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
