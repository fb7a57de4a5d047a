import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem, Path } from '../../../files/problems/problem.js';
import { isObject, type JsonObject, writtenJson, at } from '../../../json/json.js';
import { pointOf, probeProblem, type ProbeDraft } from '../probe-draft.js';
import { axisForm, fieldSteps, isLabel, pointsIn, type AxisForm } from '../../read/read-axes.js';
import type { PointFile } from '../../suite-file.js';

/**
 * Axes must have one of the documented forms, with valid labels, no two may set the same field, and every point that
 * `exclude`, `include` and `when` name must exist.
 */
export function* checkAxes(draft: ProbeDraft): Generator<Problem> {
  const { vary = {} } = draft.written;
  for (const [name, written] of Object.entries(vary)) {
    const form = axisForm(written);
    if (form.kind === 'settings') continue;
    yield* checkForm(draft, name, form);
    yield* checkLabels(draft, name, form);
  }
  const setters = new Map<string, string>();
  for (const axis of draft.axes) {
    if (axis.kind !== 'values') continue;
    const field = `/${axis.at.join('/')}`;
    const other = setters.get(field);
    setters.set(field, axis.name);
    if (other !== undefined) {
      const message = `the axes ${other} and ${axis.name} both set ${field}`;
      yield probeProblem(draft, ['vary', axis.name], message, 'join them', { part: 'key' });
    }
    // The pointer must lead to a place that some request has or can get.
    if (axis.at.length < 2 || draft.requests.some(({ request }) => isReachable(request, axis.at))) continue;
    const hint = 'an axis cannot add items to a list: name one that the request has; indexes count from 0';
    yield probeProblem(draft, ['vary', axis.name, 'at'], `${field} leads nowhere in the request`, hint);
  }
  for (const [field, axis] of [
    ['enforce', 'channel'],
    ['load', 'load'],
  ] as const) {
    if (draft.written[field] === undefined || !Object.hasOwn(vary, axis)) continue;
    const message = `${field} adds an axis called ${axis}`;
    yield probeProblem(draft, ['vary', axis], message, 'rename this axis', { part: 'key' });
  }
  yield* checkPoints(draft);
}

type PointsForm = Extract<AxisForm, { kind: 'values' }>;

function* checkForm(draft: ProbeDraft, name: string, { at, points }: PointsForm): Generator<Problem> {
  // `{ at }` without `points` is a mistake, not an axis with a label called "at".
  const keyword = ['settings', 'at', 'points'].find((key) => at === null && isObject(points) && key in points);
  if (keyword !== undefined) {
    const hint = 'write { settings: NAME }, or { at: /pointer, points: { label: value } }, with nothing beside it';
    yield probeProblem(draft, ['vary', name, keyword], `"${keyword}" cannot be a label`, hint, { part: 'key' });
  }
  if (fieldSteps(at, name) === null) {
    const message = `${writtenJson(at)} is not a JSON Pointer to a field of the body`;
    yield probeProblem(draft, ['vary', name, 'at'], message, 'write /field, or /field/inner for a field inside');
  }
}

function* checkLabels(draft: ProbeDraft, name: string, { points, below }: PointsForm): Generator<Problem> {
  const seen = new Set<string>();
  for (const { step, label } of pointsIn(points)) {
    const path = ['vary', name, ...below, step];
    if (!isLabel(label)) {
      const message = `${writtenJson(label.slice(0, 80))} is not a label`;
      const hint = 'a label has 1 to 64 letters, digits, dots, underscores, plus signs or hyphens';
      yield probeProblem(draft, path, message, hint, { part: typeof step === 'string' ? 'key' : 'value' });
    } else if (seen.has(label)) {
      yield probeProblem(draft, path, `the axis ${name} has the label ${label} twice`, 'labels are compared as text');
    } else {
      seen.add(label);
    }
  }
}

function* checkPoints(draft: ProbeDraft): Generator<Problem> {
  const { exclude = [], include = [], when = [] } = draft.written;
  const named: readonly (readonly [Path, PointFile])[] = [
    ...exclude.map((point, index) => [['exclude', index], point] as const),
    ...include.map((point, index) => [['include', index], point] as const),
    ...when.map(({ point }, index) => [['when', index, 'point'], point] as const),
  ];
  for (const [path, point] of named) {
    for (const [axis, label] of Object.entries(pointOf(point))) {
      const labels = draft.labels.get(axis);
      if (labels === undefined) {
        const hint = didYouMean(axis, draft.labels.keys(), 'axes of this probe') ?? 'this probe varies nothing';
        yield probeProblem(draft, [...path, axis], `there is no axis "${axis}"`, hint, { part: 'key' });
      } else if (labels?.has(label) === false) {
        const hint = didYouMean(label, labels, 'labels');
        yield probeProblem(draft, [...path, axis], `the axis ${axis} has no label "${label}"`, hint);
      }
    }
  }
}

/** Whether a request has a place, or can get it: objects that are missing are created. */
export function isReachable(request: JsonObject, steps: readonly string[]): boolean {
  return steps.every((step, index) => {
    const holder = at(request, steps.slice(0, index));
    if (Array.isArray(holder)) return /^\d+$/.test(step) && Number(step) < holder.length;
    return holder === undefined || isObject(holder);
  });
}
