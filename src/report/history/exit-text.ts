/**
 * What each exit code of a run means, for people who read a list of runs. What a run failed on is not told from its code:
 * `--fail-on` may have been given.
 */
export const exitTexts: Readonly<Record<0 | 1 | 3 | 130, string>> = {
  0: 'passed',
  1: 'failed',
  3: 'too little was measured',
  130: 'interrupted',
};
