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
  readonly seen: Seen;
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

export function nothingSeen(): Seen {
  return { members: new Set(), items: new Set() };
}

/** Adds what another schema has looked at. */
export function addSeen(into: Seen, from: Seen): void {
  for (const name of from.members) into.members.add(name);
  for (const index of from.items) into.items.add(index);
}

/** What a subschema says by itself. */
export function tried(check: NodeCheck, value: Json, at: string): Found & { readonly conforms: boolean } {
  const violations: Violation[] = [];
  const seen = nothingSeen();
  check(value, at, { violations, seen });
  return { violations, seen, conforms: violations.length === 0 };
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
