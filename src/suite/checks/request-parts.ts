import type { Path } from '../../files/source.js';
import { at } from '../../json/pointer.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import type { Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';

/** Ids of the steps that a step may look back to, with what they leave. */
export type EarlierSteps = ReadonlyMap<string, Step['kind']>;

/** One request of a probe, its defaults merged, with where its parts were written. */
export interface RequestPart {
  readonly request: JsonObject;
  readonly expect: ExpectSpec;
  /** From the root of the suite; a part that only the defaults hold is found there. */
  readonly placeOf: (below: readonly (string | number)[]) => Path;
  readonly expectPath: Path;
  readonly earlier: EarlierSteps;
}

export interface ResultPart {
  readonly result: Json;
  readonly path: Path;
  readonly earlier: EarlierSteps;
}

/** What a probe sends, and what its own tools give back, in order. */
export function partsOf(
  probe: ProbeSource,
  steps: readonly Step[],
): { requests: RequestPart[]; results: ResultPart[] } {
  const requests: RequestPart[] = [];
  const results: ResultPart[] = [];
  const earlier = new Map<string, Step['kind']>();
  const flow = probe.written.steps !== undefined && probe.written.enforce === undefined;
  for (const [index, step] of steps.entries()) {
    const base = flow ? [...probe.path, 'steps', index] : probe.path;
    const before = new Map(earlier);
    earlier.set(step.id, step.kind);
    if (step.kind === 'run') {
      results.push({ result: step.result, path: [...base, 'run', 'result'], earlier: before });
      continue;
    }
    const written = flow ? probe.written.steps?.[index]?.request : probe.written.request;
    requests.push({
      request: step.request,
      expect: step.expect,
      placeOf: (below) => {
        const here = written !== undefined && at(written, below.map(String)) !== undefined;
        return here ? [...base, 'request', ...below] : ['defaults', 'request', ...below];
      },
      expectPath: [...base, 'expect'],
      earlier: before,
    });
  }
  return { requests, results };
}
