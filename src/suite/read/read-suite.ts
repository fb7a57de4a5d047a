import type { Problem } from '../../files/problems/problem.js';
import { hasErrors, problemAt } from '../../files/problems/problem-at.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import { checkAgainst } from '../../files/shipped-schema.js';
import type { Path, Source } from '../../files/source.js';
import type { ExpressionCheck } from '../checks/check-rules.js';
import type { Checks } from '../checks/compiled-checks.js';
import type { SuiteFileName } from './find-suite-files.js';
import type { Behaviour, Probe, Suite } from '../probe.js';
import { projectFolderOf } from './project-folder.js';
import { readProbe } from './read-probe.js';
import { readRefFiles, type FileCache } from '../references/ref-files.js';
import { resolveRefs } from '../references/resolve-refs.js';
import type { SampleCache } from './read-samples.js';
import type { SuiteFile } from '../suite-file.js';
import { behaviourFunctions } from '../checks/unknown-function.js';

/** What the suites of one run share. */
export interface SuiteContext {
  readonly baseFolder: string;
  readonly modelVars: ReadonlySet<string>;
  readonly modelVarsKnown: boolean;
  readonly checks: Checks;
  readonly files: FileCache;
  readonly samples: SampleCache;
}

/** A suite as read, with where its names stand: other suites must not use them again. */
export interface ReadSuite {
  readonly suite: Suite;
  readonly source: Source;
}

/** Reads one suite file; `read` is null when it has not the shape of a suite. */
export async function readSuite(
  { file, builtin }: SuiteFileName,
  context: SuiteContext,
): Promise<{ read: ReadSuite | null; problems: readonly Problem[] }> {
  const yaml = await readYaml(file);
  if (hasErrors(yaml.problems)) return { read: null, problems: yaml.problems };
  const project = await projectFolderOf(file, context.baseFolder);
  const { files, problems: unread } = await readRefFiles(yaml, project, context.files);
  const { source, problems: unresolved } = resolveRefs(yaml, files);
  const refProblems = [...unread, ...unresolved];
  // What a lost $ref leaves behind would fail everywhere; the $ref is the one thing to mend.
  if (refProblems.length > 0) return { read: null, problems: refProblems };
  const misfits = await checkAgainst('suite', source);
  if (misfits.length > 0) return { read: null, problems: misfits };
  const data = source.data as unknown as SuiteFile;
  const { probes, problems } = await readProbes(source, data, project, builtin, context);
  const behaviours = (data.behaviours ?? []).map((written, index): Behaviour => {
    const { place } = source.spotOf(['behaviours', index, 'id']);
    return { ...written, unless: written.unless ?? null, place };
  });
  const suite = { name: data.suite, title: data.title ?? data.suite, file, probes, behaviours };
  return {
    read: { suite, source },
    problems: [...problems, ...behaviourProblems(source, data, context.checks.expression)],
  };
}

async function readProbes(
  source: Source,
  data: SuiteFile,
  project: string,
  builtin: boolean,
  { modelVars, modelVarsKnown, checks, samples }: SuiteContext,
): Promise<{ probes: Probe[]; problems: Problem[] }> {
  const shared = {
    project,
    defaults: data.defaults?.request,
    vars: data.vars ?? {},
    modelVars,
    modelVarsKnown,
    builtin,
    checks,
    samples,
  };
  const probes: Probe[] = [];
  const problems: Problem[] = [];
  for (const [name, written] of Object.entries(data.probes ?? {})) {
    const read = await readProbe({ source, path: ['probes', name], suite: data.suite, name, written }, shared);
    probes.push(read.probe);
    problems.push(...read.problems);
  }
  return { probes, problems };
}

function* behaviourProblems(
  source: Source,
  { behaviours = [] }: SuiteFile,
  fault: ExpressionCheck,
): Generator<Problem> {
  for (const [index, behaviour] of behaviours.entries()) {
    for (const part of ['when', 'unless'] as const) {
      const wrong = behaviour[part] === undefined ? null : fault(behaviour[part], behaviourFunctions);
      const path: Path = ['behaviours', index, part];
      if (wrong !== null)
        yield problemAt(source, path, `${part} of "${behaviour.id}" is no JSONata: ${wrong}`, 'see docs/behaviours.md');
    }
  }
}
