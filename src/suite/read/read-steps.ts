import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Step } from '../probe.js';
import type { ProbeFile } from '../suite-file.js';

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
