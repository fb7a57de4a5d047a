/** What to do about a folder that is none of a run. */
export const nameRunFolder = 'name a run folder; by default, runs are written to reports/runs, next to chatspec.yaml';
