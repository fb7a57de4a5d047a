import { isDeepStrictEqual } from 'node:util';
import { isSuccess } from '../../chat/exchange.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Outcome } from '../../judge/outcome.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Enforcement } from '../../cell/verdict.js';
import { rulesOutChance } from './chance-test.js';
import type { Sample } from './sample.js';
import { unconstrainedIn } from './unconstrained-reply.js';

/** Whether a reply that the service called complete breaks the schema, which proves that it is ignored. */
export function breaksSchema(outcome: Outcome, spec: EnforceSpec): boolean {
  if (outcome.fault || !isSuccess(outcome.status)) return false;
  if (outcome.class === 'not_json' || outcome.class === 'schema_violation') return true;
  // The trial may have been judged by another schema or none, but only the keyword's schema counts here.
  if (!outcome.passed && outcome.class !== 'rule_violation') return false;
  return outcome.value !== undefined && checkSchema(outcome.value, spec.schema).kind === 'violates';
}

function isRefusal(outcome: Outcome): boolean {
  const { status } = outcome;
  return !outcome.fault && outcome.class === 'http_error' && status !== null && status >= 400 && status < 500;
}

/** A cut reply shows neither that a schema holds nor that it does not. */
export const isCut = (outcome: Outcome): boolean => outcome.class === 'truncated';

/** The service did not pass on what the model wrote, so nobody knows whether it met the schema. */
export const isWithheld = (outcome: Outcome): boolean => outcome.reason === 'model_output_rejected';

/** Invalid bytes were replaced on the way, so the original length and matches are no longer known. */
const isGarbled = (outcome: Outcome): boolean =>
  outcome.class === 'schema_violation' && JSON.stringify(outcome.value ?? null).includes('\uFFFD');

/** `description` constrains nothing that a validator could check: it can only be accepted. */
export const onlyAccepted = (spec: EnforceSpec): boolean => spec.keyword === 'description';

/** The outcomes of one kind of ask that show something about the schema. */
export function usableOutcomes(sample: Sample, kind: 'valid' | 'invalid' | 'free' | 'loose'): readonly Outcome[] {
  return sample
    .judged((ask) => ask.kind === kind)
    .map(({ outcome }) => outcome)
    .filter((outcome) => !isCut(outcome) && !isWithheld(outcome) && !isGarbled(outcome));
}

/**
 * What the answers prove, in this order. A reply that breaks the schema proves `ignored`, whatever the question; a
 * refusal of the schema is `refused`; a valid document that does not come back is `broken`; replies that conform are
 * `enforced` only if the model was seen to break the keyword without the schema.
 */
export function enforcementOf(sample: Sample, spec: EnforceSpec): Enforcement {
  const [valid, invalid, free] = [
    usableOutcomes(sample, 'valid'),
    usableOutcomes(sample, 'invalid'),
    usableOutcomes(sample, 'free'),
  ];
  if ([...valid, ...invalid].some((outcome) => breaksSchema(outcome, spec))) return 'ignored';

  const decisive = onlyAccepted(spec) ? valid : invalid;
  const refusals = decisive.filter(isRefusal).length;
  if (refusals > 0 && refusals * 2 >= decisive.length) return 'refused';

  const repeats = free.some((outcome) => isDeepStrictEqual(outcome.value, spec.invalid));
  if (valid.length > 0 && valid.every((outcome) => isLost(outcome, spec, repeats))) return 'broken';
  if (onlyAccepted(spec)) return 'unclear';

  const conforms = invalid.length > 0 && invalid.every((outcome) => outcome.passed);
  return conforms && wouldBreakKeyword(sample, spec) ? 'enforced' : 'unclear';
}

/** Without the schema the model breaks the keyword itself, or breaks the schema elsewhere but conforms too often for chance. */
function wouldBreakKeyword(sample: Sample, spec: EnforceSpec): boolean {
  const unconstrained = unconstrainedIn(sample, spec);
  if (unconstrained !== 'schema') return unconstrained === 'keyword';
  // A requested document that came back says nothing about the schema.
  const valid = usableOutcomes(sample, 'valid').filter((outcome) => !isRepeated(outcome, spec));
  const conforming = [...valid, ...usableOutcomes(sample, 'invalid')].filter(({ passed }) => passed);
  return rulesOutChance(conforming.length, usableOutcomes(sample, 'loose'), spec);
}

/**
 * The schema kept the valid document from coming back. If another document came instead, the schema is the cause only if
 * the same model repeats what it is given without a schema.
 */
function isLost(outcome: Outcome, spec: EnforceSpec, repeats: boolean): boolean {
  if (outcome.class === 'http_error') return true;
  return repeats && !isRepeated(outcome, spec);
}

/** The valid document came back as it was sent. */
export const isRepeated = (outcome: Outcome, spec: EnforceSpec): boolean =>
  outcome.passed && isDeepStrictEqual(outcome.value, spec.valid);
