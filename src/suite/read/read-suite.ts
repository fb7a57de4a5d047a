import { type Problem, hasErrors } from '../../files/problems/problem.js';
import { repaired } from '../../files/repaired.js';
import { shippedSchema } from '../../files/shipped-schema.js';
import type { Source } from '../../files/source.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import type { JsonObject } from '../../json/json.js';
import type { Languages } from '../checks/languages.js';
import { checkDefaults } from '../checks/requests/check-requests.js';
import type { ReadSuite } from '../checks/suites-draft.js';
import type { ProbeOrigin } from '../probe-origin.js';
import type { Behaviour, NeedForm, Probe } from '../probe.js';
import { readRefFiles, type FileCache } from '../references/ref-files.js';
import { resolveRefs } from '../references/resolve-refs.js';
import type { SuiteFile } from '../suite-file.js';
import type { SuiteFileName } from './find-suite-files.js';
import { projectFolderOf } from './project-folder.js';
import { readProbe } from './read-probe.js';
import type { SampleCache } from './read-samples.js';
import { withoutStrays } from './stray-members.js';
import { suiteCut } from './suite-cut.js';

/** Where each probe was written. */
export type Origins = ReadonlyMap<Probe, ProbeOrigin>;

/** What the suites of one run share. */
export interface SuiteContext {
  readonly baseFolder: string;
  /** Names that the `vars` of some configured model define; null without a config. */
  readonly modelVars: ReadonlySet<string> | null;
  readonly languages: Languages;
  readonly files: FileCache;
  readonly sampleFiles: SampleCache;
  /** Checks built-in suites too, as the tests do. */
  readonly recheck: boolean;
}

/** Reads one suite file, as far as it has the shape of one. `read` is null when nothing can be read. */
export async function readSuite(
  { file, builtin }: SuiteFileName,
  context: SuiteContext,
): Promise<{ read: ReadSuite | null; problems: readonly Problem[]; origins?: Origins }> {
  const yaml = readYaml(file);
  if (hasErrors(yaml.problems)) return { read: null, problems: yaml.problems };
  const project = projectFolderOf(file, context.baseFolder);
  const { files, problems: fileProblems } = readRefFiles(yaml, project, context.files);
  const { source: written, problems: unresolved } = resolveRefs(yaml, files);
  const refProblems = [...fileProblems, ...unresolved];
  // A $ref that could not be replaced would cause errors everywhere; only the $ref needs to be fixed.
  if (refProblems.length > 0) return { read: null, problems: refProblems };
  const checked = builtin && !context.recheck;
  const { source, problems: misfits } = checked ? { source: written, problems: [] } : await fitting(written);
  if (source === null) return { read: null, problems: misfits };
  const data = source.data as unknown as SuiteFile;
  const { probes, problems, origins } = readProbes(source, data, { project, builtin, checked }, context);
  const suite = {
    ...{ name: data.suite, title: data.title ?? data.suite, file, probes },
    ...{ behaviours: behavioursOf(source, data), families: data.families ?? [], forms: formsOf(data) },
    evidence: data.evidence ?? [],
  };
  return { read: { suite, source, checked }, problems: [...misfits, ...problems], origins };
}

/** The suite as far as it has the shape of one; null when too little has. */
async function fitting(written: Source): Promise<{ source: Source | null; problems: readonly Problem[] }> {
  const schema = await shippedSchema('suite');
  const { $defs } = schema.schema as { readonly $defs: { readonly probe: { readonly properties: object } } };
  const meant = withoutStrays(written, new Set(Object.keys($defs.probe.properties)));
  const { source, problems } = repaired(schema, meant.source, suiteCut);
  return { source, problems: [...meant.problems, ...problems] };
}

function readProbes(
  source: Source,
  data: SuiteFile,
  { checked, ...file }: { readonly project: string; readonly builtin: boolean; readonly checked: boolean },
  { modelVars, languages, sampleFiles }: SuiteContext,
): { probes: Probe[]; problems: Problem[]; origins: Origins } {
  const shared = {
    ...{ ...file, sampleFiles, modelVars, languages },
    checked,
    ...{ defaults: data.defaults?.request, vars: data.vars ?? {} },
  };
  const probes: Probe[] = [];
  const problems: Problem[] = [];
  const origins = new Map<Probe, ProbeOrigin>();
  const requests: JsonObject[] = [];
  for (const [name, written] of Object.entries(data.probes ?? {})) {
    const read = readProbe({ source, path: ['probes', name], suite: data.suite, name, written }, shared);
    probes.push(read.probe);
    problems.push(...read.problems);
    origins.set(read.probe, read.origin);
    requests.push(...read.draft.requests.map(({ request }) => request));
  }
  if (!checked) problems.push(...checkDefaults(source, shared.defaults, requests, languages.readRequest));
  return { probes, problems, origins };
}

function behavioursOf(source: Source, { behaviours = [] }: SuiteFile): Behaviour[] {
  return behaviours.map((written, index) => {
    const { place } = source.spotOf(['behaviours', index, 'id']);
    return { ...written, unless: written.unless ?? null, place };
  });
}

/** The forms of a suite file, with defaults for what they leave out. */
export function formsOf({ forms = [] }: Pick<SuiteFile, 'forms'>): NeedForm[] {
  return forms.map(({ settings = {}, care = null, budget = null, ...form }) => ({ ...form, settings, care, budget }));
}
