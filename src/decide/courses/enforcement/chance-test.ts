import type { Outcome, UnderSchema } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { comparedReply, invalidUnderSchema, underSchema } from './compared-reply.js';
import { documentsOf } from './reply-under-schema.js';

/** The highest acceptable probability that what the replies show came about by chance and not because of the schema. */
export const acceptableChance = 0.01;
/** Fewer replies under the loosened schema are not compared. */
export const enoughLoose = 3;

/**
 * Whether this many conforming replies rule out chance, for a model that without the schema breaks it but not the keyword.
 * Its replies under the loosened schema decide: under it the model must break what it never breaks under the whole one. A model
 * that writes small numbers by habit meets every `maximum`, however often it is asked.
 */
export function rulesOutChance(conforming: number, loose: readonly Outcome[], spec: EnforceSpec): boolean {
  const asked = loose.filter((outcome) => isDocument(outcome, spec));
  if (asked.length < enoughLoose) return conforming >= conformingNeeded(spec);
  const broken = asked.map((outcome) => placesBroken(outcome, spec)).filter((places) => places.length > 0);
  const byChance = chanceOfNone(broken.length, asked.length, conforming);
  return byChance <= acceptableChance && (spec.keyword !== 'composite' || breaksEverywhere(broken.flat(), spec));
}

function isDocument(outcome: Outcome, spec: EnforceSpec): boolean {
  const { passed, class: failure } = outcome;
  if (!passed && failure !== 'schema_violation' && failure !== 'rule_violation') return false;
  return comparedReply(outcome, spec).value !== null;
}

/** Where a reply under the loosened schema breaks the whole one, in any of its calls. */
export const placesBroken = (outcome: Outcome, spec: EnforceSpec): readonly string[] =>
  documentsOf(comparedReply(outcome, spec)).flatMap((document) => brokenPlaces(underSchema(document)));

/** In a composite document each keyword has a place of its own. */
function breaksEverywhere(places: readonly string[], spec: EnforceSpec): boolean {
  return brokenPlaces(invalidUnderSchema(spec)).every((place) => places.includes(place));
}

/**
 * The probability that all replies which show a thing are among the first ones, and none among the others, if both kinds
 * show it equally often (the exact test, one-sided).
 */
export function chanceOfNone(showing: number, first: number, others: number): number {
  let chance = 1;
  for (let index = 0; index < showing; index += 1) chance *= (first - index) / (first + others - index);
  return chance;
}

/**
 * Conforming replies that rule out chance where there are too few under the loosened schema. A random value is hardly
 * ever in an enum and seldom has the shape of an object, but often lies above a bound, below a length or in an empty array.
 */
function conformingNeeded({ keyword }: EnforceSpec): number {
  return onceIsEnough.has(keyword) ? 1 : fewAreEnough.has(keyword) ? 3 : Infinity;
}

const onceIsEnough = new Set(['enum', 'const']);
const fewAreEnough = new Set(['type', 'pattern', 'format', 'properties', 'required', 'additionalProperties', 'anyOf']);

/** Items of a list share one place, since it is chance which of them is wrong. */
const brokenPlaces = ({ violations }: UnderSchema): readonly string[] =>
  violations.map(({ at }) => at.replaceAll(/\/[0-9]+(?=\/|$)/g, '/*'));
