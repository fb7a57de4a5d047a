/** One label of each axis. */
export type Point = Readonly<Record<string, string>>;

/** `SUITE/PROBE[axis=label,...]@TARGET/MODEL`, with the axes in the given order; without axes there are no brackets. */
export function cellKey(probe: string, point: readonly (readonly [string, string])[], model: string): string {
  const labels = point.map(([axis, label]) => `${axis}=${label}`).join(',');
  return `${probe}${labels === '' ? '' : `[${labels}]`}@${model}`;
}

/** The key without its model. */
export function withoutModel(key: string): string {
  return splitAtModel(key).head;
}

/** The head of a key or pattern without its `[...]`. */
export function withoutPoint(head: string): string {
  const bracket = head.indexOf('[');
  return bracket === -1 ? head : head.slice(0, bracket);
}

/**
 * Splits a key, or a pattern over keys, at the `@` before its model; `model` is null for a pattern without one. Model
 * ids may contain `@`, but the names of suites, probes and labels may not, so the first `@` is the separator.
 */
export function splitAtModel(key: string): { readonly head: string; readonly model: string | null } {
  const divide = key.indexOf('@');
  return divide === -1 ? { head: key, model: null } : { head: key.slice(0, divide), model: key.slice(divide + 1) };
}

/** The key without its point: all points of one probe for one model share it. */
export function probeKeyOf({
  probe,
  model,
}: {
  readonly probe: { readonly suite: string; readonly name: string };
  readonly model: { readonly key: string };
}): string {
  return cellKey(`${probe.suite}/${probe.name}`, [], model.key);
}

interface CellKeyParts {
  readonly suite: string;
  readonly probe: string;
  readonly point: Point;
  readonly target: string;
  /** The model's id, which may contain slashes and other punctuation. */
  readonly model: string;
}

const form = /^([^/[@]+)\/([^/[@]+)(?:\[([^\]]*)\])?@([^/]+)\/(.+)$/s;

/** The parts of a cell key; null for a text that is not one. */
export function parseCellKey(key: string): CellKeyParts | null {
  const [whole, suite, probe, labels, target, model] = form.exec(key) ?? [];
  if (whole === undefined || suite === undefined || probe === undefined) return null;
  if (target === undefined || model === undefined) return null;
  const pairs = (labels === undefined ? [] : labels.split(',')).map((pair): [string, string] => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
  return { suite, probe, point: Object.fromEntries(pairs), target, model };
}
