import { deliberateOf, type Deliberate } from '../../body/relations.js';
import type { Point } from '../../cell/cell-key.js';
import { problemAt, type ProblemOptions, type Problem, type Path, type Source } from '../../files/problems/problem.js';
import { isObject, type Json, type JsonObject, at } from '../../json/json.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import { defaultTest } from '../../stats/sequential-test.js';
import { enforceChannels, type Axis, type Probe, type Step, type TrialsSpec } from '../probe.js';
import { readAxes, axisForm, pointsIn } from '../read/read-axes.js';
import type { PointFile, ProbeFile, StepFile } from '../suite-file.js';

/** A probe as its file has it, and where it is in that file. */
export interface ProbeSource {
  readonly source: Source;
  /** Of the probe, from the root of the suite. */
  readonly path: Path;
  readonly suite: string;
  /** The file of the suite. */
  readonly file: string;
  readonly name: string;
  readonly written: ProbeFile;
  /** Of its suite. */
  readonly defaults: JsonObject | undefined;
  readonly vars: JsonObject;
  /** Names that the `vars` of some configured model define; null without a config, where any name may be one. */
  readonly modelVars: ReadonlySet<string> | null;
  /** The suite ships with the package, and the build has checked it. */
  readonly builtin: boolean;
}

/** One request of a probe, with the suite's defaults merged in. */
interface RequestPart {
  readonly step: string;
  readonly request: JsonObject;
  readonly expect: ExpectSpec;
  /** Where a part of the request is in the file, from the root of the suite: in the probe or else in the defaults. */
  readonly pathOf: (below: Path) => Path;
  readonly expectPath: Path;
}

/**
 * One `expect` of a probe, with its path from the root of the suite, and the request that it is about, where there is
 * one.
 */
export interface ExpectPart {
  readonly expect: ExpectSpec;
  readonly path: Path;
}

/** A probe that is being read, with everything that its checks need, computed once. */
export interface ProbeDraft extends ProbeSource {
  readonly axes: readonly Axis[];
  /**
   * The labels of every axis that a cell of the probe has: `find` takes its axis away, `enforce` adds `channel`.
   * null where the labels come from the models' settings.
   */
  readonly labels: ReadonlyMap<string, ReadonlySet<string> | null>;
  readonly steps: readonly Step[];
  readonly requests: readonly RequestPart[];
  /** The expectations of the requests first, then those of `when`. */
  readonly expectations: readonly ExpectPart[];
  /** The rows of its sample file; null when the file could not be read. */
  readonly samples: readonly JsonObject[] | null;
  readonly deliberate: Deliberate;
  /** The probe has neither a request nor steps nor `enforce`, and inherits no messages. */
  readonly asksNothing: boolean;
  /** Where the file has the value of a label: directly under the axis, or under its `points`. */
  readonly pointPath: (axis: string, label: string) => Path;
}

/** A probe that was read, for the checks of its cells' bodies. */
export interface ProbeOrigin extends ProbeDraft {
  /** The probe has an error of its own, of which others may only be consequences. */
  readonly hasErrors: boolean;
}

/** Where each probe was written. */
export type ProbeOrigins = ReadonlyMap<Probe, ProbeOrigin>;

export function probeDraftOf(probe: ProbeSource, samples: readonly JsonObject[] | null): ProbeDraft {
  const { written, path, defaults } = probe;
  const { request, enforce, when = [] } = written;
  const axes = readAxes(written);
  const steps = probeStepsOf(written, defaults);
  const requests = requestPartsOf(probe, steps);
  return {
    ...probe,
    axes,
    steps,
    requests,
    samples,
    labels: draftLabels(probe, axes),
    expectations: [
      ...requests.map(({ expect, expectPath }) => ({ expect, path: expectPath })),
      ...when.map(({ expect }, index) => ({ expect, path: [...path, 'when', index, 'expect'] })),
    ],
    deliberate: deliberateOf(written.deliberate ?? []),
    asksNothing: [request, written.steps, enforce, defaults?.['messages']].every((one) => one === undefined),
    pointPath: pointPathsOf(probe),
  };
}

/** A problem at a path below the probe. */
export function probeProblem(
  { source, path }: Pick<ProbeSource, 'source' | 'path'>,
  below: Path,
  message: string,
  hint?: string,
  options?: ProblemOptions,
): Problem {
  return problemAt(source, [...path, ...below], message, hint, options);
}

function pointPathsOf({ path, written: { vary = {} } }: ProbeSource): ProbeDraft['pointPath'] {
  const paths = new Map<string, Path>();
  for (const [axis, written] of Object.entries(vary)) {
    const form = axisForm(written);
    if (form.kind === 'settings') continue;
    for (const { label, step } of pointsIn(form.points)) {
      paths.set(`${axis}=${label}`, [...path, 'vary', axis, ...form.below, step]);
    }
  }
  return (axis, label) => paths.get(`${axis}=${label}`) ?? [...path, 'vary', axis];
}

function draftLabels({ written: { find, load, enforce } }: ProbeSource, axes: readonly Axis[]): ProbeDraft['labels'] {
  const labels = new Map<string, ReadonlySet<string> | null>();
  for (const axis of axes) {
    if (axis.name !== find?.axis) labels.set(axis.name, axis.kind === 'values' ? new Set(axis.points.keys()) : null);
  }
  if (load !== undefined) labels.set('load', new Set(load.map(String)));
  return enforce === undefined ? labels : labels.set('channel', new Set(enforceChannels));
}

function requestPartsOf({ written, path, defaults }: ProbeSource, steps: readonly Step[]): RequestPart[] {
  const isFlow = written.steps !== undefined && written.enforce === undefined;
  return steps.flatMap((step, index) => {
    if (step.kind === 'run') return [];
    const base = isFlow ? [...path, 'steps', index] : path;
    const own = isFlow ? written.steps?.[index]?.request : written.request;
    const pathOf = (below: Path): Path => {
      const has = (body: JsonObject | undefined): boolean =>
        body !== undefined && at(body, below.map(String)) !== undefined;
      if (has(own)) return [...base, 'request', ...below];
      // A field that neither has is missing from the probe, even if it has no request at all.
      return has(defaults) ? ['defaults', 'request', ...below] : base;
    };
    return [{ step: step.id, request: step.request, expect: step.expect, pathOf, expectPath: [...base, 'expect'] }];
  });
}

export function writtenTrials({ trials }: ProbeFile): TrialsSpec | null {
  if (trials === undefined) return null;
  if (typeof trials === 'number') return { kind: 'count', count: trials };
  const { reliable, broken, error, max } = { ...defaultTest, ...trials };
  return { kind: 'decided', reliable, broken, error, max };
}

/** Labels are texts, however they are written: `512` and `"512"` are the same. */
export function pointOf(written: PointFile): Point {
  return Object.fromEntries(Object.entries(written).map(([axis, label]) => [axis, String(label)]));
}

/** The requests of a probe, with the suite's defaults under each; a probe without `steps` has one, named `request`. */
function probeStepsOf({ request, expect, steps, enforce }: ProbeFile, defaults: JsonObject | undefined): Step[] {
  const only: StepFile = { id: 'request', ...(request && { request }), ...(expect && { expect }) };
  return (steps === undefined || enforce !== undefined ? [only] : steps).map(({ id, run, ...asked }) =>
    run === undefined
      ? { kind: 'ask', id, request: withDefaults(defaults, asked.request ?? {}), expect: asked.expect ?? {} }
      : { kind: 'run', id, result: run.result },
  );
}

/**
 * RFC 7396 with one exception: a null that removes no default is sent as it is, since the request is the literal body
 * (a schema may contain `const: null`, say).
 */
function withDefaults(defaults: JsonObject | undefined, request: JsonObject): JsonObject {
  if (defaults === undefined) return request;
  const merged = new Map<string, Json>(Object.entries(defaults));
  for (const [name, value] of Object.entries(request)) {
    const under = merged.get(name);
    if (value === null && merged.has(name)) {
      merged.delete(name);
    } else {
      merged.set(name, isObject(value) && isObject(under) ? withDefaults(under, value) : value);
    }
  }
  return Object.fromEntries(merged);
}
