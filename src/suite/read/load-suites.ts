import type { Problem } from '../../files/problems/problem.js';
import { hasErrors } from '../../files/problems/problem-at.js';
import { nameProblems } from '../checks/check-names.js';
import { needProblems } from '../checks/check-needs.js';
import { loadChecks } from '../checks/compiled-checks.js';
import { findSuiteFiles, type SuiteEntry } from './find-suite-files.js';
import type { Suite } from '../probe.js';
import { readSuite, type ReadSuite } from './read-suite.js';

export interface LoadOptions {
  /** Names that the `vars` of some configured model define. */
  readonly modelVars?: ReadonlySet<string> | undefined;
}

export interface LoadedSuites {
  /** Those whose file has the shape of a suite, errors or not. */
  readonly suites: readonly Suite[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the suites that the entries name, relative to the folder: `builtin:NAME`, paths, and patterns with `*`, `**`
 * and `?`. Every error has its place; never throws for what the user wrote.
 */
export async function loadSuites(
  entries: readonly SuiteEntry[],
  baseFolder: string,
  options: LoadOptions = {},
): Promise<LoadedSuites> {
  const { files, problems } = await findSuiteFiles(entries, baseFolder);
  if (files.length === 0) return { suites: [], problems };
  const context = {
    baseFolder,
    modelVars: options.modelVars ?? new Set<string>(),
    modelVarsKnown: options.modelVars !== undefined,
    checks: await loadChecks(),
    files: new Map(),
    samples: new Map(),
  };
  const suites: ReadSuite[] = [];
  for (const file of files) {
    const { read, problems: found } = await readSuite(file, context);
    problems.push(...found);
    if (read !== null) suites.push(read);
  }
  const complete = suites.length === files.length && !hasErrors(problems);
  problems.push(...nameProblems(suites), ...needProblems(suites, complete));
  return { suites: suites.map(({ suite }) => suite), problems: distinct(problems) };
}

/** What several probes share (defaults, a schema file) is wrong once. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify([problem.place, problem.message]), problem])).values()];
}
