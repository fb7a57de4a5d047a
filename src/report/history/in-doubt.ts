import type { RunSummary } from './run-summary.js';

/** What the word means under a table of runs. */
export const doubtMeans =
  'more answers of the model failed than chance explains, although that was no alarm yet; the next run tells whether it was a bad hour';

export function isInDoubt({ models }: RunSummary, model: string): boolean {
  return Object.hasOwn(models, model) && models[model]?.in_doubt === true;
}

/** Models of which the run left open whether they still do what they did, in the order of the summary. */
export function inDoubt({ models }: RunSummary): readonly string[] {
  return Object.keys(models).filter((model) => models[model]?.in_doubt === true);
}
