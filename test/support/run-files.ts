/** The files that a run writes unless it is told others, by name. */
export const runFiles = [
  'capabilities.json',
  'failures.jsonl',
  'index.html',
  'journal.jsonl',
  'junit.xml',
  'report.json',
  'report.md',
  'summary.json',
];

/** For `--format`: also what is written on request alone. */
export const everyFormat = 'html,md,junit,ctrf,openmetrics,failures,capabilities';
