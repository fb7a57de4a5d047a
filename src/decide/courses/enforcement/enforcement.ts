import { isSuccess } from '../../../chat/exchange.js';
import type { Enforcement } from '../../../cell/verdict.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import { chanceOfNone, rulesOutChance } from './chance-test.js';
import { isAccepted, isRepeated, replyUnderSchema, type ReplyUnderSchema } from './reply-under-schema.js';
import { outcomesOf, usableOutcomes } from './asked-outcomes.js';
import { isOfTheKeyword, isRefusedThroughout, type RefusalProof } from './refusals.js';
import { repeatsFreely, unconstrainedIn } from './unconstrained-reply.js';

/** `description` constrains nothing that a validator could check: it can only be accepted. */
export const onlyAccepted = (spec: EnforceSpec): boolean => spec.keyword === 'description';

/** How many replies under the schema conform although the model was asked for what it forbids. */
export const conformingIn = (sample: Sample, spec: EnforceSpec): number =>
  outcomesOf(sample, 'invalid').filter((outcome) => replyUnderSchema(outcome, spec) === 'keeps').length;

/** What has to be seen before a claim is made. */
export interface Demand {
  /** Replies that conform, for `enforced`. */
  readonly conforming: number;
  /** The highest acceptable probability that the valid document was lost by chance, for `broken`. */
  readonly chance: number;
  /** What must be seen before refusals that do not blame the schema are those of the keyword, for `refused`. */
  readonly refusals: RefusalProof;
}

/**
 * What the answers prove, in this order. A bare document that breaks the keyword proves `ignored`, whatever the question; a
 * schema that the service never takes is `refused`, unless it may refuse the form and not the keyword; a valid document that never comes back is `broken` if the model gives
 * it without the schema and no request was refused, else `unclear`; replies that conform are `enforced` only if they are enough and the model was
 * seen to break the keyword without the schema.
 */
export function enforcementOf(sample: Sample, spec: EnforceSpec, demand: Demand): Enforcement {
  const under = outcomesOf(sample, 'valid', 'invalid');
  const shown = under.map((outcome) => replyUnderSchema(outcome, spec));
  if (shown.includes('breaks')) return 'ignored';
  if (isRefusedThroughout(sample, spec)) return isOfTheKeyword(sample, spec, demand.refusals) ? 'refused' : 'unclear';
  if (!isReturned(sample, spec)) {
    // Where some requests were refused, the service may refuse the schema and the others fail for a reason of their own.
    const isLost = !shown.includes('refusal') && chanceOfLoss(sample, spec) <= demand.chance;
    return isLost ? 'broken' : 'unclear';
  }
  if (onlyAccepted(spec) || shown.includes('wrapped')) return 'unclear';
  return conformingIn(sample, spec) >= demand.conforming && wouldBreakKeyword(sample, spec) ? 'enforced' : 'unclear';
}

/** Whether the valid document has come back under the schema. */
export const isReturned = (sample: Sample, spec: EnforceSpec): boolean =>
  onlyAccepted(spec)
    ? outcomesOf(sample, 'valid').some(isAccepted)
    : outcomesOf(sample, 'valid').some((outcome) => isRepeated(outcome, spec));

/** Without the schema the model breaks the keyword itself, or breaks the schema elsewhere but conforms too often for chance. */
function wouldBreakKeyword(sample: Sample, spec: EnforceSpec): boolean {
  const unconstrained = unconstrainedIn(sample, spec);
  if (unconstrained !== 'schema') return unconstrained === 'keyword';
  // A requested document that came back says nothing about the schema.
  const others = outcomesOf(sample, 'valid').filter(
    (outcome) => !isRepeated(outcome, spec) && replyUnderSchema(outcome, spec) === 'keeps',
  );
  return rulesOutChance(conformingIn(sample, spec) + others.length, usableOutcomes(sample, 'loose', spec), spec);
}

/**
 * The probability that the valid document was lost by chance and not because of the schema: that all replies which give
 * what was never given in its place are among the others. Where no document came at all, any answer counts, with the
 * schema or without it; where another document came, only the one to be repeated does, without the schema. Texts, and
 * replies that were cut, show nothing.
 */
export function chanceOfLoss(sample: Sample, spec: EnforceSpec): number {
  const lost = lostIn(sample, spec);
  if (lost.length === 0) return 1;
  if (onlyAccepted(spec)) return lost.every((shown) => shown === 'error') ? 0 : 1;
  // A text instead of the document is an answer, too.
  if (lost.every(isNone) && usableOutcomes(sample, 'valid', spec).some(isAnswer)) return 1;
  const free = usableOutcomes(sample, 'free', spec);
  if (!lost.every(isNone)) {
    return chanceWith(free.filter((outcome) => repeatsFreely(outcome, spec)).length, free.length, lost.length);
  }
  const invalid = usableOutcomes(sample, 'invalid', spec).filter(
    (outcome) => replyUnderSchema(outcome, spec) !== 'refusal',
  );
  const [freely, otherwise] = [free.filter(isAnswer).length, invalid.filter(isAnswer).length];
  if (otherwise === 0) return chanceWith(freely, free.length, lost.length + invalid.length);
  return Math.max(chanceWith(freely, free.length, lost.length), chanceWith(otherwise, invalid.length, lost.length));
}

const chanceWith = (given: number, free: number, lost: number): number =>
  given === 0 ? 1 : chanceOfNone(given, free, lost);

/** What came instead of the valid document, where it shows something. */
export const lostIn = (sample: Sample, spec: EnforceSpec): readonly ReplyUnderSchema[] =>
  outcomesOf(sample, 'valid')
    .filter((outcome) => !isRepeated(outcome, spec))
    .map((outcome) => replyUnderSchema(outcome, spec))
    .filter((shown) => isNone(shown) || shown === 'keeps' || shown === 'elsewhere');

const isNone = (shown: ReplyUnderSchema): boolean => shown === 'error' || shown === 'empty';

const isAnswer = ({ status, class: failure }: Outcome): boolean =>
  isSuccess(status) && failure !== 'empty_content' && failure !== 'missing_tool_call';
