import { readFile } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import { configOption, shellWord } from '../report/words/shell-word.js';

const starter = new URL('../../fixtures/starter/', import.meta.url);

export const workflowFile = '.github/workflows/chatspec.yml';

/** Where the config of a new project stands, as seen from the folder in which its commands are typed. */
export interface ConfigPlace {
  /** As a command names it, with slashes. */
  readonly file: string;
  /** Its folder, beside which runs and suites stand; `.` for the folder of the commands. */
  readonly folder: string;
  /** What every command needs in order to find it; empty for the usual one. */
  readonly option: string;
}

export function configPlace(cwd: string, named: string): ConfigPlace {
  const file = relative(cwd, resolve(cwd, named)).split(sep).join('/');
  return { file, folder: posix.dirname(file), option: configOption(file) };
}

/** What `init` writes, in this order. Each file fits the place of the config, whose runs and suites stand beside it. */
export async function starterFiles(
  place: ConfigPlace,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const suites = posix.join(place.folder, 'suites');
  const texts = ['chatspec.yaml', 'suite.yaml', 'workflow.yml', 'gitignore'].map((name) =>
    readFile(new URL(name, starter), 'utf8'),
  );
  const [config = '', suite = '', workflow = '', gitignore = ''] = await Promise.all(texts);
  return [
    { path: place.file, text: withSchemaFrom(place.folder, fitted(config, place)) },
    { path: posix.join(suites, 'first.yaml'), text: withSchemaFrom(suites, suite) },
    { path: workflowFile, text: place.option === '' ? workflow : await fittedWorkflow(workflow, place) },
    { path: '.gitignore', text: gitignore },
  ];
}

/** The comment from which editors know the schema names it relative to its file. */
function withSchemaFrom(folder: string, text: string): string {
  const up = posix.relative(folder, '.');
  return text.replace(/\$schema=\S*?(?=node_modules\/)/, () => `$schema=${up === '' ? './' : `${up}/`}`);
}

/** Every command of a workflow, and every path to what a run writes. The rest stays as it is, comments included. */
async function fittedWorkflow(text: string, place: ConfigPlace): Promise<string> {
  // Quotes what a folder's name needs in YAML; nobody else needs the library here.
  const { parseDocument, visit, isScalar } = await import('yaml');
  const document = parseDocument(text);
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar<string>(value)) return;
      if (key.value === 'run') value.value = fitted(value.value, place);
      if (key.value === 'path') value.value = value.value.replace(reports, posix.join(place.folder, 'reports'));
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** The folder of the runs where a word or a line begins with it. */
const reports = /(?<![\w./-])reports(?=\/|$)/gm;

/** Commands of a shell that name the config and the runs beside it. */
function fitted(commands: string, { folder, option }: ConfigPlace): string {
  const word = folder === '.' ? 'reports' : `${shellWord(folder)}/reports`;
  return commands
    .replace(reports, () => word)
    .replace(/(?:npx --no chatspec \w+|\bchatspec (?:run|baseline accept))\b/g, (command) => `${command}${option}`);
}

/** What to type next, each command with what it does. */
export function nextSteps({ folder, option }: ConfigPlace): string {
  const latest = shellWord(posix.join(folder, 'reports/latest'));
  const typed = (command: string): string => `npx --no chatspec ${command}${option}`;
  const steps: readonly (readonly [meaning: string, command: string])[] = [
    ['the matrix of the embedded service', typed('run --tags smoke')],
    ['once base_url, api_key_env and models in the config are your own', typed('doctor')],
    ['what the workflow asks every night', typed('run --tags nightly')],
    ["expect today's results from now on", typed(`baseline accept ${latest}`)],
  ];
  return `\nNext:\n${steps.map(([meaning, command]) => `  ${command}\n      ${meaning}\n`).join('')}`;
}
