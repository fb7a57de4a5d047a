import type { Path } from '../../files/source.js';
import type { ProbeSource } from '../read/probe-source.js';
import { axisForm, pointsIn } from '../read/read-axes.js';

/** Where the file has the value of a label: directly under the axis, or under its `points`. */
export function pointPath({ path, written }: Pick<ProbeSource, 'path' | 'written'>, axis: string, label: string): Path {
  const form = axisForm(written.vary?.[axis] ?? []);
  if (form.kind === 'settings') return [...path, 'vary', axis];
  const step = [...pointsIn(form.points)].find((point) => point.label === label)?.step ?? label;
  return [...path, 'vary', axis, ...form.below, step];
}
