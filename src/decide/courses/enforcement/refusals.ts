import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import { outcomesOf } from './asked-outcomes.js';
import { acceptableChance, chanceOfNone } from './chance-test.js';
import { isAccepted, replyUnderSchema } from './reply-under-schema.js';

/** What tells refusals of a keyword from those of its form. */
export interface RefusalProof {
  /**
   * `blame`: the service blames the schema, or takes it without the keyword. `contrast`: it is known to have taken the
   * schema before, so refusals count unless it refuses the schema without the keyword as often. `none`: it is known to
   * refuse the keyword.
   */
  readonly by: 'blame' | 'contrast' | 'none';
  /** The highest acceptable probability that it refuses the schema as often without the keyword. */
  readonly chance: number;
}

/** A 4xx now and then, of a service that otherwise takes the schema or fails on it, is no refusal of it. */
export function isRefusedThroughout(sample: Sample, spec: EnforceSpec): boolean {
  const under = outcomesOf(sample, 'valid', 'invalid');
  const shown = under.map((outcome) => replyUnderSchema(outcome, spec));
  const refusals = shown.filter((one) => one === 'refusal').length;
  const errors = shown.filter((one) => one === 'error').length;
  return refusals > 3 * errors && !under.some(isAccepted);
}

/** Whether a schema that is always refused is refused for its keyword. A form that fails at random refuses any schema. */
export function isOfTheKeyword(sample: Sample, spec: EnforceSpec, { by, chance }: RefusalProof): boolean {
  if (by === 'none' || blamesTheSchema(sample)) return true;
  const { accepted, total } = withoutKeyword(sample, spec);
  if (accepted === 0) return by === 'contrast';
  const refusals = refusalsOf(sample, spec);
  // With an exact number of trials, no more is asked of the proof than they can give.
  const least = Math.max(acceptableChance, chanceOfNone(total, total, refusals));
  return chanceOfNone(accepted, total, refusals) <= Math.min(chance, least);
}

/** Whether the service has refused every schema that it was sent, with the keyword and without it. */
export const isFormRefused = (sample: Sample, spec: EnforceSpec): boolean =>
  isRefusedThroughout(sample, spec) && withoutKeyword(sample, spec).accepted === 0;

export const blamesTheSchema = (sample: Sample): boolean =>
  outcomesOf(sample, 'valid', 'invalid').some(({ reason }) => reason === 'schema_rejected');

export const refusalsOf = (sample: Sample, spec: EnforceSpec): number =>
  outcomesOf(sample, 'valid', 'invalid').filter((outcome) => replyUnderSchema(outcome, spec) === 'refusal').length;

/** The answers that took or refused the schema without the keyword. */
export function withoutKeyword(
  sample: Sample,
  spec: EnforceSpec,
): { readonly accepted: number; readonly total: number } {
  const loose = outcomesOf(sample, 'loose');
  const accepted = loose.filter(isAccepted).length;
  return { accepted, total: accepted + loose.filter((one) => replyUnderSchema(one, spec) === 'refusal').length };
}
