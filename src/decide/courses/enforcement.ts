import { isDeepStrictEqual } from 'node:util';
import { isSuccess } from '../../chat/exchange.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Outcome } from '../../judge/outcome.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Enforcement } from '../../cell/verdict.js';
import { freedomOf } from './unconstrained-reply.js';
import { beyondLuck } from './chance-test.js';
import type { Sample } from './sample.js';

/** Whether a reply broke the schema although the service called it done: nothing else may follow from it but `ignored`. */
export function breaksSchema(outcome: Outcome, spec: EnforceSpec): boolean {
  if (outcome.fault || !isSuccess(outcome.status)) return false;
  if (outcome.class === 'not_json' || outcome.class === 'schema_violation') return true;
  // The trial may have been held against another schema, or none: what counts here is the keyword's.
  if (!outcome.passed && outcome.class !== 'rule_violation') return false;
  return outcome.value !== undefined && checkSchema(outcome.value, spec.schema).kind === 'violates';
}

function isRefusal(outcome: Outcome): boolean {
  const { status } = outcome;
  return !outcome.fault && outcome.class === 'http_error' && status !== null && status >= 400 && status < 500;
}

/** A cut reply shows neither that a schema holds nor that it does not. */
export const isCut = (outcome: Outcome): boolean => outcome.class === 'truncated';

/** What the model wrote was too bad for the service to pass on: nobody saw whether it met the schema. */
const isWithheld = (outcome: Outcome): boolean => outcome.reason === 'model_output_rejected';

/** Bytes that were no text were replaced on the way: how long it was, and what it matched, cannot be told any more. */
const isGarbled = (outcome: Outcome): boolean =>
  outcome.class === 'schema_violation' && JSON.stringify(outcome.value ?? null).includes('\uFFFD');

/** `description` constrains nothing that a validator could see: it can only be accepted. */
export const onlyAccepted = (spec: EnforceSpec): boolean => spec.keyword === 'description';

/** The answers of one kind that show something. */
export function telling(sample: Sample, kind: 'valid' | 'invalid' | 'free' | 'loose'): readonly Outcome[] {
  return sample
    .judged((ask) => ask.kind === kind)
    .map(({ outcome }) => outcome)
    .filter((outcome) => !isCut(outcome) && !isWithheld(outcome) && !isGarbled(outcome));
}

/**
 * What the answers prove. In this order: a reply that breaks the schema proves `ignored`, whatever it was asked for; a
 * refusal of the schema is `refused`; a valid document that does not come back is `broken`; replies that conform are
 * `enforced` only if the model was seen to break the keyword when it was free to.
 */
export function enforcementOf(sample: Sample, spec: EnforceSpec): Enforcement {
  const [valid, invalid, free] = [telling(sample, 'valid'), telling(sample, 'invalid'), telling(sample, 'free')];
  if ([...valid, ...invalid].some((outcome) => breaksSchema(outcome, spec))) return 'ignored';

  const decisive = onlyAccepted(spec) ? valid : invalid;
  const refusals = decisive.filter(isRefusal).length;
  if (refusals > 0 && refusals * 2 >= decisive.length) return 'refused';

  const repeats = free.some((outcome) => isDeepStrictEqual(outcome.value, spec.invalid));
  if (valid.length > 0 && valid.every((outcome) => isLost(outcome, spec, repeats))) return 'broken';
  if (onlyAccepted(spec)) return 'unclear';

  const conforms = invalid.length > 0 && invalid.every((outcome) => outcome.passed);
  return conforms && provenFree(sample, spec) ? 'enforced' : 'unclear';
}

/** The model was seen to break the very keyword, or babbled when it was free and conforms too often for luck. */
function provenFree(sample: Sample, spec: EnforceSpec): boolean {
  const seen = freedomIn(sample, spec);
  if (seen !== 'babble') return seen === 'keyword';
  // A document that was asked for and came back is no sign of what the schema does.
  const valid = telling(sample, 'valid').filter((outcome) => !cameBack(outcome, spec));
  const conforming = [...valid, ...telling(sample, 'invalid')].filter(({ passed }) => passed);
  return beyondLuck(conforming.length, telling(sample, 'loose'), spec);
}

/** The most that the free answers show; cut ones count where they are beyond repair. */
export function freedomIn(sample: Sample, spec: EnforceSpec): ReturnType<typeof freedomOf> {
  const seen = sample.judged((ask) => ask.kind === 'free').map(({ outcome }) => freedomOf(outcome, spec));
  return seen.find((one) => one === 'keyword') ?? seen.find((one) => one === 'babble') ?? 'nothing';
}

/**
 * The valid document did not come back because of the schema. That a model gave something else is the schema's doing
 * only if the same model repeats what it is told when it is free.
 */
function isLost(outcome: Outcome, spec: EnforceSpec, repeats: boolean): boolean {
  if (outcome.class === 'http_error') return true;
  return repeats && !cameBack(outcome, spec);
}

export const cameBack = (outcome: Outcome, spec: EnforceSpec): boolean =>
  outcome.passed && isDeepStrictEqual(outcome.value, spec.valid);
