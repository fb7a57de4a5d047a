import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve, posix, relative, sep } from 'node:path';
import { makeFolder, unfitFolder } from '../../files/make-folder.js';
import { userError } from '../../files/problems/problem.js';
import { toolVersion } from '../../assemble/tool-version.js';
import { configOption, shellWord } from '../../report/safe/shell.js';
import { asUnwritableError } from '../../files/write-whole.js';
import { configName, type Options } from '../options/options.js';
import { exitCodes, printData, type Io, displayPath } from '../terminal/io.js';

/** Writes a starter config, suite and workflow. Existing files stay as they are. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const language = clientLanguages.find((name) => options[name] === true) ?? null;
  const config = configName(options);
  const { files, next } = await starterFiles(io.cwd, config, language);
  for (const { path } of files) await checkPlace(resolve(io.cwd, path));
  const created: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const file = resolve(io.cwd, path);
    ((await writeNew(file, text)) ? created : kept).push(displayPath(file, io));
  }
  const lines = [
    ...created.map((file) => `created  ${file}\n`),
    ...kept.map((file) => `kept     ${file}, which already existed\n`),
    ...(kept.includes('.gitignore') ? ['         it must list .env, which holds keys, and reports/\n'] : []),
  ];
  printData(io, options, { created, kept }, () => `${lines.join('')}${created.length > 0 ? next : ''}`);
  return exitCodes.ok;
}

/** Before the first file is written: throws a UserError where one of them cannot be. */
async function checkPlace(file: string): Promise<void> {
  const above = await unfitFolder(dirname(file));
  const found = await stat(file).catch(() => null);
  const isBarred = above?.is === 'a file';
  if (!isBarred && found?.isDirectory() !== true) return;
  const why = isBarred ? `${above.path} is a file` : 'it is a folder';
  throw userError(`cannot write to ${file}: ${why}`, 'move it away, then run init again; nothing was written');
}

/** Returns whether the file was written; an existing file is kept. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code, path } = error as { readonly code?: string; readonly path?: string };
    if (code === 'EEXIST' && path === file) return false;
    // A full disk may have taken half of it.
    await rm(file, { force: true }).catch(() => undefined);
    throw asUnwritableError(error, file);
  }
}

/** Languages of applications that have no package.json, each with a command that could make their requests. */
const clientCommands = { python: 'python app.py', go: 'go run .', java: 'mvn --quiet exec:java' } as const;
type ClientLanguage = keyof typeof clientCommands;
const clientLanguages = Object.keys(clientCommands) as readonly ClientLanguage[];

const starter = new URL('../../../fixtures/starter/', import.meta.url);
const upgradeGate = new URL('../../../.github/workflows/upgrade-gate.yml', import.meta.url);

/** Where the config of a new project stands, as seen from the folder in which its commands are typed. */
interface ConfigPlace {
  /** Folder of the config, beside which runs and suites stand; `.` for the folder of the commands. */
  readonly folder: string;
  /** The option by which every command finds it; empty for the usual one. */
  readonly option: string;
}

/** The files that `init` writes, in this order, and the commands to type next. Each fits the place of the config. */
async function starterFiles(cwd: string, named: string, language: ClientLanguage | null) {
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
      const own = name === 'workflow.yml' && language !== null ? withoutManifest(text) : text;
      const fits = name === 'gitignore' ? text : fittedToPlace(own, place);
      return { path, text: fits.replace(/\$schema=\S*?(?=node_modules\/)/, () => `$schema=${up}/`) };
    }),
  );
  if (language === null) return { files, next: nextCommandsText(place, 'npx --no chatspec') };
  const gate = { path: '.github/workflows/upgrade-gate.yml', text: await readFile(upgradeGate, 'utf8') };
  const variable = `\nThe upgrade gate needs the variable CHATSPEC_CLIENT, such as: ${clientCommands[language]}\n`;
  return { files: [...files, gate], next: nextCommandsText(place, 'chatspec') + variable };
}

/** The nightly workflow of a repository without a package.json: npm fetches chatspec alone. */
function withoutManifest(workflow: string): string {
  return workflow
    .replace(
      /^# and commit a package\.json.*\n#.*? from elsewhere\. /m,
      '# and the variable CHATSPEC_PACKAGE where npm is to fetch another package than chatspec: a version or a tarball.\n# ',
    )
    .replace('cache: npm', () => 'package-manager-cache: false')
    .replace(
      /^( *)- run: npm ci(?: --ignore-scripts)?$/m,
      (_, blanks: string) =>
        `${blanks}- run: npm install --no-save --no-package-lock --ignore-scripts "$PACKAGE"\n` +
        `${blanks}  env:\n${blanks}    PACKAGE: \${{ vars.CHATSPEC_PACKAGE || 'chatspec@${toolVersion()}' }}`,
    );
}

/** Commands and paths that name the config and the runs beside it. A path that begins a line stands in no shell. */
function fittedToPlace(text: string, { folder, option }: ConfigPlace): string {
  const reports = posix.join(folder, 'reports');
  const inShell = folder === '.' ? reports : `${shellWord(folder)}/reports`;
  return text
    .replace(/(?<=^ *(?:path: )?)reports(?=\/|$)/gm, () => reports)
    .replace(/(?<=\S )(?<!path: )reports(?=\/)/g, () => inShell)
    .replace(/(?:npx --no chatspec \w+|\bchatspec (?:run|baseline accept))\b/g, (command) => `${command}${option}`);
}

/** The commands to type next, each with its meaning. Without a package.json, chatspec is no package of the folder. */
function nextCommandsText({ folder, option }: ConfigPlace, tool: 'chatspec' | 'npx --no chatspec'): string {
  const latest = shellWord(posix.join(folder, 'reports/latest'));
  const steps: readonly (readonly [meaning: string, command: string])[] = [
    ['the matrix of the embedded service', 'run --tags smoke'],
    ['once base_url, api_key_env and models in the config are your own', 'doctor'],
    ['what the workflow asks every night', 'run --tags nightly'],
    ["expect today's results from now on", `baseline accept ${latest}`],
  ];
  const lines = steps.map(([meaning, command]) => `  ${tool} ${command}${option}\n      ${meaning}\n`);
  return `\nNext:\n${lines.join('')}`;
}
