import type { Problem } from '../../../files/problems/problem.js';
import { isObject } from '../../../json/json.js';
import { probeProblem } from '../../read/probe-source.js';
import { axisForm, fieldSteps, isLabel, pointsIn, type AxisForm } from '../../read/read-axes.js';
import type { ProbeDraft } from '../probe-draft.js';

/** Axes must have one of the documented forms, with valid labels, and no two may set the same field. */
export function* checkAxes(draft: ProbeDraft): Generator<Problem> {
  for (const [name, written] of Object.entries(draft.written.vary ?? {})) {
    const form = axisForm(written);
    if (form.kind === 'settings') continue;
    yield* checkForm(draft, name, form);
    yield* checkLabels(draft, name, form);
  }
  yield* checkFields(draft);
}

type PointsForm = Extract<AxisForm, { kind: 'values' }>;

function* checkForm(draft: ProbeDraft, name: string, { at, points }: PointsForm): Generator<Problem> {
  // `{ at }` without `points` is a mistake, not an axis with a label called "at".
  const keyword =
    at === null && isObject(points)
      ? ['settings', 'at', 'points'].find((key) => Object.hasOwn(points, key))
      : undefined;
  if (keyword !== undefined) {
    const hint = 'write { settings: NAME }, or { at: /pointer, points: { label: value } }, with nothing beside it';
    yield probeProblem(draft, ['vary', name, keyword], `"${keyword}" cannot be a label`, hint, { part: 'key' });
  }
  if (fieldSteps(at, name) === null) {
    const message = `${JSON.stringify(at)} is not a JSON Pointer to a field of the body`;
    yield probeProblem(draft, ['vary', name, 'at'], message, 'write /field, or /field/inner for a field inside');
  }
}

function* checkLabels(draft: ProbeDraft, name: string, { points, below }: PointsForm): Generator<Problem> {
  const seen = new Set<string>();
  for (const { step, label } of pointsIn(points)) {
    const path = ['vary', name, ...below, step];
    if (!isLabel(label)) {
      const message = `${JSON.stringify(label.slice(0, 80))} is not a label`;
      const hint = 'a label has 1 to 64 letters, digits, dots, underscores, plus signs or hyphens';
      yield probeProblem(draft, path, message, hint, { part: typeof step === 'string' ? 'key' : 'value' });
    } else if (seen.has(label)) {
      yield probeProblem(draft, path, `the axis ${name} has the label ${label} twice`, 'labels are compared as text');
    } else seen.add(label);
  }
}

/** Of two axes that set the same field, one would have no effect. */
function* checkFields(draft: ProbeDraft): Generator<Problem> {
  const setters = new Map<string, string>();
  for (const axis of draft.axes) {
    if (axis.kind !== 'values') continue;
    const field = `/${axis.at.join('/')}`;
    const other = setters.get(field);
    setters.set(field, axis.name);
    if (other === undefined) continue;
    const message = `the axes ${other} and ${axis.name} both set ${field}`;
    yield probeProblem(draft, ['vary', axis.name], message, 'join them', { part: 'key' });
  }
}
