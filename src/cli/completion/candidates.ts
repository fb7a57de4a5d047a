import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Project } from '../../assemble/project.js';
import { fileFormats, reportFormats } from '../../report/report-formats.js';
import { readReport } from '../../report/run-folder.js';
import { actions, diffFormats, failOnWords, mapForms, profiles, shapesFailOn } from '../options/closed-lists.js';
import { projectFile } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';
import type { Verb } from '../verb.js';
import { shells } from './scripts.js';
import type { Typed } from './typed-words.js';

/** What may stand at the cursor. */
export interface Candidates {
  readonly words: readonly Candidate[];
  /** The shell completes names of files, if none of the words fits. */
  readonly files: boolean;
}

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

const none: Candidates = { words: [], files: false };
const files: Candidates = { words: [], files: true };

/** Completes a command line. Never throws: a config that cannot be read only gives no names. */
export async function candidatesFor({ before, word }: Typed, verbs: readonly Verb[], io: Io): Promise<Candidates> {
  const [name, ...rest] = before;
  if (name === undefined)
    return startingWith(
      word,
      verbs.map(({ usage, summary }) => candidate(nameOf(usage), summary)),
    );
  const verb = verbs.find(({ usage }) => nameOf(usage) === name);
  if (verb === undefined) return none;
  const flags = verb.options.map(([text, about]) => ({ flag: text.split(' ')[0] ?? '', takes: valueIn(text), about }));
  const joined = /^(--[a-z-]+)=([^]*)$/.exec(word);
  const asked = joined?.[1] ?? rest.at(-1) ?? '';
  const option = flags.find(({ flag, takes }) => flag === asked && takes !== null);
  if (option !== undefined && !(option.takes?.startsWith('[') === true && joined === null && word.startsWith('-'))) {
    const found = await ofValue(name, option.flag, joined?.[2] ?? word, rest, io).catch(() => none);
    const prefix = joined === null ? '' : `${asked}=`;
    return { ...found, words: found.words.map((one) => ({ ...one, word: `${prefix}${one.word}` })) };
  }
  if (word.startsWith('-')) {
    return startingWith(word, [
      ...flags.map(({ flag, about }) => candidate(flag, about)),
      candidate('--help', 'what the verb takes'),
    ]);
  }
  return ofArgument(verb, argumentsIn(rest, flags), word, io).catch(() => none);
}

/** What stands behind a flag: `<FILE>`, `[RUN]`; null: nothing. */
function valueIn(flags: string): string | null {
  return /[<[].*$/.exec(flags)?.[0] ?? null;
}

function argumentsIn(
  words: readonly string[],
  flags: readonly { readonly flag: string; readonly takes: string | null }[],
): readonly string[] {
  return words.filter((word, index) => {
    const owner = flags.find(({ flag }) => flag === words[index - 1]);
    return !word.startsWith('-') && (owner === undefined || owner.takes === null);
  });
}

const allFormats = Object.values(reportFormats);
const isActing = (verb: string): verb is keyof typeof actions => Object.hasOwn(actions, verb);

const enumerated: Readonly<Record<string, readonly string[]>> = {
  '--profile': profiles,
  '--base-url': ['simulator', 'https://'],
};
const ofFiles: ReadonlySet<string> = new Set(['--config', '--schema', '--out', '--history', '--site', '--prompt']);

async function ofValue(verb: string, flag: string, word: string, rest: readonly string[], io: Io): Promise<Candidates> {
  if (ofFiles.has(flag)) return files;
  const words = flag === '--fail-on' ? (verb === 'shapes' ? shapesFailOn : failOnWords) : enumerated[flag];
  if (words !== undefined) return startingWith(word, plain(words));
  if (flag === '--format') {
    if (verb === 'diff') return startingWith(word, plain(diffFormats));
    return inList(
      word,
      verb === 'capabilities' ? mapForms : (verb === 'report' ? allFormats : fileFormats).map(({ name }) => name),
    );
  }
  if (flag === '--last-failed') return runsIn(word, io);
  const project = await projectOf(rest, io);
  if (project === null) return none;
  const { config, suites } = project;
  const models = config.targets.flatMap((target) => target.models);
  switch (flag) {
    case '--models':
      return inList(word, [...models.map(({ key }) => key), ...models.map(({ id }) => id)]);
    case '--model':
      return startingWith(word, plain([...models.map(({ key }) => key), ...models.map(({ id }) => id)]));
    case '--target':
    case '--targets':
      return startingWith(word, plain(config.targets.map(({ name }) => name)));
    case '--suites':
      return inList(
        word,
        suites.map(({ name }) => name),
      );
    case '--tags':
      return inList(word, [...new Set(suites.flatMap(({ probes }) => probes.flatMap(({ tags }) => tags)))].sort());
    case '--only':
    case '--skip':
      return startingWith(
        word,
        plain(suites.flatMap(({ probes }) => probes.map(({ suite, name }) => `${suite}/${name}`))),
      );
    default:
      return none;
  }
}

async function ofArgument({ usage }: Verb, given: readonly string[], word: string, io: Io): Promise<Candidates> {
  const name = nameOf(usage);
  if (isActing(name) && given.length === 0) return startingWith(word, plain(actions[name]));
  if (name === 'completion') return given.length === 0 ? startingWith(word, plain(shells)) : none;
  if (name === 'evidence' && given.length === 1) {
    const report = await readReport(resolve(io.cwd, given[0] ?? ''));
    return startingWith(word, plain(report.cells.map(({ key }) => key)));
  }
  const takes = [...usage.matchAll(/[<[][^>\]]+[>\]]/g)].map(([argument]) => argument);
  const more = takes.at(-1)?.includes('...') === true || given.length < takes.length;
  return more ? runsIn(word, io) : none;
}

/** The folders of runs in their usual place; else the shell completes files. */
async function runsIn(word: string, io: Io): Promise<Candidates> {
  const stamps = await readdir(resolve(io.cwd, 'reports/runs')).catch(() => []);
  const usual =
    stamps.length === 0
      ? []
      : [
          'reports/latest',
          ...stamps
            .sort()
            .reverse()
            .map((stamp) => `reports/runs/${stamp}`),
        ];
  return { ...startingWith(word, plain(usual)), files: true };
}

async function projectOf(rest: readonly string[], io: Io): Promise<Project | null> {
  const { readProject } = await import('../../assemble/project.js');
  const at = rest.lastIndexOf('--config');
  const config =
    rest.findLast((one) => one.startsWith('--config='))?.slice('--config='.length) ??
    (at < 0 ? undefined : rest[at + 1]);
  const [file, options] = projectFile(config === undefined ? {} : { config }, io);
  return (await readProject(file, { ...options, envFolder: options.envFolder ?? dirname(file) })).project;
}

/** The last item of a list with commas. */
function inList(word: string, names: readonly string[]): Candidates {
  const head = word.slice(0, word.lastIndexOf(',') + 1);
  const taken = new Set(head.split(','));
  return startingWith(word, plain(names.filter((name) => !taken.has(name)).map((name) => `${head}${name}`)));
}

function startingWith(word: string, all: readonly Candidate[]): Candidates {
  return { words: all.filter((one) => one.word.startsWith(word)), files: false };
}

function plain(words: readonly string[]): readonly Candidate[] {
  return [...new Set(words)].map((word) => candidate(word, ''));
}

function candidate(word: string, about: string): Candidate {
  return { word, about };
}

function nameOf(usage: string): string {
  return usage.split(' ')[0] ?? '';
}
