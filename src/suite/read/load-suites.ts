import { type Problem, hasErrors } from '../../files/problems/problem.js';
import { aListOf } from '../../options/arguments.js';
import { checkOptions, type OptionTable } from '../../options/check-options.js';
import { checkFirst } from '../../options/first-argument.js';
import { aFlag, aSet } from '../../options/kinds.js';
import { acrossSuites } from '../checks/across-suites.js';
import type { Origins, ProbeOrigin } from '../checks/probe-draft.js';
import type { Probe, Suite } from '../probe.js';
import { findSuiteFiles, type SuiteEntry } from './find-suite-files.js';
import { readSuite, type ReadSuite } from './read-suite.js';

export interface LoadOptions {
  /** Names that the `vars` of some configured model define. */
  readonly modelVars?: ReadonlySet<string> | undefined;
  /** Also checks the built-in suites that the tests of the package have checked. Default: false. */
  readonly recheck?: boolean;
}

const optionTable: OptionTable<LoadOptions> = { modelVars: aSet, recheck: aFlag };

interface LoadedSuites {
  /** Those whose file has the shape of a suite, even if it has errors. */
  readonly suites: readonly Suite[];
  readonly problems: readonly Problem[];
  /** Where each probe was written. */
  readonly origins: Origins;
}

/**
 * Reads the suites that the entries name, relative to the folder: `builtin:NAME`, paths, and patterns with `*`, `**`
 * and `?`. Every problem has its place. Never throws because of what the user wrote.
 */
export async function loadSuites(
  entries: readonly SuiteEntry[],
  baseFolder: string,
  options: LoadOptions = {},
): Promise<LoadedSuites> {
  checkFirst('loadSuites', entries, aListOf('suites of a config'));
  checkOptions('`loadSuites`', options, optionTable);
  const { files, problems } = await findSuiteFiles(entries, baseFolder);
  if (files.length === 0) return { suites: [], problems, origins: new Map() };
  const modelVars = options.modelVars ?? null;
  const { recheck = false } = options;
  const context = { baseFolder, modelVars, files: new Map(), sampleFiles: new Map(), recheck };
  const read: ReadSuite[] = [];
  const origins = new Map<Probe, ProbeOrigin>();
  for (const file of files) {
    const one = await readSuite(file, context);
    problems.push(...one.problems);
    if (one.read !== null) read.push(one.read);
    for (const [probe, origin] of one.origins ?? []) origins.set(probe, origin);
  }
  const complete = read.length === files.length && !hasErrors(problems);
  problems.push(...acrossSuites(read, complete));
  return { suites: read.map(({ suite }) => suite), problems: distinct(problems), origins };
}

/** An error in something that several probes share (defaults, a schema file) is reported once. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify([problem.place, problem.message]), problem])).values()];
}
