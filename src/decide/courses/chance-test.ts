import { parseJson } from '../../chat/parse-json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Json } from '../../json/json.js';
import type { EnforceSpec } from '../../suite/probe.js';

/** How sure it must be that the schema, and not chance, kept the replies from breaking the keyword. */
const error = 0.01;
const enoughLoose = 3;

/**
 * Whether that many conforming replies of a model that only babbles when it is free are no luck. What it gives under
 * the loosened schema tells: it must break there what it never breaks under the whole one. A model that writes small
 * numbers by habit meets every `maximum`, however often it is asked.
 */
export function beyondLuck(conforming: number, loose: readonly Outcome[], spec: EnforceSpec): boolean {
  const asked = loose.filter(isDocument);
  if (asked.length < enoughLoose) return conforming >= conformingBeyondLuck(spec);
  const broken = asked.map((outcome) => placesBroken(outcome, spec)).filter((places) => places.length > 0);
  const byChance = chanceOfNone(broken.length, asked.length, conforming);
  return byChance <= error && (spec.keyword !== 'composite' || breaksEverywhere(broken.flat(), spec));
}

const isDocument = ({ value, passed, class: shown }: Outcome): boolean =>
  value !== undefined && (passed || shown === 'schema_violation' || shown === 'rule_violation');

/** Where a reply under the loosened schema breaks the whole one, in any of its calls. */
export const placesBroken = (outcome: Outcome, spec: EnforceSpec): readonly string[] =>
  documentsOf(outcome).flatMap((value) => brokenPlaces(value, spec));

function documentsOf({ value, reply }: Outcome): readonly Json[] {
  const further = (reply?.tool_calls ?? []).slice(1).flatMap(({ arguments: args }) => {
    const read = typeof args === 'string' ? parseJson(args) : null;
    return read?.ok === true ? [read.value] : [];
  });
  return value === undefined ? further : [value, ...further];
}

/** In a document of many keywords each has a place of its own. */
function breaksEverywhere(places: readonly string[], spec: EnforceSpec): boolean {
  return brokenPlaces(spec.invalid, spec).every((place) => places.includes(place));
}

/** If nothing told both kinds apart: the chance that all breaking replies are loose ones. */
function chanceOfNone(broken: number, loose: number, conforming: number): number {
  let chance = 1;
  for (let index = 0; index < broken; index += 1) chance *= (loose - index) / (loose + conforming - index);
  return chance;
}

/**
 * Without replies under the loosened schema: a random value is next to never in an enum, and seldom in the shape of an
 * object; it is often enough above a bound, below a length or in an empty array.
 */
function conformingBeyondLuck({ keyword }: EnforceSpec): number {
  return onceIsEnough.has(keyword) ? 1 : fewAreEnough.has(keyword) ? 3 : Infinity;
}

const onceIsEnough = new Set(['enum', 'const']);
const fewAreEnough = new Set(['type', 'pattern', 'format', 'properties', 'required', 'additionalProperties', 'anyOf']);

/** Which item of a list is wrong is chance. */
function brokenPlaces(value: Json, spec: EnforceSpec): readonly string[] {
  const conformance = checkSchema(value, spec.schema);
  if (conformance.kind !== 'violates') return [];
  return conformance.violations.map(({ at }) => at.replaceAll(/\/[0-9]+(?=\/|$)/g, '/*'));
}
