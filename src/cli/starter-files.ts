import { readFile } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import { configOption, shellWord } from '../report/words/shell-word.js';

const starter = new URL('../../fixtures/starter/', import.meta.url);

/** Where the config of a new project stands, as seen from the folder in which its commands are typed. */
interface ConfigPlace {
  /** Its folder, beside which runs and suites stand; `.` for the folder of the commands. */
  readonly folder: string;
  /** What every command needs in order to find it; empty for the usual one. */
  readonly option: string;
}

/** What `init` writes, in this order, and what to type next. Each file fits the place of the config. */
export async function starterFiles(cwd: string, named: string) {
  const config = relative(cwd, resolve(cwd, named)).split(sep).join('/');
  const place = { folder: posix.dirname(config), option: configOption(config) };
  const suites = posix.join(place.folder, 'suites');
  const files = await Promise.all(
    Object.entries({
      'chatspec.yaml': config,
      'suite.yaml': posix.join(suites, 'first.yaml'),
      'workflow.yml': '.github/workflows/chatspec.yml',
      gitignore: '.gitignore',
    }).map(async ([name, path]) => {
      const text = await readFile(new URL(name, starter), 'utf8');
      // The comment from which editors know the schema names it relative to its file.
      const up = posix.relative(posix.dirname(path), '.') || '.';
      const fits = name === 'gitignore' ? text : fitted(text, place);
      return { path, text: fits.replace(/\$schema=\S*?(?=node_modules\/)/, () => `$schema=${up}/`) };
    }),
  );
  return { files, next: nextSteps(place) };
}

/** Commands and paths that name the config and the runs beside it. A path that begins a line stands in no shell. */
function fitted(text: string, { folder, option }: ConfigPlace): string {
  const reports = posix.join(folder, 'reports');
  const inShell = folder === '.' ? reports : `${shellWord(folder)}/reports`;
  return text
    .replace(/(?<=^ *(?:path: )?)reports(?=\/|$)/gm, () => reports)
    .replace(/(?<=\S )(?<!path: )reports(?=\/)/g, () => inShell)
    .replace(/(?:npx --no chatspec \w+|\bchatspec (?:run|baseline accept))\b/g, (command) => `${command}${option}`);
}

/** What to type next, each command with what it does. */
function nextSteps({ folder, option }: ConfigPlace): string {
  const latest = shellWord(posix.join(folder, 'reports/latest'));
  const steps: readonly (readonly [meaning: string, command: string])[] = [
    ['the matrix of the embedded service', 'run --tags smoke'],
    ['once base_url, api_key_env and models in the config are your own', 'doctor'],
    ['what the workflow asks every night', 'run --tags nightly'],
    ["expect today's results from now on", `baseline accept ${latest}`],
  ];
  const lines = steps.map(([meaning, command]) => `  npx --no chatspec ${command}${option}\n      ${meaning}\n`);
  return `\nNext:\n${lines.join('')}`;
}
