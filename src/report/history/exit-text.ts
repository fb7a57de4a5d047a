/** What each exit code of a run means, for people who read a list of runs. */
export const exitTexts: Readonly<Record<0 | 1 | 3 | 130, string>> = {
  0: 'as expected',
  1: 'deviations',
  3: 'too little was measured',
  130: 'interrupted',
};
