import { hasTemplate } from '../../body/fault.js';
import { toolNames } from '../../body/relations.js';
import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import type { Probe } from '../../suite/probe.js';
import { isSubset } from '../cells/plan-cells.js';
import { variablesOf } from '../request/request-body.js';
import { renderText, TemplateError } from '../request/template.js';
import type { Cell } from '../ticket.js';
import { filledBodies, type CellBodies } from './cell-bodies.js';

/** A call that is expected must be one of a tool that some request declares of which it is expected. */
export function* expectedCallProblems(
  probe: Probe,
  origin: ProbeOrigin,
  asked: readonly CellBodies[],
): Generator<Problem> {
  if (probe.enforce !== null) return;
  for (const [index, { expect, path }] of origin.expectations.entries()) {
    const { tool_call: call } = expect;
    if (typeof call !== 'string' || call === 'optional') continue;
    const step = origin.requests[index]?.step;
    const point = probe.when[index - origin.requests.length]?.point ?? {};
    const declared = new Map<string, Set<string>>();
    for (const { cell, bodies, incomplete } of asked) {
      if (!isSubset(point, cell.point)) continue;
      for (const { body } of bodies.filter((one) => step === undefined || one.step === step)) {
        // A setting that is not known might add the tools.
        if (incomplete && toolNames(body).length === 0) continue;
        const tools = [...filledBodies(body, cell)].flatMap(toolNames);
        for (const name of namesOf(call, cell)) declared.set(name, new Set([...(declared.get(name) ?? []), ...tools]));
      }
    }
    for (const [name, tools] of declared) {
      if (tools.has(name) || [...tools].some(hasTemplate)) continue;
      if (origin.deliberate.covers({ path: ['tools'], lacks: null })) continue;
      const hint = didYouMean(name, [...tools, 'optional'], 'tools') ?? 'add it under tools';
      yield problemAt(origin.source, [...path, 'tool_call'], `no tool of the request is called "${name}"`, hint);
    }
  }
}

/** The name of a tool, for each sample row where it is a template. */
function namesOf(name: string, cell: Cell): readonly string[] {
  if (!hasTemplate(name)) return [name];
  const rows = Array.from({ length: Math.max(1, cell.probe.samples.length) }, (_, sample) => sample);
  try {
    return [...new Set(rows.map((sample) => renderText(name, variablesOf({ cell }, { sample }))))];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
