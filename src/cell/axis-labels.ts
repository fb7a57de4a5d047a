import type { Point } from './cell-key.js';

/** `{{axis}}`; names hold no braces and no blanks. */
const named = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** The axes that a title or a capability names as `{{axis}}`, in their order. */
export const axesNamedIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(named), ([, axis = '']) => axis);

/** A title or a capability with the label of each axis in place of `{{axis}}`. A name without a label stays. */
export const withLabels = (text: string, labels: Point): string =>
  text.replace(named, (written, axis: string) => (Object.hasOwn(labels, axis) ? (labels[axis] ?? written) : written));
