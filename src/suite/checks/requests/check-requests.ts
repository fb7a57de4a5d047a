import type { Deliberate } from '../../../body/deliberate.js';
import type { Fault } from '../../../body/fault.js';
import { formFaults, type RequestReader } from '../../../body/request-reader.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path, Source } from '../../../files/source.js';
import type { Json, JsonObject } from '../../../json/json.js';
import { at } from '../../../json/pointer.js';
import type { Axis } from '../../probe.js';
import { axisForm } from '../../read/read-axes.js';
import type { ProbeDraft } from '../probe-draft.js';
import { isReachable } from '../probe/check-points.js';
import { pointPath } from '../point-path.js';

/**
 * Every part of a request, as it is written: names, types and closed lists. What is missing may come from an axis or
 * from the model, so the bodies of the cells are checked later.
 */
export function* checkRequests(draft: ProbeDraft): Generator<Problem> {
  for (const { request, pathOf } of draft.requests) {
    for (const fault of formFaults(draft.languages.readRequest, request)) yield* requestProblem(draft, fault, pathOf);
  }
  for (const axis of draft.axes) {
    // One that leads nowhere is reported already.
    if (axis.kind !== 'values' || !draft.requests.some(({ request }) => isReachable(request, axis.at))) continue;
    yield* axisProblems(draft, axis);
  }
}

/** The problem of a fault at its place in the file; none where the probe sends it on purpose. */
export function* requestProblem(
  { source, deliberate }: { readonly source: Source; readonly deliberate: Deliberate },
  { path, lacks, part, severity, message, hint }: Fault,
  pathOf: (below: Path) => Path,
): Generator<Problem> {
  if (deliberate.covers(path, lacks)) return;
  yield problemAt(source, pathOf(path), message, hint, { part, severity });
}

type ValuesAxis = Extract<Axis, { kind: 'values' }>;

/** What the points of an axis make of the body: the field that it sets, and the values. */
function* axisProblems(draft: ProbeDraft, axis: ValuesAxis): Generator<Problem> {
  const lists = draft.requests.map(({ request }) => request);
  for (const [label, point] of axis.points) {
    // A field that is left out must still exist.
    const value = point.kind === 'unset' ? null : point.value;
    const body = bodyWith(axis.at, value, lists);
    const faults = formFaults(draft.languages.readRequest, body, point.kind === 'unset' ? 'patch' : undefined);
    for (const fault of faults) yield* requestProblem(draft, ...placed(draft, axis, label, fault));
  }
}

/** A fault in a name on the way to the field is in the axis itself: in `at`, or in the axis's own name. */
function placed(draft: ProbeDraft, axis: ValuesAxis, label: string, fault: Fault): [Fault, () => Path] {
  const { path, part } = fault;
  const isOnTheWay = path.length < axis.at.length || (path.length === axis.at.length && part === 'key');
  if (!isOnTheWay) return [fault, () => [...pointPath(draft, axis.name, label), ...path.slice(axis.at.length)]];
  const own = [...draft.path, 'vary', axis.name];
  const form = axisForm(draft.written.vary?.[axis.name] ?? []);
  if (form.kind === 'settings' || form.at === null) return [fault, () => own];
  return [{ ...fault, part: 'value' }, () => [...own, 'at']];
}

/** A body with just this value, inside lists where a request of the probe has lists. */
function bodyWith(steps: readonly string[], value: Json, requests: readonly JsonObject[]): Json {
  const build = (done: number): Json => {
    const step = steps[done];
    if (step === undefined) return value;
    const inner = build(done + 1);
    const isList = requests.some((request) => Array.isArray(at(request, steps.slice(0, done))));
    if (!isList) return { [step]: inner };
    return Array.from({ length: Math.min(Number(step), 1000) + 1 }, (_, index) =>
      index === Number(step) ? inner : {},
    );
  };
  return build(0);
}

/** Faults of the defaults that no probe inherits: those of the others are found with their probes. */
export function* checkDefaults(
  source: Source,
  defaults: JsonObject | undefined,
  requests: readonly JsonObject[],
  read: RequestReader,
): Generator<Problem> {
  for (const { path, part, severity, message, hint } of formFaults(read, defaults ?? {})) {
    const steps = path.map(String);
    const here = JSON.stringify(at(defaults ?? {}, steps));
    if (requests.some((request) => JSON.stringify(at(request, steps)) === here)) continue;
    yield problemAt(source, ['defaults', 'request', ...path], message, hint, { part, severity });
  }
}
