import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import { pointOf } from './check-points.js';
import type { Axis, Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';
import { partsOf } from './request-parts.js';

/**
 * The object form of `tool_choice` without a function's name leaves open which call passes. Only a warning, since the
 * body is sent as it stands, a broken one too; none where the suite itself says what is expected.
 */
export function* toolChoiceProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
): Generator<Problem> {
  const choosing = axes.filter((axis) => axis.kind === 'values' && axis.at[0] === 'tool_choice');
  const saidWhen = (axis: string, label: string): boolean =>
    (probe.written.when ?? []).some(({ point, expect }) => {
      const only = pointOf(point)[axis];
      return isSaid(expect) && (only === undefined || only === label);
    });
  for (const { request, expect, placeOf } of partsOf(probe, steps).requests) {
    if (isSaid(expect)) continue;
    if (choosing.length === 0 && isNameless(request['tool_choice']) && !(probe.written.when ?? []).some(saysSo)) {
      yield nameless(probe, placeOf(['tool_choice']), request);
    }
    for (const axis of choosing) {
      if (axis.kind !== 'values' || axis.at.length > 1) continue;
      for (const [label, point] of axis.points) {
        if (point.kind === 'unset' || !isNameless(point.value) || saidWhen(axis.name, label)) continue;
        yield nameless(probe, pointPath(probe, axis.name, label), request);
      }
    }
  }
}

const saysSo = ({ expect }: { readonly expect: ExpectSpec }): boolean => isSaid(expect);

function isSaid({ rejected, outcome, tool_call }: ExpectSpec): boolean {
  return rejected !== undefined || outcome !== undefined || tool_call !== undefined;
}

function isNameless(choice: Json | undefined): boolean {
  if (!isObject(choice) || (choice['type'] !== undefined && choice['type'] !== 'function')) return false;
  const name = at(choice, ['function', 'name']);
  return typeof name !== 'string' || name === '';
}

/** Points stand under the axis, or under its `points`. */
function pointPath({ path, written }: ProbeSource, axis: string, label: string): Path {
  const points = at(written.vary as Json, [axis, 'points']) === undefined ? [] : ['points'];
  return [...path, 'vary', axis, ...points, label];
}

function nameless({ source }: ProbeSource, path: Path, { tools }: JsonObject): Problem {
  const first = Array.isArray(tools) ? at((tools as readonly Json[])[0] ?? null, ['function', 'name']) : undefined;
  const name = typeof first === 'string' ? first : 'NAME';
  const message = 'this tool_choice names no function, so that any declared tool passes';
  const hint =
    `write { type: function, function: { name: ${name} } }; ` +
    'or, if it is meant as it stands, say what is expected: rejected, outcome or tool_call under expect';
  return problemAt(source, path, message, hint, { severity: 'warning' });
}
