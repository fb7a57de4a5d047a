import type { Json, JsonObject } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import type { Dialect } from '../schema/dialects.js';

/** What a schema has looked at of one value, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  readonly members: Set<string>;
  readonly items: Set<number>;
}

/** What a check reports to. */
export interface Found {
  readonly violations: Violation[];
  /** null: nothing of the schema asks. */
  readonly seen: Seen | null;
  /** Whether violations need their places. A value that conforms needs none, and to write them down takes longest. */
  readonly places: boolean;
}

/** @param at JSON Pointer to the value */
export type NodeCheck = (value: Json, at: string, found: Found) => void;

/** What the keywords of one schema have in common. */
export interface Program {
  readonly dialect: Dialect;
  /** The flags of every pattern. */
  readonly flags: 'u' | '';
  /** Whether any keyword asks what others have looked at. */
  readonly tracks: boolean;
  readonly check: (schema: Json) => NodeCheck;
  /** Throws where there is nothing. */
  readonly resolve: (reference: string, from: JsonObject) => Json;
}

/** A keyword of a schema object; null: it demands nothing here. */
export type Keyword = (schema: JsonObject, program: Program) => NodeCheck | null;

export function nothingSeen({ tracks }: Pick<Program, 'tracks'>): Seen | null {
  return tracks ? { members: new Set(), items: new Set() } : null;
}

/** Adds what another schema has looked at. */
export function addSeen(into: Seen | null, from: Seen | null): void {
  if (into === null || from === null) return;
  for (const name of from.members) into.members.add(name);
  for (const index of from.items) into.items.add(index);
}

/** What a subschema says by itself of the same value. */
export function tried(
  check: NodeCheck,
  value: Json,
  at: string,
  { seen, places }: Found,
): Found & { readonly conforms: boolean } {
  const own: Found = { violations: [], seen: nothingSeen({ tracks: seen !== null }), places };
  check(value, at, own);
  return { ...own, conforms: own.violations.length === 0 };
}

/** Checks a member or an item, of which the schema around it sees no more than that it was looked at. */
export function checkBelow(check: NodeCheck, value: Json, at: string, step: string | number, found: Found): void {
  const place = found.places ? below(at, step) : at;
  check(value, place, found.seen === null ? found : { ...found, seen: nothingSeen({ tracks: true }) });
}

/** Adds all of a list, however long. */
export function addAll(into: Violation[], violations: readonly Violation[]): void {
  for (const violation of violations) into.push(violation);
}

/** The pointer to a member or an item. */
export function below(at: string, step: string | number): string {
  if (typeof step === 'number' || !/[~/]/.test(step)) return `${at}/${step}`;
  return `${at}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A schema that accepts everything. */
export function isAlwaysTrue(schema: Json | undefined): boolean {
  return schema === undefined || schema === true;
}
