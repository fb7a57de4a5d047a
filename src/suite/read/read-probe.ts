import type { Json } from '../../json/json.js';
import { plainTexts } from '../references/literal-text.js';
import { dirname } from 'node:path';
import { hasErrors, type Problem, type Path } from '../../files/problems/problem.js';
import { readJsonLines } from '../../files/yaml/read-yaml.js';
import type { JsonObject } from '../../json/json.js';
import { checkAxes } from '../checks/probe/check-axes.js';
import { checkMembers } from '../checks/probe/check-measurements.js';
import {
  probeDraftOf,
  probeProblem,
  pointOf,
  writtenTrials,
  type ProbeDraft,
  type ProbeOrigin,
  type ProbeSource,
} from '../checks/probe-draft.js';
import { checkRules } from '../checks/check-rules.js';
import { checkSchemas } from '../checks/check-schemas.js';
import { checkTemplates } from '../checks/templates/check-templates.js';
import type { EnforceSpec, Need, Probe } from '../probe.js';
import type { EnforceFile } from '../suite-file.js';
import { fileInProject } from './project-folder.js';

/** State that the probes of all suites share while they are read. */
export interface ProbeReading {
  /** Sample files are read once for all suites. */
  readonly sampleFiles: Map<string, ReturnType<typeof readJsonLines>>;
  readonly problems: Problem[];
  readonly origins: Map<Probe, ProbeOrigin>;
}

/** Every check of a probe, in the order in which problems are reported. A check may read the draft only. */
const probeDraftChecks: readonly ((draft: ProbeDraft) => Iterable<Problem>)[] = [
  checkAxes,
  checkMembers,
  checkTemplates,
  checkRules,
  checkSchemas,
];

/**
 * One probe with its defaults filled in.
 * @param project folder outside of which no file is read
 */
export function readProbe(source: ProbeSource, project: string, reading: ProbeReading): Probe {
  const samples = readSamples(source, project, reading.sampleFiles);
  const draft = probeDraftOf(source, samples.rows);
  // Of the built-in suites, which the build has checked, nothing but the sample files can be wrong.
  const found = source.builtin ? [] : probeDraftChecks.flatMap((check) => [...check(draft)]);
  const problems = [...samples.problems, ...found];
  const probe = probeOf(draft);
  reading.problems.push(...problems);
  reading.origins.set(probe, { ...draft, hasErrors: hasErrors(problems) });
  return probe;
}

function probeOf(draft: ProbeDraft): Probe {
  const { written, suite, name, source, path, axes, steps, vars } = draft;
  const { retry, find, enforce } = written;
  return {
    suite,
    name,
    title: written.title ?? name,
    capability: written.capability ?? `${suite}.${name}`,
    tags: written.tags ?? [],
    needs: namedProbes(draft, ['needs'], written.needs),
    axes,
    combine: written.combine ?? 'product',
    fill: written.fill ?? 0,
    exclude: (written.exclude ?? []).map(pointOf),
    include: (written.include ?? []).map(pointOf),
    steps,
    when: (written.when ?? []).map(({ point, expect }) => ({ point: pointOf(point), expect })),
    samples: draft.samples ?? [],
    vars,
    trials: writtenTrials(written),
    retry: retry === undefined ? null : { max: 1, temperature: 0, ...retry },
    find: find === undefined ? null : { tolerance: 0.125, ...find },
    load: written.load ?? [],
    enforce:
      enforce === undefined ? null : enforcedBy(plainTexts(enforce as unknown as Json) as unknown as EnforceFile),
    split: namedProbes(draft, ['enforce', 'split'], written.enforce?.split),
    get place() {
      return source.spotOf(path, 'key').place;
    },
  };
}

function enforcedBy({ keyword, schema, valid, invalid }: EnforceFile): EnforceSpec {
  return { keyword, schema, valid, invalid };
}

/** Other probes that this one names, with their places. */
function namedProbes({ source, path }: ProbeSource, below: Path, names: readonly string[] = []): Need[] {
  return names.map((probe, index) => ({
    probe,
    get place() {
      return source.spotOf([...path, ...below, index]).place;
    },
  }));
}

/** The rows of a probe's `samples` file, whose path is relative to the file that names it. Never throws. */
function readSamples(
  probe: ProbeSource,
  project: string,
  cache: ProbeReading['sampleFiles'],
): { readonly rows: readonly JsonObject[] | null; readonly problems: readonly Problem[] } {
  const { samples: written } = probe.written;
  if (written === undefined) return { rows: [], problems: [] };
  // A probe of the built-in suites stands in the file of its suite; any other may have been taken in from elsewhere.
  const folder = dirname(probe.builtin ? probe.file : probe.source.spotOf([...probe.path, 'samples']).place.file);
  const found = fileInProject(written, folder, project);
  if (!found.ok) {
    const message =
      found.why === 'outside' ? `the path "${written}" leaves the project` : `there is no file "${written}"`;
    return { rows: null, problems: [probeProblem(probe, ['samples'], message, found.hint)] };
  }
  const { rows, problems } = cache.get(found.file) ?? readJsonLines(found.file);
  cache.set(found.file, { rows, problems });
  return { rows: problems.length > 0 ? null : rows, problems };
}
