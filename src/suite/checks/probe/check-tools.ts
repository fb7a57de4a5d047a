import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';
import { at } from '../../../json/pointer.js';
import type { ExpectSpec } from '../../../judge/expectation.js';
import { pointOf } from '../../read/probe-fields.js';
import type { ProbeSource } from '../../read/probe-source.js';
import type { ProbeDraft } from '../probe-draft.js';

/** The tool whose call is expected should be one that the request declares. */
export function* checkToolCalls({ source, requests, axes }: ProbeDraft): Generator<Problem> {
  // An axis or the model's settings may still add the tool.
  if (axes.some((axis) => axis.kind === 'settings' || axis.at[0] === 'tools')) return;
  for (const { request, expect, expectPath } of requests) {
    const { tool_call: call } = expect;
    if (typeof call !== 'string' || call === 'optional' || call.includes('{{')) continue;
    const names = toolNames(request);
    if (names.includes(call) || names.some((name) => name.includes('{{'))) continue;
    const message = `no tool of the request is called "${call}"`;
    const hint = didYouMean(call, names, 'tools') ?? 'add it under tools';
    yield problemAt(source, [...expectPath, 'tool_call'], message, hint, { severity: 'warning' });
  }
}

/**
 * When the object form of `tool_choice` names no function, it is open which call passes. Only a warning, since the body
 * is sent as written even when it is broken; none where the suite says what is expected.
 */
export function* checkToolChoice(draft: ProbeDraft): Generator<Problem> {
  const { when = [] } = draft.written;
  const choosing = draft.axes.filter((axis) => axis.kind === 'values' && axis.at[0] === 'tool_choice');
  const isSettledByWhen = (axis: string, label: string): boolean =>
    when.some(({ point, expect }) => {
      const only = pointOf(point)[axis];
      return settlesCall(expect) && (only === undefined || only === label);
    });
  for (const { request, expect, pathOf } of draft.requests) {
    if (settlesCall(expect)) continue;
    if (choosing.length === 0 && isNameless(request['tool_choice']) && !when.some((one) => settlesCall(one.expect))) {
      yield nameless(draft, pathOf(['tool_choice']), request);
    }
    for (const axis of choosing) {
      if (axis.kind !== 'values' || axis.at.length > 1) continue;
      for (const [label, point] of axis.points) {
        if (point.kind === 'unset' || !isNameless(point.value) || isSettledByWhen(axis.name, label)) continue;
        yield nameless(draft, pointPath(draft, axis.name, label), request);
      }
    }
  }
}

/** Whether the suite itself says which call, or which failure, is expected. */
function settlesCall({ rejected, outcome, tool_call }: ExpectSpec): boolean {
  return rejected !== undefined || outcome !== undefined || tool_call !== undefined;
}

function isNameless(choice: Json | undefined): boolean {
  if (!isObject(choice) || (choice['type'] !== undefined && choice['type'] !== 'function')) return false;
  const name = at(choice, ['function', 'name']);
  return typeof name !== 'string' || name === '';
}

/** Points are directly under the axis, or under its `points`. */
function pointPath({ path, written }: ProbeSource, axis: string, label: string): Path {
  const points = at(written.vary as Json, [axis, 'points']) === undefined ? [] : ['points'];
  return [...path, 'vary', axis, ...points, label];
}

function nameless({ source }: ProbeSource, path: Path, request: JsonObject): Problem {
  const message = 'this tool_choice names no function, so any declared tool passes';
  const hint =
    `write { type: function, function: { name: ${toolNames(request)[0] ?? 'NAME'} } }; ` +
    'or, if this is intended, state the expectation: rejected, outcome or tool_call under expect';
  return problemAt(source, path, message, hint, { severity: 'warning' });
}

function toolNames({ tools }: JsonObject): string[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly Json[])
    .map((tool) => at(tool, ['function', 'name']))
    .filter((name): name is string => typeof name === 'string');
}
