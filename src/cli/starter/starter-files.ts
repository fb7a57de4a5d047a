import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { shellWord } from '../../report/words/shell-word.js';
import type { ConfigPlace } from './config-place.js';

const starter = new URL('../../../fixtures/starter/', import.meta.url);

export const workflowFile = '.github/workflows/chatspec.yml';

/** A file of a new project. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
}

/** What is written, in this order. Each file fits the place of the config, whose runs and suites stand beside it. */
export async function starterFiles(place: ConfigPlace): Promise<readonly StarterFile[]> {
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
  return text.replace(/\$schema=\S*?(?=node_modules\/)/, () => {
    const up = posix.relative(folder, '.');
    return `$schema=${up === '' ? './' : `${up}/`}`;
  });
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
