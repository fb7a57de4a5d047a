import { defaultTest } from '../../stats/sequential-test.js';
import type { Point } from '../../cell/cell-key.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { EnforceSpec, FindSpec, RetrySpec, Step, TrialsSpec } from '../probe.js';
import type { PointFile, ProbeFile } from '../suite-file.js';

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
export function stepsOf({ request, expect, steps, enforce }: ProbeFile, defaults: JsonObject | undefined): Step[] {
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
