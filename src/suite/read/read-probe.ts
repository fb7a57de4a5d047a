import { hasErrors, type Problem } from '../../files/problems/problem.js';
import type { Path } from '../../files/source.js';
import { pointPath } from '../checks/point-path.js';
import { asksNothing } from '../checks/probe/check-steps.js';
import { probeChecks } from '../checks/probe-checks.js';
import { draftOf, type ProbeDraft, type ProbeSurroundings } from '../checks/probe-draft.js';
import type { ProbeOrigin } from '../probe-origin.js';
import type { Need, Probe } from '../probe.js';
import { enforceOf, findOf, pointOf, retryOf, trialsOf } from './probe-fields.js';
import type { ProbeSource } from './probe-source.js';
import { readSamples, type SampleCache } from './read-samples.js';

export interface ProbeContext extends ProbeSurroundings {
  /** Folder outside of which no file is read. */
  readonly project: string;
  readonly sampleFiles: SampleCache;
  /** The build has done so: nothing but its sample files can be wrong. */
  readonly checked: boolean;
}

/** One probe with its defaults filled in, and everything that is wrong with it. */
export function readProbe(
  probe: ProbeSource,
  context: ProbeContext,
): { probe: Probe; problems: Problem[]; origin: ProbeOrigin; draft: ProbeDraft } {
  const { project, sampleFiles, checked, ...surroundings } = context;
  const draft = draftOf(probe, surroundings, readSamples(probe, project, sampleFiles));
  const problems = checked ? [...draft.samples.problems] : probeChecks.flatMap((check) => [...check(draft)]);
  return { probe: probeOf(draft), problems, origin: originOf(draft, hasErrors(problems), checked), draft };
}

function originOf(draft: ProbeDraft, withErrors: boolean, checked: boolean): ProbeOrigin {
  const { source, path, builtin, requests, deliberate } = draft;
  const partOf = (step: string) => requests.find((request) => request.step === step);
  return {
    ...{ source, path, builtin, deliberate, hasErrors: withErrors, checked },
    asksNothing: asksNothing(draft),
    requestPath: (step, below) => partOf(step)?.pathOf(below) ?? path,
    pointPath: (axis, label) => pointPath(draft, axis, label),
    expectPath: (step) => partOf(step)?.expectPath ?? path,
  };
}

function probeOf(draft: ProbeDraft): Probe {
  const { written, suite, name, source, path, axes, steps, vars } = draft;
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
    samples: draft.samples.rows ?? [],
    vars,
    trials: trialsOf(written),
    retry: retryOf(written),
    find: findOf(written),
    enforce: enforceOf(written),
    split: namedProbes(draft, ['enforce', 'split'], written.enforce?.split),
    place: source.spotOf(path, 'key').place,
  };
}

/** Other probes that this one names, with their places. */
function namedProbes({ source, path }: ProbeSource, below: Path, names: readonly string[] = []): Need[] {
  return names.map((probe, index) => ({ probe, place: source.spotOf([...path, ...below, index]).place }));
}
