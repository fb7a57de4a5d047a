import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';
import { pointOf } from '../../read/probe-fields.js';
import { probeProblem } from '../../read/probe-source.js';
import type { PointFile } from '../../suite-file.js';
import type { ProbeDraft } from '../probe-draft.js';

/** Every point that `exclude`, `include` and `when` name must exist. */
export function* checkPoints(draft: ProbeDraft): Generator<Problem> {
  const { exclude = [], include = [], when = [] } = draft.written;
  for (const [index, point] of exclude.entries()) yield* unknownLabels(draft, ['exclude', index], point);
  for (const [index, point] of include.entries()) yield* unknownLabels(draft, ['include', index], point);
  for (const [index, { point }] of when.entries()) yield* unknownLabels(draft, ['when', index, 'point'], point);
}

function* unknownLabels(draft: ProbeDraft, path: Path, point: PointFile): Generator<Problem> {
  for (const [axis, label] of Object.entries(pointOf(point))) {
    const labels = draft.labels.get(axis);
    if (labels === undefined) {
      const hint = didYouMean(axis, draft.labels.keys(), 'axes of this probe') ?? 'this probe varies nothing';
      yield probeProblem(draft, [...path, axis], `there is no axis "${axis}"`, hint, { part: 'key' });
    } else if (labels !== null && !labels.includes(label)) {
      const hint = didYouMean(label, labels, 'labels');
      yield probeProblem(draft, [...path, axis], `the axis ${axis} has no label "${label}"`, hint);
    }
  }
}

/** The `at` of an axis must lead to a place that some request of the probe has or can get. */
export function* checkPointers(draft: ProbeDraft): Generator<Problem> {
  for (const axis of draft.axes) {
    if (axis.kind !== 'values' || axis.at.length < 2) continue;
    if (draft.requests.some(({ request }) => isReachable(request, axis.at))) continue;
    const message = `/${axis.at.join('/')} leads nowhere in the request`;
    const hint = 'an axis cannot add items to a list: name one that the request has; indexes count from 0';
    yield probeProblem(draft, ['vary', axis.name, 'at'], message, hint);
  }
}

export function isReachable(request: JsonObject, steps: readonly string[]): boolean {
  let here: Json | undefined = request;
  for (const step of steps) {
    if (Array.isArray(here)) {
      if (!/^\d+$/.test(step) || Number(step) >= here.length) return false;
      here = (here as readonly Json[])[Number(step)];
    } else if (isObject(here)) here = here[step];
    else return false;
    // Objects that are missing from here on are created.
    if (here === undefined) return true;
  }
  return true;
}
