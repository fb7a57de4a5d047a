/** The files of a run folder, by name. */
export const runFiles = [
  'capabilities.json',
  'ctrf.json',
  'failures.jsonl',
  'index.html',
  'journal.jsonl',
  'junit.xml',
  'openmetrics.txt',
  'report.json',
  'report.md',
  'summary.json',
];
