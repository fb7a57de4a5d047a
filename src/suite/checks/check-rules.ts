import type { Problem } from '../../files/problems/problem.js';
import { didYouMean } from '../../files/problems/nearest.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import type { Axis, Step } from '../probe.js';
import { probeProblem, warn, type ProbeSource } from '../read/probe-source.js';
import { partsOf } from './request-parts.js';
import { ruleFunctions, unknownFunction } from './unknown-function.js';

/** Compiles a JSONata expression, which may call these functions beside its own; null, or why it cannot be. */
export type ExpressionCheck = (expression: string, functions: readonly string[]) => string | null;

/** Loads JSONata; what was compiled once is known. */
export async function expressionCheck(): Promise<ExpressionCheck> {
  const { default: jsonata } = await import('jsonata');
  const known = new Map<string, string | null>();
  return (expression, functions) => {
    const key = `${functions.length} ${expression}`;
    let fault = known.get(key);
    if (fault === undefined) {
      fault = faultOf(() => unknownFunction(jsonata(expression).ast(), functions));
      known.set(key, fault);
    }
    return fault;
  };
}

function faultOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply';
    const { message, position } = error as { message?: string; position?: number };
    const where = typeof position === 'number' ? ` (at character ${position})` : '';
    return `${(message ?? 'it cannot be read').replace(/\.$/, '')}${where}`;
  }
}

/** Rules must compile, and their ids differ; a call that is expected must be of a declared tool. */
export function* ruleProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
  fault: ExpressionCheck,
): Generator<Problem> {
  for (const { request, expect, expectPath } of partsOf(probe, steps).requests) {
    yield* rulesOf(probe, expect, expectPath, fault);
    yield* callProblems(probe, expect, expectPath, request, axes);
  }
  for (const [index, { expect }] of (probe.written.when ?? []).entries()) {
    yield* rulesOf(probe, expect, [...probe.path, 'when', index, 'expect'], fault);
  }
}

function* rulesOf(
  probe: ProbeSource,
  { rules = [] }: ExpectSpec,
  path: Path,
  fault: ExpressionCheck,
): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, { id, assert }] of rules.entries()) {
    const twin = first.get(id);
    if (twin === undefined) first.set(id, index);
    else {
      const { place } = probe.source.spotOf([...path, 'rules', twin, 'id']);
      const message = `two rules are called "${id}" (the first on line ${place.line})`;
      yield problemAt(probe.source, [...path, 'rules', index, 'id'], message, 'rename one of them');
    }
    // With a template in it, it is an expression only once that is filled.
    const wrong = assert.includes('{{') ? null : fault(assert, ruleFunctions);
    if (wrong !== null) {
      const hint = 'it is JSONata over value, vars, request, reply and steps, such as value.total = 897';
      yield problemAt(
        probe.source,
        [...path, 'rules', index, 'assert'],
        `the rule "${id}" is no JSONata: ${wrong}`,
        hint,
      );
    }
  }
}

function* callProblems(
  probe: ProbeSource,
  { tool_call: call }: ExpectSpec,
  path: Path,
  request: JsonObject,
  axes: readonly Axis[],
): Generator<Problem> {
  if (typeof call !== 'string' || call === 'optional' || call.includes('{{')) return;
  const { tools } = request;
  // An axis or the model's settings may still bring the tool.
  if (axes.some((axis) => axis.kind === 'settings' || axis.at[0] === 'tools')) return;
  const names = (Array.isArray(tools) ? (tools as readonly Json[]) : []).map((tool) => at(tool, ['function', 'name']));
  const known = names.filter((name) => typeof name === 'string');
  if (known.includes(call) || known.some((name) => name.includes('{{'))) return;
  const below = [...path.slice(probe.path.length), 'tool_call'];
  yield warn(
    probe,
    below,
    `no tool of the request is called "${call}"`,
    didYouMean(call, known, 'tools') ?? 'add it under tools',
  );
}

/** `at` must lead to a place that the body has, or can have. */
export function* pointerProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
): Generator<Problem> {
  const requests = partsOf(probe, steps).requests.map(({ request }) => request);
  for (const axis of axes) {
    if (axis.kind !== 'values' || axis.at.length < 2) continue;
    if (requests.some((request) => isReachable(request, axis.at))) continue;
    const message = `/${axis.at.join('/')} leads nowhere in the request`;
    yield probeProblem(
      probe,
      ['vary', axis.name, 'at'],
      message,
      'an item of a list must be there already; indexes count from 0',
    );
  }
}

function isReachable(request: JsonObject, steps: readonly string[]): boolean {
  let here: Json | undefined = request;
  for (const step of steps) {
    if (Array.isArray(here)) {
      if (!/^\d+$/.test(step) || Number(step) >= here.length) return false;
      here = (here as readonly Json[])[Number(step)];
    } else if (isObject(here)) here = here[step];
    else return false;
    // From here on objects are made.
    if (here === undefined) return true;
  }
  return true;
}
