import { deliberateOf, type Deliberate } from '../../body/relations.js';
import type { Point } from '../../cell/cell-key.js';
import { problemAt, type ProblemOptions } from '../../files/problems/problem-at.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Path, Source } from '../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { at } from '../../json/pointer.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import { defaultTest } from '../../stats/sequential-test.js';
import {
  enforceChannels,
  type Axis,
  type Probe,
  type Step,
  type EnforceSpec,
  type FindSpec,
  type RetrySpec,
  type TrialsSpec,
} from '../probe.js';
import { axesOf, axisForm, pointsIn } from '../read/read-axes.js';
import type { ProbeFile, PointFile } from '../suite-file.js';

/** A probe as its file has it, and where it is in that file. */
export interface ProbeSource {
  readonly source: Source;
  /** Of the probe, from the root of the suite. */
  readonly path: Path;
  readonly suite: string;
  readonly name: string;
  readonly written: ProbeFile;
}

/** What the probes of one suite share. */
export interface ProbeSurroundings {
  readonly defaults: JsonObject | undefined;
  readonly vars: JsonObject;
  /** Names that the `vars` of some configured model define; null without a config, where any name may be one. */
  readonly modelVars: ReadonlySet<string> | null;
  /** The suite ships with the package. Built-in suites leave the advised schema subset on purpose. */
  readonly builtin: boolean;
}

/** Ids of the steps before a step, with their kinds. */
export type EarlierSteps = ReadonlyMap<string, Step['kind']>;

/** One request of a probe, with the suite's defaults merged in. */
interface RequestPart {
  readonly step: string;
  readonly request: JsonObject;
  readonly expect: ExpectSpec;
  /** Where a part of the request is in the file, from the root of the suite: in the probe or else in the defaults. */
  readonly pathOf: (below: Path) => Path;
  readonly expectPath: Path;
  readonly earlier: EarlierSteps;
}

/** What one of the client's own tools gives back in a flow. */
interface ResultPart {
  readonly result: Json;
  readonly path: Path;
  readonly earlier: EarlierSteps;
}

/** One `expect` of a probe, with its path from the root of the suite, and the request that it is about, where there is one. */
export interface ExpectPart {
  readonly expect: ExpectSpec;
  readonly path: Path;
}

/** A probe that is being read, with everything that its checks need, computed once. */
export interface ProbeDraft extends ProbeSource, ProbeSurroundings {
  readonly axes: readonly Axis[];
  /**
   * The labels of every axis that a cell of the probe has: `find` takes its axis away, `enforce` adds `channel`.
   * null where the labels come from the models' settings.
   */
  readonly labels: ReadonlyMap<string, ReadonlySet<string> | null>;
  readonly steps: readonly Step[];
  readonly requests: readonly RequestPart[];
  readonly results: readonly ResultPart[];
  /** Those of the requests first, then those of `when`. */
  readonly expectations: readonly ExpectPart[];
  /** The rows of its sample file; null when the file could not be read. */
  readonly samples: readonly JsonObject[] | null;
  readonly deliberate: Deliberate;
  /** It has neither a request nor steps nor `enforce`, and inherits no messages. */
  readonly asksNothing: boolean;
  /** Where the file has the value of a label: directly under the axis, or under its `points`. */
  readonly pointPath: (axis: string, label: string) => Path;
}

/** What the checks of its cells' bodies know of a probe that was read. */
export interface ProbeOrigin extends ProbeDraft {
  /** The build has checked the suite. */
  readonly checked: boolean;
  /** The probe has an error of its own, of which others may only be consequences. */
  readonly hasErrors: boolean;
  /** The schemas of its requests and points as they are written. A body shares them, unless something is merged into one. */
  readonly schemas: ReadonlySet<Json>;
}

/** Where each probe was written. */
export type Origins = ReadonlyMap<Probe, ProbeOrigin>;

export function draftOf(
  probe: ProbeSource,
  surroundings: ProbeSurroundings,
  samples: readonly JsonObject[] | null,
): ProbeDraft {
  const { written, path } = probe;
  const { request, enforce, when = [] } = written;
  const axes = axesOf(written);
  const steps = stepsOf(written, surroundings.defaults);
  const { requests, results } = partsOf(probe, steps, surroundings.defaults);
  return {
    ...{ ...probe, ...surroundings, axes, steps, requests, results, samples },
    labels: labelsOf(probe, axes),
    expectations: [
      ...requests.map(({ expect, expectPath }) => ({ expect, path: expectPath })),
      ...when.map(({ expect }, index) => ({ expect, path: [...path, 'when', index, 'expect'] })),
    ],
    deliberate: deliberateOf(written.deliberate ?? []),
    asksNothing: [request, written.steps, enforce, surroundings.defaults?.['messages']].every(
      (one) => one === undefined,
    ),
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
  const paths = once(() => {
    const found = new Map<string, Path>();
    for (const [axis, written] of Object.entries(vary)) {
      const form = axisForm(written);
      if (form.kind === 'settings') continue;
      for (const { label, step } of pointsIn(form.points))
        found.set(`${axis}=${label}`, [...path, 'vary', axis, ...form.below, step]);
    }
    return found;
  });
  return (axis, label) => paths().get(`${axis}=${label}`) ?? [...path, 'vary', axis];
}

function labelsOf({ written }: ProbeSource, axes: readonly Axis[]): ProbeDraft['labels'] {
  const varied = axes.filter(({ name }) => name !== written.find?.axis);
  const labels = varied.map(
    (axis) => [axis.name, axis.kind === 'values' ? new Set(axis.points.keys()) : null] as const,
  );
  return new Map([
    ...labels,
    ...(written.load === undefined ? [] : [['load', new Set(written.load.map(String))] as const]),
    ...(written.enforce === undefined ? [] : [['channel', new Set(enforceChannels)] as const]),
  ]);
}

function partsOf(
  { written, path }: ProbeSource,
  steps: readonly Step[],
  defaults: JsonObject | undefined,
): { requests: RequestPart[]; results: ResultPart[] } {
  const requests: RequestPart[] = [];
  const results: ResultPart[] = [];
  const earlier = new Map<string, Step['kind']>();
  const isFlow = written.steps !== undefined && written.enforce === undefined;
  for (const [index, step] of steps.entries()) {
    const base = isFlow ? [...path, 'steps', index] : path;
    const before = new Map(earlier);
    earlier.set(step.id, step.kind);
    if (step.kind === 'run') {
      results.push({ result: step.result, path: [...base, 'run', 'result'], earlier: before });
      continue;
    }
    const own = isFlow ? written.steps?.[index]?.request : written.request;
    const pathOf = (below: Path): Path => {
      const steps = below.map(String);
      if (own !== undefined && at(own, steps) !== undefined) return [...base, 'request', ...below];
      // What neither has is missing from the probe, even if it has no request at all.
      return defaults !== undefined && at(defaults, steps) !== undefined ? ['defaults', 'request', ...below] : base;
    };
    const { id, request, expect } = step;
    requests.push({ ...{ step: id, request, expect, pathOf }, expectPath: [...base, 'expect'], earlier: before });
  }
  return { requests, results };
}

export function trialsOf({ trials }: ProbeFile): TrialsSpec | null {
  if (trials === undefined) return null;
  if (typeof trials === 'number') return { kind: 'count', count: trials };
  const {
    reliable = defaultTest.reliable,
    broken = defaultTest.broken,
    error = defaultTest.error,
    max = defaultTest.max,
  } = trials;
  return { kind: 'decided', reliable, broken, error, max };
}

export function retryOf({ retry }: ProbeFile): RetrySpec | null {
  return retry === undefined ? null : { on: retry.on, max: retry.max ?? 1, temperature: retry.temperature ?? 0 };
}

export function findOf({ find }: ProbeFile): FindSpec | null {
  return find === undefined ? null : { ...find, tolerance: find.tolerance ?? 0.125 };
}

export function enforceOf({ enforce }: ProbeFile): EnforceSpec | null {
  if (enforce === undefined) return null;
  const { keyword, schema, valid, invalid } = enforce;
  return { keyword, schema, valid, invalid };
}

/** Labels are texts, however they are written: `512` and `"512"` are the same. */
export function pointOf(written: PointFile): Point {
  return Object.fromEntries(Object.entries(written).map(([axis, label]) => [axis, String(label)]));
}

/** The requests of a probe, with the suite's defaults under each; a probe without `steps` has one, named `request`. */
function stepsOf({ request, expect, steps, enforce }: ProbeFile, defaults: JsonObject | undefined): Step[] {
  const ask = (id: string, body: JsonObject | undefined, expected = expect): Step => ({
    kind: 'ask',
    id,
    request: withDefaults(defaults, body ?? {}),
    expect: expected ?? {},
  });
  if (steps === undefined || enforce !== undefined) return [ask('request', request)];
  return steps.map((step) =>
    step.run === undefined
      ? ask(step.id, step.request, step.expect ?? {})
      : { kind: 'run', id: step.id, result: step.run.result },
  );
}

/**
 * RFC 7396 with one exception: a null that removes no default is sent as it is, since the request is the literal body
 * (a schema may contain `const: null`, say).
 */
export function withDefaults(defaults: JsonObject | undefined, request: JsonObject): JsonObject {
  if (defaults === undefined) return request;
  const merged = new Map<string, Json>(Object.entries(defaults));
  for (const [name, value] of Object.entries(request)) {
    const under = merged.get(name);
    if (value === null && merged.has(name)) merged.delete(name);
    else merged.set(name, isObject(value) && isObject(under) ? withDefaults(under, value) : value);
  }
  return Object.fromEntries(merged);
}
