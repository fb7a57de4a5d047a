import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import { isCut, isGarbled, isWithheld } from './reply-under-schema.js';

type AskedKind = 'valid' | 'invalid' | 'free' | 'loose';

/** The answers that were judged to one kind of ask. */
export const outcomesOf = (sample: Sample, ...kinds: readonly AskedKind[]): readonly Outcome[] =>
  sample.judged((ask) => kinds.some((kind) => kind === ask.kind)).map(({ outcome }) => outcome);

/** The same without those that were cut, withheld or garbled. */
export const usableOutcomes = (sample: Sample, kind: AskedKind, spec: EnforceSpec): readonly Outcome[] =>
  outcomesOf(sample, kind).filter((outcome) => !isCut(outcome) && !isWithheld(outcome) && !isGarbled(outcome, spec));
