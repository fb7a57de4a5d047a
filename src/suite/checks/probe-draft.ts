import { deliberateOf, type Deliberate } from '../../body/deliberate.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Path } from '../../files/source.js';
import type { Json, JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import { enforceChannels } from '../enforce-channels.js';
import type { Axis, Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';
import { axesOf } from '../read/read-axes.js';
import { stepsOf } from '../read/probe-fields.js';
import type { Languages } from './languages.js';

/** What the probes of one suite share. */
export interface ProbeSurroundings {
  readonly defaults: JsonObject | undefined;
  readonly vars: JsonObject;
  /** Names that the `vars` of some configured model define; null without a config, where any name may be one. */
  readonly modelVars: ReadonlySet<string> | null;
  /** The suite ships with the package. Built-in suites leave the advised schema subset on purpose. */
  readonly builtin: boolean;
  readonly languages: Languages;
}

/** The rows of a probe's sample file; `rows` is null when the file could not be read. */
export interface SampleRows {
  readonly rows: readonly JsonObject[] | null;
  readonly problems: readonly Problem[];
}

/** Ids of the steps before a step, with their kinds. */
export type EarlierSteps = ReadonlyMap<string, Step['kind']>;

/** One request of a probe, with the suite's defaults merged in. */
export interface RequestPart {
  readonly step: string;
  readonly request: JsonObject;
  readonly expect: ExpectSpec;
  /** Where a part of the request is in the file, from the root of the suite: in the probe or else in the defaults. */
  readonly pathOf: (below: Path) => Path;
  readonly expectPath: Path;
  readonly earlier: EarlierSteps;
}

/** What one of the client's own tools gives back in a flow. */
export interface ResultPart {
  readonly result: Json;
  readonly path: Path;
  readonly earlier: EarlierSteps;
}

/** One `expect` of a probe, with its path from the root of the suite. */
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
  readonly labels: ReadonlyMap<string, readonly string[] | null>;
  readonly steps: readonly Step[];
  readonly requests: readonly RequestPart[];
  readonly results: readonly ResultPart[];
  /** Those of the requests first, then those of `when`. */
  readonly expectations: readonly ExpectPart[];
  readonly samples: SampleRows;
  readonly deliberate: Deliberate;
}

export function draftOf(probe: ProbeSource, surroundings: ProbeSurroundings, samples: SampleRows): ProbeDraft {
  const axes = axesOf(probe.written);
  const steps = stepsOf(probe.written, surroundings.defaults);
  const { requests, results } = partsOf(probe, steps, surroundings.defaults);
  const expectations = [
    ...requests.map(({ expect, expectPath }) => ({ expect, path: expectPath })),
    ...(probe.written.when ?? []).map(({ expect }, index) => ({
      expect,
      path: [...probe.path, 'when', index, 'expect'],
    })),
  ];
  const labels = labelsOf(probe, axes);
  const deliberate = deliberateOf(probe.written.deliberate ?? []);
  return { ...probe, ...surroundings, axes, labels, steps, requests, results, expectations, samples, deliberate };
}

function labelsOf({ written }: ProbeSource, axes: readonly Axis[]): Map<string, readonly string[] | null> {
  const labels = new Map<string, readonly string[] | null>();
  for (const axis of axes) {
    if (axis.name !== written.find?.axis)
      labels.set(axis.name, axis.kind === 'values' ? [...axis.points.keys()] : null);
  }
  if (written.enforce !== undefined) labels.set('channel', enforceChannels);
  return labels;
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
    requests.push({
      step: step.id,
      request: step.request,
      expect: step.expect,
      pathOf: (below) => {
        const steps = below.map(String);
        if (own !== undefined && at(own, steps) !== undefined) return [...base, 'request', ...below];
        // What neither has is missing from the probe, even if it has no request at all.
        return defaults !== undefined && at(defaults, steps) !== undefined ? ['defaults', 'request', ...below] : base;
      },
      expectPath: [...base, 'expect'],
      earlier: before,
    });
  }
  return { requests, results };
}
