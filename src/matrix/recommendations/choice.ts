import { wilson, type Count } from '../../stats/count.js';
import { evidenceOfTwoRates, boundOver } from '../../stats/evidence.js';
import { defaultTest } from '../../stats/sequential-test.js';
import type { NeedForm } from '../../suite/probe.js';
import { promisesMore, trialsIn, type CellEvidence, type FormPromise, type SentForm } from './evidence.js';

/** One thing that a client observes: a member with one value or left out (null), or a range of caps. */
type Restriction =
  | { readonly kind: 'label'; readonly name: string; readonly label: string | null }
  | { readonly kind: 'cap'; readonly from: number; readonly below: number }
  | { readonly kind: 'no_cap' };

/** Settings that a client sends with a form. All others are as the client likes. */
type RestrictionChoice = readonly Restriction[];

/** A choice, and the evidence about requests that a client sends who follows it. */
interface FoundChoice {
  readonly choice: RestrictionChoice;
  readonly holding: readonly CellEvidence[];
  /** Only a caveat can say all of it, so forms that need less come first. */
  readonly awkward: boolean;
}

/** The cap of the basic example: that a search for the least cap fails below it says nothing about a form. */
const usualCap = 512;

const meets = (restriction: Restriction, { labels, cap }: SentForm): boolean => {
  switch (restriction.kind) {
    case 'label':
      return (labels[restriction.name] ?? null) === restriction.label;
    case 'cap':
      return cap !== null && cap >= restriction.from && cap < restriction.below;
    case 'no_cap':
      return cap === null;
  }
};

/** undefined: it may be as the client likes. */
export function labelIn(choice: RestrictionChoice, name: string): string | null | undefined {
  return choice.flatMap((one) => (one.kind === 'label' && one.name === name ? [one.label] : []))[0];
}

/**
 * Whether a request of this kind is one that the client would send. Only those who ask for it send a schema without
 * strict.
 */
export function covers(choice: RestrictionChoice, sent: SentForm): boolean {
  if (sent.labels['strict'] === 'false' && labelIn(choice, 'strict') !== 'false') return false;
  return choice.every((one) => meets(one, sent));
}

/** The evidence about requests that the client would send. */
function coveredBy(choice: RestrictionChoice, all: readonly CellEvidence[]): readonly CellEvidence[] {
  const isFree = !choice.some(({ kind }) => kind === 'cap');
  return all.filter((one) => {
    if (!covers(choice, one)) return false;
    if (isFree && one.isSearched && (one.cap ?? usualCap) < usualCap) return isClean(one);
    return !one.isWithoutEffect || [...one.optional].some((name) => labelIn(choice, name) === one.labels[name]);
  });
}

export const isClean = ({ trials }: CellEvidence): boolean => trials.total > 0 && trials.passed === trials.total;

/**
 * The fewest settings, at most two, under which all that was judged is good, and all else about the form is about
 * requests that differ; null: there are none. What passes at times elsewhere must differ by more than chance.
 */
function chooseSettings(all: readonly CellEvidence[], isGood: (one: CellEvidence) => boolean): FoundChoice | null {
  const valuesFail = all.some((one) => !isGood(one) && one.judgesValues && one.correct.passed < one.kept.passed);
  const bad = all.filter((one) => !isGood(one));
  const pool = trialsIn(bad);
  const single = restrictionsAmong(all, isGood);
  for (const choice of choicesInOrder(single)) {
    const holding = coveredBy(choice, all);
    if (holding.length === 0 || !holding.every(isGood)) continue;
    if (valuesFail && !holding.some((one) => one.judgesValues)) continue;
    const narrowed = asFarAsAsked(choice, holding, bad);
    if (narrowed === null || bad.some((one) => failsWithEveryCap(one, choice))) continue;
    const mayBeChance = pool.passed > 0 && evidenceOfTwoRates(trialsIn(holding), pool) < boundOver(1);
    if (narrowed.length > 0 && mayBeChance) continue;
    return { choice: narrowed, holding, awkward: restrictionCost(narrowed) >= awkwardCost };
  }
  return null;
}

/**
 * The choice, with what all of its own requests have and failing ones have not: that was never asked otherwise. null:
 * its own requests differ in it among themselves.
 */
function asFarAsAsked(
  choice: RestrictionChoice,
  holding: readonly CellEvidence[],
  bad: readonly CellEvidence[],
): RestrictionChoice | null {
  const names = new Set(['stream', 'json_word', 'tools', ...holding.flatMap((one) => [...one.optional])]);
  return [...names].reduce<RestrictionChoice | null>((narrowed, name) => {
    if (narrowed === null || labelIn(choice, name) !== undefined) return narrowed;
    const own = new Set(holding.map(({ labels }) => labels[name]));
    if (bad.every(({ labels }) => own.has(labels[name]))) return narrowed;
    const [label = null] = own;
    return own.size > 1 ? null : [...narrowed, { kind: 'label', name, label }];
  }, choice);
}

/** Only an answer that was cut, or what never passes, is a matter of the cap. */
function failsWithEveryCap(one: CellEvidence, choice: RestrictionChoice): boolean {
  const isCapped = choice.some(({ kind }) => kind !== 'label');
  const wavers = one.trials.passed > 0 && one.cell.class !== 'truncated' && !one.isSearched;
  return (
    isCapped &&
    wavers &&
    covers(
      choice.filter(({ kind }) => kind === 'label'),
      one,
    )
  );
}

const awkwardCost = 10;
const costs: ReadonlyMap<string, number> = new Map([
  ['stream=false', 1],
  ['json_word=present', 1],
  ['stream=true', awkwardCost],
  ['tools=one', awkwardCost],
  ['strict=false', awkwardCost],
]);
/** Nobody sends these to be understood better. */
const unhelpful: ReadonlySet<string> = new Set(['json_word=absent', 'tools=several']);

function restrictionCost(choice: RestrictionChoice): number {
  return choice.reduce((sum, one) => {
    if (one.kind === 'no_cap') return sum + 4;
    if (one.kind !== 'label') return sum + (one.below === Infinity ? 1.5 : 3);
    return sum + (one.label === null ? 0.5 : (costs.get(`${one.name}=${one.label}`) ?? 2));
  }, 0);
}

function restrictionsAmong(
  all: readonly CellEvidence[],
  isGood: (one: CellEvidence) => boolean,
): readonly Restriction[] {
  const good = all.filter(isGood);
  const names = [...new Set(all.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => name !== 'tool_choice');
  const labels = names.flatMap((name): Restriction[] => {
    const optional = all.some((one) => one.optional.has(name));
    const values = [...(optional ? [null] : []), ...new Set(good.flatMap((one) => one.labels[name] ?? []))];
    return values
      .filter((label) => !unhelpful.has(`${name}=${String(label)}`))
      .map((label) => ({ kind: 'label', name, label }));
  });
  const caps = [...new Set(all.flatMap(({ cap }) => cap ?? []))].sort((a, b) => a - b);
  const from = caps.map((cap): Restriction => ({ kind: 'cap', from: cap, below: Infinity }));
  const below = caps.map((cap): Restriction => ({ kind: 'cap', from: 0, below: cap }));
  const noCap: Restriction[] = all.some(({ cap }) => cap === null) ? [{ kind: 'no_cap' }] : [];
  return [...labels, ...from, ...below.toReversed(), ...noCap];
}

function choicesInOrder(single: readonly Restriction[]): readonly RestrictionChoice[] {
  const pairs = single.flatMap((a, index) => single.slice(index + 1).map((b): RestrictionChoice => [a, b]));
  const sensible = pairs.filter(
    ([a, b]) => a?.kind !== b?.kind || (a?.kind === 'label' && b?.kind === 'label' && a.name !== b.name),
  );
  return [[], ...single.map((one): RestrictionChoice => [one]), ...sensible].sort(
    (a, b) => restrictionCost(a) - restrictionCost(b),
  );
}

/**
 * The cap to send; null: any usual one will do. A search finds the least cap for one answer, so the next one that
 * probes were judged with is sent instead.
 */
function capToSend({ choice, holding }: FoundChoice): number | null {
  const cap = choice.find((one) => one.kind === 'cap');
  if (cap === undefined) return null;
  const caps = holding.flatMap((one) => one.cap ?? []);
  if (cap.below !== Infinity) return Math.max(...caps);
  const asked = holding.flatMap((one) => (one.isSearched ? [] : (one.cap ?? [])));
  return Math.min(...(asked.length > 0 ? asked : caps));
}

/** How well a form can be relied on: with settings alone, with a caveat that has to be observed, or with retries. */
type Reliability = 'reliable' | 'awkward' | 'flaky';

export interface UsableForm {
  readonly form: NeedForm;
  readonly reliability: Reliability;
  readonly found: FoundChoice;
  /** All that was judged of the form, also with other settings. */
  readonly judged: readonly CellEvidence[];
  readonly promises: FormPromise;
  /** Trials judged with the settings that are sent. */
  readonly sent: readonly CellEvidence[];
  /** `max_tokens` to send; null: any usual cap. */
  readonly cap: number | null;
}

interface UnusableForm {
  readonly form: NeedForm;
  readonly reliability: 'none';
  readonly judged: readonly CellEvidence[];
  readonly promises: FormPromise;
}

export type AssessedForm = UsableForm | UnusableForm;

/** So low may the rate of a flaky form be, at worst, by all trials together. */
const usableRate = 0.9;

/** The forms of which something was judged, each with what is to be sent. */
export function assessForms(
  forms: readonly NeedForm[],
  evidenceFor: (form: NeedForm) => readonly CellEvidence[],
): readonly AssessedForm[] {
  return withCapLike(forms.flatMap((form) => assessForm(form, evidenceFor(form)) ?? []));
}

/** null: nothing was judged. */
function assessForm(form: NeedForm, all: readonly CellEvidence[]): AssessedForm | null {
  const own = all.filter(({ labels }) => isOfForm(form, labels));
  const judged = own.filter(({ trials }) => trials.total > 0);
  if (judged.length === 0) return null;
  const promises = promiseOf(judged);
  const evidence = [...judged, ...thoseThatNeverCame(own)];
  // Settings under which values are right, too, come first; where there are none, a caveat tells of the values.
  const clean = chooseSettings(evidence.map(heldToValues), isClean) ?? chooseSettings(evidence, isClean);
  const found = clean ?? chooseSettings(evidence, mayBeReliable);
  if (found === null || (clean === null && lowest(trialsIn(found.holding)) < usableRate)) {
    return { form, reliability: 'none', judged, promises };
  }
  const cap = capToSend(found);
  const sent = cap === null ? found.holding : found.holding.filter((one) => (one.cap ?? 0) >= cap);
  const cleanReliability = found.awkward ? 'awkward' : 'reliable';
  const reliability = clean === null ? 'flaky' : cleanReliability;
  return { form, reliability, found, judged: evidence, promises, sent, cap };
}

function promiseOf(judged: readonly CellEvidence[]): FormPromise {
  return judged.map(({ promises }) => promises).reduce((most, one) => (promisesMore(one, most) ? one : most));
}

const heldToValues = (one: CellEvidence): CellEvidence => ({ ...one, trials: one.correct });

const lowest = ({ passed, total }: Count): number => wilson(passed, total)[0];

function mayBeReliable({ trials: { passed, total } }: CellEvidence): boolean {
  return total > 0 && wilson(passed, total)[1] >= defaultTest.reliable;
}

/**
 * Where one form of a model needs more tokens than usual, or a form was asked with more alone, it is sent with a cap
 * under which it was seen to work.
 */
function withCapLike(forms: readonly AssessedForm[]): readonly AssessedForm[] {
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
function isOfForm({ settings }: NeedForm, labels: CellEvidence['labels']): boolean {
  const wanted = settings['tool_choice'];
  return wanted === undefined || labels['tool_choice'] === undefined || labels['tool_choice'] === wanted;
}

/** Of streams, or of plain answers, none could be judged: a client should not count on them either. */
function thoseThatNeverCame(own: readonly CellEvidence[]): readonly CellEvidence[] {
  return ['true', 'false'].flatMap((stream) => {
    const alike = own.filter(({ labels }) => labels['stream'] === stream);
    return alike.some(({ trials }) => trials.total > 0) ? [] : alike.filter(({ cell }) => cell.trials.faults > 0);
  });
}
