import { isObject, type Json, writtenJson } from '../json/json.js';
import { isSameJson } from '../json/merge-patch.js';
import { joinedVersions, nameOfShape, type RequestShape } from './shape-of.js';

/** A place whose value differs; undefined: it is not there. */
interface Difference {
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
      /** Headers that only report came or went; no shape has changed. */
      readonly kind: 'reports';
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | {
      readonly kind: 'library';
      readonly name: string;
      /** The name by which it was known, where that is another one. */
      readonly was?: string;
      /** undefined: no request tells one. */
      readonly before: string | undefined;
      readonly after: string | undefined;
    };

type ShapePair = readonly [before: RequestShape, after: RequestShape];

/** The changes between the recorded shapes and those that are sent now. The order of requests does not matter. */
export function compareShapes(locked: readonly RequestShape[], sent: readonly RequestShape[]): readonly ShapeChange[] {
  const [then, now] = [locked, sent].map((shapes) => new Set(shapes.map(nameOfShape)));
  const gone = locked.filter((shape) => now?.has(nameOfShape(shape)) === false);
  const fresh = sent.filter((shape) => then?.has(nameOfShape(shape)) === false);
  const pairs = paired(gone, fresh);
  const matched = new Set(pairs.flat());
  return [
    ...libraryChanges(locked, sent),
    ...reportChanges([...same(locked, sent), ...pairs]),
    ...pairs.map(([before, after]): ShapeChange => {
      const found = (['headers', 'body'] as const).flatMap((part) => differences(before[part], after[part], part));
      return { kind: 'changed', before, after, differences: found };
    }),
    ...fresh.filter((shape) => !matched.has(shape)).map((after): ShapeChange => ({ kind: 'appeared', after })),
    ...gone.filter((shape) => !matched.has(shape)).map((before): ShapeChange => ({ kind: 'vanished', before })),
  ];
}

/** Requests of other names that share less than this part of their lines are two different calls. */
const leastLikeness = 0.3;

/** Pairs of an old shape and the new one in its place: first of all by name, then by what they have in common. */
function paired(gone: readonly RequestShape[], fresh: readonly RequestShape[]): readonly ShapePair[] {
  const used = new Set<RequestShape>();
  return gone
    .flatMap((before) => fresh.map((after) => ({ before, after, alike: likeness(before, after) })))
    .filter(({ alike }) => alike >= leastLikeness)
    .sort((a, b) => b.alike - a.alike)
    .flatMap(({ before, after }) => {
      if (used.has(before) || used.has(after)) return [];
      used.add(before).add(after);
      return [[before, after] as const];
    });
}

function likeness(before: RequestShape, after: RequestShape): number {
  if (before.request !== after.request) return 0;
  const [one, other] = [shapeLines(before), shapeLines(after)];
  const shared = [...one].filter((line) => other.has(line)).length;
  return shared / Math.max(one.size, other.size) + (before.call === after.call ? 1 : 0);
}

const shapeLines = ({ headers, body }: RequestShape): ReadonlySet<string> =>
  new Set(writtenJson([headers, body], 1).split('\n'));

function differences(before: Json | undefined, after: Json | undefined, at: string): readonly Difference[] {
  if (before !== undefined && after !== undefined && isSameJson(before, after)) return [];
  const isList = Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.length > 0;
  if (!isList && !(isObject(before) && isObject(after))) return [{ at, before, after }];
  const [one, other] = [before, after] as unknown as readonly [Record<string, Json>, Record<string, Json>];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.sort().flatMap((name) => differences(one[name], other[name], `${at}/${name}`));
}

/** Shapes that are recorded and sent. */
function same(locked: readonly RequestShape[], sent: readonly RequestShape[]): readonly ShapePair[] {
  const now = new Map(sent.map((shape) => [nameOfShape(shape), shape]));
  return locked.flatMap((before) => {
    const after = now.get(nameOfShape(before));
    return after === undefined ? [] : [[before, after] as const];
  });
}

/** An older lock does not say which headers reported. */
function reportChanges(pairs: readonly ShapePair[]): readonly ShapeChange[] {
  const comparable = pairs.filter(([before]) => before.reports !== undefined);
  const among = (one: readonly string[] = [], other: readonly string[] = []): readonly string[] =>
    one.filter((name) => !other.includes(name));
  const added = [...new Set(comparable.flatMap(([before, after]) => among(after.reports, before.reports)))].sort();
  const removed = [...new Set(comparable.flatMap(([before, after]) => among(before.reports, after.reports)))].sort();
  return added.length + removed.length === 0 ? [] : [{ kind: 'reports', added, removed }];
}

/** A library with a new name is one change, where the requests tell both names. */
function libraryChanges(locked: readonly RequestShape[], sent: readonly RequestShape[]): readonly ShapeChange[] {
  const [before, after] = [versionsIn(locked), versionsIn(sent)];
  const gone = [...before.keys()].filter((name) => !after.has(name)).sort();
  const fresh = [...after.keys()].filter((name) => !before.has(name)).sort();
  const renamed = gone.length === fresh.length && ![...gone, ...fresh].some(isOfLockFile) ? gone : [];
  const names = [...new Set([...after.keys(), ...(renamed.length > 0 ? [] : gone)])].sort();
  return names.flatMap((name): ShapeChange[] => {
    const was = renamed[fresh.indexOf(name)];
    const [then, now] = [before.get(was ?? name), after.get(name)];
    return then === now && was === undefined
      ? []
      : [{ kind: 'library', name, ...(was !== undefined && { was }), before: then, after: now }];
  });
}

/** `pypi:langchain-openai`: a package of the folder, which no request names. */
const isOfLockFile = (name: string): boolean => /^[a-z]+:/.test(name);

const versionsIn = (shapes: readonly RequestShape[]): ReadonlyMap<string, string> =>
  new Map(Object.entries(joinedVersions(shapes)));

/** Whether no shape has changed: this is about the version of a library alone, or about what only reports. */
export const isNoShape = (change: ShapeChange): boolean =>
  change.kind === 'reports' || (change.kind === 'library' && change.was === undefined);

/** A change for somebody who has not seen the lock file: which call, what changed, and where on the wire. */
export function shapeChangeLines(change: ShapeChange): readonly string[] {
  switch (change.kind) {
    case 'library':
      return change.was === undefined
        ? [`library  ${change.name}: ${change.before ?? 'not named before'} -> ${change.after ?? 'not named any more'}`]
        : [`library  ${change.was} ${change.before ?? ''} -> ${change.name} ${change.after ?? ''}`];
    case 'reports':
      return [
        ...change.added.map((name) => `reports  ${name} is new`),
        ...change.removed.map((name) => `reports  ${name} is not sent any more`),
      ];
    case 'changed':
      return [`changed  ${callText(change.after)}`, ...change.differences.map(differenceLine)];
    case 'appeared':
      return [`new      ${callText(change.after)}`];
    case 'vanished':
      return [`gone     ${callText(change.before)} (in this form)`];
  }
}

const callText = ({ request, call }: RequestShape): string => `${request}: ${call}`;

function differenceLine({ at, before, after }: Difference): string {
  const place = at.replace(/^body\//, '').replaceAll('/', '.');
  if (before === undefined) return `  + ${place} is new: ${valueText(after)}`;
  if (after === undefined) return `  - ${place} is not sent any more (was ${valueText(before)})`;
  return `  ~ ${place}: ${valueText(before)} -> ${valueText(after)}`;
}

/** Longer values are cut; the lock file has them whole. */
const maxValueTextLength = 160;

function valueText(value: Json | undefined): string {
  // The name of a type stands in the place of a value.
  const text = typeof value === 'string' ? value : writtenJson(value);
  return text.length > maxValueTextLength ? `${text.slice(0, maxValueTextLength)}...` : text;
}
