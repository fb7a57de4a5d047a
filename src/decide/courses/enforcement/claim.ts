import { pointerSteps } from '../../../json/json.js';
import type { Enforcement, Verdict } from '../../../cell/verdict.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Finding } from '../../course.js';
import { findingOf } from '../../finding.js';
import type { Sample } from '../sample.js';
import {
  breaksFreely,
  conformsFreely,
  isSchemaAccepted,
  isAnswer,
  isCut,
  isRepeated,
  isUsable,
  placesBroken,
  placesForbidden,
  repeatsFreely,
  replyUnderSchema,
} from './reply.js';

type ReplyKindUnderSchema = ReturnType<typeof replyUnderSchema>;

/** The evidence that a claim demands. */
interface Demand {
  /** Replies that conform, for `enforced`. */
  readonly conforming: number;
  /** The highest acceptable probability that the valid document was lost by chance, for `broken`. */
  readonly chanceOfLoss: number;
  /** The claim of the baseline; null: it has none. */
  readonly known: Enforcement | null;
  /** With an exact number of trials, no more is asked of a proof than they can give. */
  readonly isExact: boolean;
}

/** The highest acceptable probability that what the replies show came about by chance and not because of the schema. */
export const acceptableChance = 0.01;

/** Fewer replies under the schema without the keyword are not compared. */
export const enoughLoose = 3;

/** `description` constrains nothing that a validator could check: it can only be accepted. */
export const onlyAccepted = (spec: EnforceSpec): boolean => spec.keyword === 'description';

/** The answers to the requests of one keyword, as far as they were judged. */
interface Replies {
  readonly of: (...kinds: readonly AskedKind[]) => readonly Outcome[];
  /** The replies under the whole schema. */
  readonly shown: (...kinds: readonly AskedKind[]) => readonly ReplyKindUnderSchema[];
}

type AskedKind = 'valid' | 'invalid' | 'free' | 'loose';

export function repliesIn(sample: Sample, spec: EnforceSpec): Replies {
  const of: Replies['of'] = (...kinds) =>
    sample.judged(({ kind }) => kinds.some((one) => one === kind)).map(({ outcome }) => outcome);
  return { of, shown: (...kinds) => of(...kinds).map((outcome) => replyUnderSchema(outcome, spec)) };
}

const countReplies = (shown: readonly ReplyKindUnderSchema[], ...wanted: readonly ReplyKindUnderSchema[]): number =>
  shown.filter((one) => wanted.includes(one)).length;

/** How many replies under the schema conform although the model was asked for what it forbids. */
export const conformingIn = ({ shown }: Replies): number => countReplies(shown('invalid'), 'keeps');

/**
 * The claim that the answers prove, in this order. A bare document that breaks the keyword proves `ignored`, whatever
 * the question; a schema that the service never takes is `refused`, unless it may refuse the form and not the keyword;
 * a valid document that never comes back is `broken` if the model gives it without the schema and no request was
 * refused, else `unclear`; replies that conform are `enforced` only if they are enough and the model breaks the keyword
 * without it.
 */
export function enforcementOf(replies: Replies, spec: EnforceSpec, demand: Demand): Enforcement {
  const shown = replies.shown('valid', 'invalid');
  if (shown.includes('breaks')) return 'ignored';
  if (isRefused(replies)) return isOfTheKeyword(replies, demand) ? 'refused' : 'unclear';
  // Where some requests were refused, the service may refuse the schema and the others fail for a reason of their own.
  const isLost = !isReturned(replies, spec) && chanceOfLoss(replies, spec) <= demand.chanceOfLoss;
  if (isLost && !shown.includes('refusal')) return 'broken';
  if (onlyAccepted(spec) || shown.includes('wrapped')) return 'unclear';
  return conformingIn(replies) >= conformingNeeded(replies, spec, demand) && wouldBreak(replies, spec)
    ? 'enforced'
    : 'unclear';
}

/** More where a model repeats no document, so that it cannot be seen whether the schema lets the valid one through. */
export const withoutRepeating = 10;

export function conformingNeeded(replies: Replies, spec: EnforceSpec, { conforming }: Demand): number {
  if (isReturned(replies, spec)) return conforming;
  const free = usable(replies, spec, 'free');
  const mayRepeat = free.length === 0 || free.some((outcome) => repeatsFreely(outcome, spec));
  return mayRepeat ? Infinity : withoutRepeating;
}

/** A 4xx now and then, of a service that otherwise takes the schema or fails on it, is no refusal of it. */
export function isRefused({ of, shown }: Replies): boolean {
  const seen = shown('valid', 'invalid');
  return (
    countReplies(seen, 'refusal') > 3 * countReplies(seen, 'error') && !of('valid', 'invalid').some(isSchemaAccepted)
  );
}

export const isSchemaRejected = ({ of }: Replies): boolean =>
  of('valid', 'invalid').some(({ reason }) => reason === 'schema_rejected');

/**
 * Whether a schema that is always refused is refused for its keyword. A form that fails at random refuses any schema.
 */
export function isOfTheKeyword(replies: Replies, { known, isExact }: Demand): boolean {
  if (known === 'refused' || isSchemaRejected(replies)) return true;
  const { accepted, refused } = withoutKeyword(replies);
  if (accepted === 0) return known !== null;
  const refusals = countReplies(replies.shown('valid', 'invalid'), 'refusal');
  const least = isExact ? chanceOfNone(accepted + refused, accepted + refused, refusals) : 0;
  return chanceOfNone(accepted, accepted + refused, refusals) <= Math.max(acceptableChance, least);
}

/** The answers that took or refused the schema without the keyword. */
export function withoutKeyword({ of, shown }: Replies): { readonly accepted: number; readonly refused: number } {
  return { accepted: of('loose').filter(isSchemaAccepted).length, refused: countReplies(shown('loose'), 'refusal') };
}

/** Whether the valid document has come back under the schema. */
export const isReturned = ({ of }: Replies, spec: EnforceSpec): boolean =>
  of('valid').some((outcome) => (onlyAccepted(spec) ? isSchemaAccepted(outcome) : isRepeated(outcome, spec)));

/**
 * Without the schema the model breaks the keyword itself. Or, unless it conforms there in any case, it does under a
 * schema that lacks only the keyword, so often that it does not conform by chance: a model that writes small numbers by
 * habit meets every `maximum`.
 */
function wouldBreak(replies: Replies, spec: EnforceSpec): boolean {
  if (replies.of('free').some((outcome) => breaksFreely(outcome, spec))) return true;
  const free = usable(replies, spec, 'free');
  if (free.length > 0 && free.every((outcome) => conformsFreely(outcome, spec))) return false;
  const { asked, broken } = brokenWithout(replies, spec);
  if (asked < enoughLoose || mayBeChance(replies, spec)) return false;
  return spec.keyword !== 'composite' || placesForbidden(spec).every((place) => broken.flat().includes(place));
}

/** Whether replies may conform although a schema without the keyword constrains them as well. */
export function mayBeChance(replies: Replies, spec: EnforceSpec): boolean {
  const { asked, broken } = brokenWithout(replies, spec);
  return chanceOfNone(broken.length, asked, conformingIn(replies)) > acceptableChance;
}

/** Documents under the schema without the keyword, and where those that break the whole one do. */
export function brokenWithout({ of }: Replies, spec: EnforceSpec) {
  const places = of('loose').flatMap((outcome) => {
    const broken = isUsable(outcome, spec) ? placesBroken(outcome, spec) : null;
    return broken === null ? [] : [broken];
  });
  return { asked: places.length, broken: places.filter((some) => some.length > 0) };
}

/**
 * The probability that the valid document was lost by chance and not because of the schema: that all replies which give
 * what was never given in its place are among the others. Where no document came at all, any answer counts, with the
 * schema or without it; where another document came, only the one to be repeated does, without the schema.
 */
export function chanceOfLoss(replies: Replies, spec: EnforceSpec): number {
  const lost = lostIn(replies, spec);
  if (lost.length === 0) return 1;
  const isNone = lost.every((shown) => shown === 'error' || shown === 'empty');
  if (onlyAccepted(spec)) return isNone && !lost.includes('empty') ? 0 : 1;
  // A text instead of the document is an answer, too.
  if (isNone && usable(replies, spec, 'valid').some(isAnswer)) return 1;
  const free = usable(replies, spec, 'free');
  const chanceWith = (given: number, asked: number, missing: number): number =>
    given === 0 ? 1 : chanceOfNone(given, asked, missing);
  if (!isNone) return chanceWith(free.filter((one) => repeatsFreely(one, spec)).length, free.length, lost.length);
  const invalid = usable(replies, spec, 'invalid').filter((one) => replyUnderSchema(one, spec) !== 'refusal');
  const [freely, otherwise] = [free.filter(isAnswer).length, invalid.filter(isAnswer).length];
  if (otherwise === 0) return chanceWith(freely, free.length, lost.length + invalid.length);
  return Math.max(chanceWith(freely, free.length, lost.length), chanceWith(otherwise, invalid.length, lost.length));
}

const usable = ({ of }: Replies, spec: EnforceSpec, kind: AskedKind): readonly Outcome[] =>
  of(kind).filter((outcome) => isUsable(outcome, spec));

/** Replies in place of the valid document, where they show something. */
export const lostIn = ({ of }: Replies, spec: EnforceSpec): readonly ReplyKindUnderSchema[] =>
  of('valid')
    .filter((outcome) => !isRepeated(outcome, spec))
    .map((outcome) => replyUnderSchema(outcome, spec))
    .filter((shown) => countReplies([shown], 'error', 'empty', 'keeps', 'elsewhere') > 0);

/**
 * The probability that all replies which show a thing are among the first ones, and none among the others, if both
 * kinds show it equally often (the exact test, one-sided).
 */
function chanceOfNone(showing: number, first: number, others: number): number {
  let chance = 1;
  for (let index = 0; index < showing; index += 1) chance *= (first - index) / (first + others - index);
  return chance;
}

/** The finding of the cell, with its reasons. A trial passes if the schema worked in it. */
export function findingFrom(sample: Sample, spec: EnforceSpec, demand: Demand): Finding {
  const replies = repliesIn(sample, spec);
  const enforcement = enforcementOf(replies, spec, demand);
  const judged = decisive(replies, spec, enforcement).map((outcome) => judgedBySchema(outcome, enforcement, spec));
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  const needed = sample.isExhausted() ? Math.max(1, demand.conforming - judged.length) : 0;
  const broken = enforcement === 'ignored' ? brokenMembers(replies, spec) : [];
  const finding = {
    ...findingOf([...judged, ...faults], needed),
    enforcement,
    ...(broken.length > 0 && { broken_members: broken }),
  };
  const verdict = enforcementVerdict(enforcement, replies, spec, finding.verdict);
  if (verdict === 'pass') return { ...finding, verdict, class: null, reason: null, status: null, detail: null };
  if (verdict !== 'inconclusive') return { ...finding, verdict };
  const cut = replies.of('valid', 'invalid').find(isCut);
  const { class: failure, reason, status } = finding.class === null ? (cut ?? finding) : finding;
  return { ...finding, verdict, class: failure, reason, status, detail: whyUnclear(replies, spec) };
}

/** The members of the root in which some reply breaks the schema: together they tell how much of it is ignored. */
function brokenMembers(replies: Replies, spec: EnforceSpec): readonly string[] {
  const breaking = replies.of('valid', 'invalid').filter((outcome) => replyUnderSchema(outcome, spec) === 'breaks');
  const members = breaking.flatMap(({ violations }) => violations.flatMap(({ at }) => pointerSteps(at).slice(0, 1)));
  return [...new Set(members)].sort();
}

/** The answers that the finding counts: those that tested the schema. */
function decisive(replies: Replies, spec: EnforceSpec, enforcement: Enforcement): readonly Outcome[] {
  const [valid, invalid] = [replies.of('valid'), replies.of('invalid')];
  const showing = (outcomes: readonly Outcome[], ...wanted: readonly ReplyKindUnderSchema[]) =>
    outcomes.filter((outcome) => wanted.includes(replyUnderSchema(outcome, spec)));
  if (onlyAccepted(spec)) return usable(replies, spec, 'valid');
  switch (enforcement) {
    case 'ignored':
      return [...showing(invalid, 'breaks', 'keeps'), ...showing(valid, 'breaks')];
    case 'enforced':
      return showing(invalid, 'keeps');
    case 'refused':
      return showing([...invalid, ...valid], 'refusal');
    case 'broken':
      return showing(valid, 'keeps', 'elsewhere', 'error', 'empty');
    case 'unclear':
      return usable(replies, spec, 'invalid');
  }
}

/** Enough for a composite document to name every broken keyword. */
const mostQuotedViolations = 12;

function judgedBySchema(outcome: Outcome, enforcement: Enforcement, spec: EnforceSpec): Outcome {
  if (enforcement === 'ignored' && replyUnderSchema(outcome, spec) === 'breaks') {
    const how = outcome.violations.slice(0, mostQuotedViolations).map(({ at, message }) => `${at} ${message}`.trim());
    const detail = `the answer breaks the schema, which is not enforced (${spec.keyword})`;
    const violations = how.length === 0 ? '' : `: ${how.join('; ')}`;
    return { ...outcome, passed: false, class: 'not_enforced', reason: null, detail: detail + violations };
  }
  if (enforcement === 'broken' && outcome.passed) {
    const detail = 'with the schema, the valid document does not come back';
    return { ...outcome, passed: false, class: 'rule_violation', detail };
  }
  return outcome;
}

function enforcementVerdict(enforcement: Enforcement, replies: Replies, spec: EnforceSpec, counted: Verdict): Verdict {
  if (enforcement === 'enforced') return 'pass';
  if (enforcement !== 'unclear') return 'fail';
  // A form that is always refused fails, although nobody can tell what that says of the keyword.
  const isFormRefused = isRefused(replies) && withoutKeyword(replies).accepted === 0;
  return onlyAccepted(spec) || isFormRefused ? counted : 'inconclusive';
}

/** The replies in counts: a reader has their texts at hand. */
function whyUnclear(replies: Replies, spec: EnforceSpec): string {
  const { keyword } = spec;
  const shown = replies.shown('invalid');
  const kept = countReplies(shown, 'keeps');
  const { asked, broken } = brokenWithout(replies, spec);
  const free = replies.of('free');
  const freely = free.filter((outcome) => breaksFreely(outcome, spec)).length;
  return [
    `${keyword} could not be tested: with the schema, ${kept} of ${shown.length} replies keep to it`,
    ...(countReplies(shown, 'wrapped') > 0 ? ['one that breaks it came in a text'] : []),
    `without it, ${freely} of ${free.length} break it`,
    ...(asked > 0 ? [`without ${keyword} ${broken.length} of ${asked}`] : []),
    ...(isReturned(replies, spec) ? [] : ['the model never repeated the valid document']),
  ].join(', ');
}
