import { isObject, type Json } from '../json/json.js';
import { isSchemaPlace } from './body-shape.js';
import { nameOfShape, type RequestShape } from './shape-of.js';

/** A place whose value differs; undefined: it is not there. */
export interface Difference {
  /** `body/tool_choice`, `headers/user-agent`, `body/response_format/json_schema/schema/required` */
  readonly at: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export type ShapeChange =
  | {
      readonly kind: 'changed';
      readonly before: RequestShape;
      readonly after: RequestShape;
      readonly differences: readonly Difference[];
    }
  | { readonly kind: 'appeared'; readonly after: RequestShape }
  | { readonly kind: 'vanished'; readonly before: RequestShape }
  | {
      readonly kind: 'library';
      readonly name: string;
      /** The name by which it was known, where that is another one. */
      readonly was?: string;
      /** undefined: no request tells one. */
      readonly before: string | undefined;
      readonly after: string | undefined;
    };

/** What differs between what was recorded and what is sent now; empty: nothing. The order of requests does not matter. */
export function compareShapes(locked: readonly RequestShape[], sent: readonly RequestShape[]): readonly ShapeChange[] {
  const now = new Set(sent.map(nameOfShape));
  const then = new Set(locked.map(nameOfShape));
  const gone = locked.filter((shape) => !now.has(nameOfShape(shape)));
  const fresh = sent.filter((shape) => !then.has(nameOfShape(shape)));
  const pairs = paired(gone, fresh);
  const [matchedBefore, matchedAfter] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, one]) => one))];
  return [
    ...libraryChanges(locked, sent),
    ...pairs.map(([before, after]): ShapeChange => ({
      kind: 'changed',
      before,
      after,
      differences: [
        ...differences(before.headers, after.headers, 'headers', ''),
        ...differences(before.body, after.body, 'body', ''),
      ],
    })),
    ...fresh.filter((shape) => !matchedAfter.has(shape)).map((after): ShapeChange => ({ kind: 'appeared', after })),
    ...gone.filter((shape) => !matchedBefore.has(shape)).map((before): ShapeChange => ({ kind: 'vanished', before })),
  ];
}

/** Which new shape took the place of which old one: those that have the most in common, first of all by name. */
function paired(
  gone: readonly RequestShape[],
  fresh: readonly RequestShape[],
): readonly (readonly [RequestShape, RequestShape])[] {
  const used = new Set<RequestShape>();
  return gone
    .flatMap((before) => fresh.map((after) => ({ before, after, alike: likeness(before, after) })))
    .sort((a, b) => b.alike - a.alike)
    .flatMap(({ before, after, alike }) => {
      if (alike < leastLikeness || used.has(before) || used.has(after)) return [];
      used.add(before).add(after);
      return [[before, after] as const];
    });
}

/** Requests that share less than this part of their places are two different calls. */
const leastLikeness = 0.3;

function likeness(before: RequestShape, after: RequestShape): number {
  if (before.request !== after.request) return 0;
  const [one, other] = [placesOf(before), placesOf(after)];
  const shared = [...one].filter(([at, value]) => other.get(at) === value).length;
  return shared / Math.max(one.size, other.size) + (before.call === after.call ? 1 : 0);
}

/** By place: the value there as text. */
function placesOf({ headers, body }: RequestShape): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const walk = (value: Json | undefined, at: string): void => {
    if (Array.isArray(value)) (value as readonly Json[]).forEach((item, index) => walk(item, `${at}/${index}`));
    else if (isObject(value)) for (const [name, member] of Object.entries(value)) walk(member, `${at}/${name}`);
    else places.set(at, JSON.stringify(value));
  };
  walk(headers, 'headers');
  walk(body, 'body');
  return places;
}

/** @param place of the value in the body, with `*` for an index */
function differences(
  before: Json | undefined,
  after: Json | undefined,
  at: string,
  place: string,
): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => differences(before[name], after[name], `${at}/${name}`, `${place}/${name}`));
  }
  const areLists = Array.isArray(before) && Array.isArray(after);
  // Within a schema, a list is one value: its items have no places of their own.
  if (areLists && before.length === after.length && !isInSchema(place) && before.length > 0) {
    return (before as readonly Json[]).flatMap((item, index) =>
      differences(item, (after as readonly Json[])[index], `${at}/${index}`, `${place}/*`),
    );
  }
  return [{ at, before, after }];
}

function isInSchema(place: string): boolean {
  const steps = place.split('/');
  return steps.some((_, index) => isSchemaPlace(steps.slice(0, index + 1).join('/')));
}

/** Whether this is about the version of a library alone. */
export function isVersion(change: ShapeChange): boolean {
  return change.kind === 'library' && change.was === undefined;
}

/** One line for each library; where one name went and another came, they are one library with a new name. */
function libraryChanges(locked: readonly RequestShape[], sent: readonly RequestShape[]): readonly ShapeChange[] {
  const [before, after] = [versionsIn(locked), versionsIn(sent)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const gone = names.filter((name) => !after.has(name));
  const fresh = names.filter((name) => !before.has(name));
  const renamed = new Map(gone.length === fresh.length ? fresh.map((name, index) => [name, gone[index] ?? '']) : []);
  const old = new Set(renamed.values());
  return names
    .filter((name) => before.get(name) !== after.get(name) && !old.has(name))
    .map((name) => {
      const was = renamed.get(name);
      const then = before.get(was ?? name);
      return { kind: 'library', name, ...(was !== undefined && { was }), before: then, after: after.get(name) };
    });
}

function versionsIn(shapes: readonly RequestShape[]): ReadonlyMap<string, string> {
  const versions = new Map<string, Set<string>>();
  for (const { libraries } of shapes) {
    for (const [name, version] of Object.entries(libraries))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return new Map([...versions].map(([name, all]) => [name, [...all].sort().join(', ')]));
}
