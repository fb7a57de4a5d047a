import { compare, type Comparison } from '../../../judge/compared.js';
import type { Compared, ComparedDocument, Outcome, UnderSchema } from '../../../judge/outcome.js';
import { checkSchema } from '../../../judge/schema/conformance.js';
import { loosened } from '../../../plan/request/loosened.js';
import type { EnforceSpec } from '../../../suite/probe.js';

/** What the judge has to tell of each reply: how it fares under the schema, and beside the documents to be repeated. */
export function comparisonOf(spec: EnforceSpec): Comparison {
  const loose = loosened(spec);
  return { schemas: loose === null ? [spec.schema] : [spec.schema, loose], documents: [spec.valid, spec.invalid] };
}

/** A cache: every question about a cell looks at all of its outcomes. */
const comparedHere = new WeakMap<EnforceSpec, WeakMap<Outcome, Compared>>();

/** What the judge has told, in the place where it judges; here only for outcomes that it has not made. */
export function comparedReply(outcome: Outcome, spec: EnforceSpec): Compared {
  if (outcome.compared !== undefined) return outcome.compared;
  const known = comparedHere.get(spec) ?? new WeakMap<Outcome, Compared>();
  comparedHere.set(spec, known);
  const compared = known.get(outcome) ?? compare(outcome, comparisonOf(spec), checkSchema);
  known.set(outcome, compared);
  return compared;
}

const forbidden = new WeakMap<EnforceSpec, UnderSchema>();

/** How the invalid document fares under the schema. */
export function invalidUnderSchema(spec: EnforceSpec): UnderSchema {
  const known = forbidden.get(spec);
  if (known !== undefined) return known;
  const { value } = compare(
    { value: spec.invalid, reply: null },
    { schemas: [spec.schema], documents: [] },
    checkSchema,
  );
  const under = value?.under[0] ?? neither;
  forbidden.set(spec, under);
  return under;
}

const neither: UnderSchema = { conforms: false, violations: [] };

/** Under the whole schema. */
export const underSchema = ({ under }: ComparedDocument): UnderSchema => under[0] ?? neither;

/** Under the schema without what forbids the invalid document; null where no such schema was found. */
export const underLoosened = ({ under }: ComparedDocument): UnderSchema | null => under[1] ?? null;

export const isValidDocument = ({ is }: ComparedDocument): boolean => is[0] === true;
export const isInvalidDocument = ({ is }: ComparedDocument): boolean => is[1] === true;
export const hasMembersOfInvalid = ({ hasMembersOf }: ComparedDocument): boolean => hasMembersOf[1] === true;
