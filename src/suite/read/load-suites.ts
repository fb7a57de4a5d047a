import {
  problemAt,
  hasErrors,
  inLineOrder,
  type Problem,
  type Path,
  type Source,
  type SourceFile,
} from '../../files/problems/problem.js';
import { withoutMisfits } from '../../files/schema-problems.js';
import { checkAgainst, shippedSchema } from '../../files/shipped-schema.js';
import { readJson, readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type Json } from '../../json/json.js';
import { acrossSuites, type ReadSuite } from '../checks/across-suites.js';
import type { ProbeOrigins, ProbeOrigin } from '../checks/probe-draft.js';
import type { Probe, Suite, NeedForm } from '../probe.js';
import { plainTexts } from '../references/literal-text.js';
import { resolveRefs } from '../references/resolve-refs.js';
import type { SuiteFile } from '../suite-file.js';
import { findSuiteFiles, type SuiteEntry, type SuiteFileName } from './find-suite-files.js';
import { projectFolderOf } from './project-folder.js';
import { readShippedJson, readShippedYaml } from '../../files/yaml/read-shipped.js';
import { readProbe, type ProbeReading } from './read-probe.js';

interface LoadOptions {
  /** Names that the `vars` of some configured model define. */
  readonly modelVars?: ReadonlySet<string> | undefined;
}

interface LoadedSuites {
  /** All whose file has the shape of a suite, even if it has errors. */
  readonly suites: readonly Suite[];
  readonly problems: readonly Problem[];
  /** Where each probe was written. */
  readonly origins: ProbeOrigins;
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
  const { files, problems } = await findSuiteFiles(entries, baseFolder);
  const origins = new Map<Probe, ProbeOrigin>();
  const modelVars = options.modelVars ?? null;
  const reading = { baseFolder, modelVars, problems, origins, files: new Map(), sampleFiles: new Map() };
  const read: ReadSuite[] = [];
  for (const file of files) {
    const suite = await readSuite(file, reading);
    if (suite !== null) read.push(suite);
  }
  const complete = read.length === files.length && !hasErrors(problems);
  problems.push(...acrossSuites(read, complete));
  return { suites: read.map(({ suite }) => suite), problems: inLineOrder(problems), origins };
}

/** State that the suites of one run share while they are read. */
interface SuiteReading extends ProbeReading {
  readonly baseFolder: string;
  readonly modelVars: ReadonlySet<string> | null;
  readonly files: Map<string, SourceFile>;
}

/** Reads one suite file, as far as it has the shape of one; null when nothing can be read. */
async function readSuite({ file, builtin }: SuiteFileName, reading: SuiteReading): Promise<ReadSuite | null> {
  const { problems, modelVars } = reading;
  const yaml = builtin ? readShippedYaml(file) : readYaml(file);
  problems.push(...yaml.problems);
  if (hasErrors(yaml.problems)) return null;
  const project = projectFolderOf(file, reading.baseFolder);
  const { source, problems: unresolved } = resolveRefs(yaml, project, {
    known: reading.files,
    readJson: builtin ? readShippedJson : readJson,
  });
  problems.push(...unresolved);
  // A $ref that could not be replaced would cause errors everywhere; only the $ref needs to be fixed.
  if (unresolved.length > 0) return null;
  const data = builtin ? source.data : await fitting(source, problems);
  if (data === null) return null;
  const { suite: name, defaults, vars = {}, probes: written = {}, ...rest } = data as unknown as SuiteFile;
  const shared = { suite: name, file, source, builtin, vars, modelVars, defaults: defaults?.request };
  const probes = Object.entries(written).map(([probe, one]) =>
    readProbe({ ...shared, path: ['probes', probe], name: probe, written: one }, project, reading),
  );
  const behaviours = (rest.behaviours ?? []).map((one, index) => {
    const said = plainTexts(one as unknown as Json) as unknown as typeof one;
    return {
      ...said,
      get place() {
        return source.spotOf(['behaviours', index, 'id']).place;
      },
    };
  });
  const { title = name, families = [], evidence = [] } = rest;
  const suite = { name, title, file, probes, behaviours, families, evidence, forms: needFormsOf(rest) };
  return { suite, source, builtin };
}

/**
 * The data without the probes that do not have the shape of one, and what else does not fit; null when too little is
 * left.
 */
async function fitting(source: Source, problems: Problem[]): Promise<Json | null> {
  const validate = await shippedSchema('suite');
  const { $defs } = validate.schema as { readonly $defs: { readonly probe: { readonly properties: object } } };
  const strays = [...misplacedMembers(source, new Set(Object.keys($defs.probe.properties)))];
  const found = strays.length > 0 ? strays : await checkAgainst('suite', source);
  problems.push(...found);
  if (strays.length > 0) return null;
  return found.length === 0 ? source.data : withoutMisfits(validate, source.data, cutOf);
}

/** Members of a probe that its other members do not build on. */
const apart: readonly unknown[] = ['title', 'tags', 'needs', 'expect', 'when', 'trials', 'retry', 'fill'];

/** A member of a probe that does not fit, or the whole probe where nothing true can be said of the rest without it. */
const cutOf = (path: Path): Path => (path[0] === 'probes' ? path.slice(0, apart.includes(path[2]) ? 3 : 2) : path);

/**
 * Lines of a probe that are not indented enough stand beside it, as if they were probes. Whatever else is wrong follows
 * from it.
 * @param members what a probe may have
 */
function* misplacedMembers(source: Source, members: ReadonlySet<string>): Generator<Problem> {
  const { probes = null, defaults = null } = isObject(source.data) ? source.data : {};
  const inherited = isObject(defaults) ? (defaults['request'] ?? null) : null;
  if (!isObject(probes) || (isObject(inherited) && 'messages' in inherited)) return;
  let holder: string | null = null;
  for (const [name, value] of Object.entries(probes)) {
    if (holder === null || !members.has(name) || asks(value) || asks(probes[holder] ?? null)) {
      holder = name;
      continue;
    }
    const message = `probes: "${name}" stands beside the probe "${holder}", not in it`;
    const hint = `indent this line and those that belong to it, so that they stand under "${holder}:"`;
    yield problemAt(source, ['probes', name], message, hint, { part: 'key' });
  }
}

const asks = (value: Json): boolean =>
  isObject(value) && ['request', 'steps', 'enforce'].some((member) => member in value);

/** The forms of a suite file, with defaults for what they leave out. */
export function needFormsOf({ forms = [] }: Pick<SuiteFile, 'forms'>): NeedForm[] {
  return forms.map(({ settings = {}, care = null, budget = null, ...form }) => ({ ...form, settings, care, budget }));
}
