/** Which way a ratio gets better. Only ratios are tracked: the same machine measures both sides, so machines can be compared. */
export type Better = 'higher is better' | 'lower is better';

export interface Ratio {
  readonly ratio: number;
  readonly better: Better;
}

const measured = new Map<string, Ratio>();

/**
 * Registers a ratio that `npm run bench -- --check` holds to bench/ratios.json. Its name begins with the bench that
 * measures it: `judge/plain answers`. Throws for a ratio that is no positive number, and for a name that is taken.
 */
export function track(name: string, ratio: number, better: Better): void {
  if (!name.includes('/')) throw new Error(`"${name}" does not begin with its bench: expected BENCH/WHAT`);
  if (!(ratio > 0 && ratio < Infinity)) throw new Error(`the ratio "${name}" is ${ratio}, not a positive number`);
  if (measured.has(name)) throw new Error(`the ratio "${name}" is tracked twice`);
  measured.set(name, { ratio, better });
}

/** What the benches that ran have registered. */
export const measuredRatios = (): ReadonlyMap<string, Ratio> => measured;

/** The bench that measures a ratio. */
export const benchOf = (name: string): string => name.slice(0, name.indexOf('/'));
