import type { Problem } from '../../files/problems/problem.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Step } from '../probe.js';
import { probeProblem, type ProbeSource } from './probe-source.js';
import type { StepFile } from '../suite-file.js';

/** The requests of a probe, with the suite's defaults under each; a probe without `steps` has one, named `request`. */
export function readSteps(
  probe: ProbeSource,
  defaults: JsonObject | undefined,
): { steps: Step[]; problems: Problem[] } {
  const { request, expect, steps, enforce } = probe.written;
  const problems = [...formProblems(probe, defaults), ...stepProblems(probe)];
  const ask = (id: string, body: JsonObject | undefined, expected = expect): Step => ({
    kind: 'ask',
    id,
    request: withDefaults(defaults, body ?? {}),
    expect: expected ?? {},
  });
  if (steps === undefined || enforce !== undefined) return { steps: [ask('request', request)], problems };
  return {
    steps: steps.map((step) =>
      step.run === undefined
        ? ask(step.id, step.request, step.expect ?? {})
        : { kind: 'run', id: step.id, result: step.run.result },
    ),
    problems,
  };
}

/**
 * RFC 7396, with one exception: a null that takes no default away is sent as it is written, since the request is the
 * literal body (`const: null` in a schema, say).
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

function* formProblems(probe: ProbeSource, defaults: JsonObject | undefined): Generator<Problem> {
  const { request, steps, enforce, expect } = probe.written;
  if (steps !== undefined) {
    for (const [name, other] of Object.entries({ request, enforce, expect })) {
      if (other === undefined) continue;
      const hint = name === 'expect' ? 'put it into the step that it is about' : 'make two probes of it';
      yield probeProblem(probe, [name], `${name} and steps do not go together`, hint, { part: 'key' });
    }
  } else if (request === undefined && enforce === undefined && defaults?.['messages'] === undefined) {
    const message = `the probe "${probe.name}" asks nothing: "request", "steps" or "enforce" is missing`;
    yield probeProblem(probe, [], message, 'add request: { messages: [{ role: user, content: ... }] }', {
      part: 'key',
    });
  }
}

function* stepProblems(probe: ProbeSource): Generator<Problem> {
  const { steps = [] } = probe.written;
  const seen = new Map<string, number>();
  let asked = false;
  for (const [index, step] of steps.entries()) {
    const first = seen.get(step.id);
    if (first === undefined) seen.set(step.id, index);
    else {
      const { place } = probe.source.spotOf([...probe.path, 'steps', first]);
      const message = `two steps are called "${step.id}" (the first on line ${place.line})`;
      yield probeProblem(probe, ['steps', index, 'id'], message, 'rename one of them');
    }
    yield* oneStep(probe, step, index, asked);
    asked ||= step.request !== undefined;
  }
  if (steps.length > 0 && !asked) {
    yield probeProblem(probe, ['steps'], 'no step asks anything', 'add a step with a request', { part: 'key' });
  }
}

function* oneStep(probe: ProbeSource, step: StepFile, index: number, asked: boolean): Generator<Problem> {
  const { id, request, run, expect } = step;
  const at = ['steps', index];
  if (request === undefined && run === undefined) {
    yield probeProblem(probe, at, `the step "${id}" does nothing: "request" or "run" is missing`, undefined, {
      part: 'key',
    });
  } else if (request !== undefined && run !== undefined) {
    yield probeProblem(probe, [...at, 'run'], `the step "${id}" has request and run`, 'make two steps of it', {
      part: 'key',
    });
  } else if (run !== undefined && expect !== undefined) {
    yield probeProblem(probe, [...at, 'expect'], "nothing is expected of the client's own tool", 'remove expect', {
      part: 'key',
    });
  } else if (run !== undefined && !asked) {
    const message = `the step "${id}" runs a tool before anything was asked`;
    yield probeProblem(probe, [...at, 'run'], message, 'put a step with a request before it', { part: 'key' });
  }
}
