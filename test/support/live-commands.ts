/** How machines that read the output of a build recognise a command in a line. */
const readers: Readonly<Record<string, (line: string) => boolean>> = {
  // The runner of GitHub, by its own two parsers.
  'GitHub, at the beginning': (line) => /^\s*::[a-z].*::/i.test(line),
  'GitHub, after a space, where a narrower terminal would wrap': (line) => /(?:^|\s)::[a-z]/i.test(line),
  'GitHub, anywhere': (line) => /##\[[^\]]*\]/.test(line),
  Azure: (line) => line.includes('##vso['),
  TeamCity: (line) => line.includes('##teamcity['),
  GitLab: (line) => /section_(?:start|end):\d/.test(line),
  Travis: (line) => /travis_(?:fold|time):/.test(line),
};

/**
 * Every line that a build machine would act on, with the machine. Colours are ignored, and every kind of line break
 * counts.
 */
export function liveCommands(output: string): readonly string[] {
  const lines = output.replace(/\u001b\[[\d;]*m/g, '').split(/\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/);
  return lines.flatMap((line) =>
    Object.entries(readers).flatMap(([name, acts]) => (acts(line) ? [`${name}: ${line.slice(0, 200)}`] : [])),
  );
}
