import { hasTemplate } from '../../body/fault.js';
import { toolNames } from '../../body/relations.js';
import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { Probe } from '../../suite/probe.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import { isSubset } from '../cells/cell-points.js';
import { variablesOf } from '../request/request-body.js';
import { renderText, TemplateError } from '../request/template.js';
import type { Cell } from '../ticket.js';
import { filledBodies, type CellBodies } from './cell-bodies.js';

/** One `expect` with the name of a tool, and the tools that its requests declare. */
interface Expected {
  readonly path: Path;
  readonly name: string;
  readonly declared: Set<string>;
}

/** A call that is expected must be one of a tool that some request it is expected of declares. */
export function expectedCallProblems(probe: Probe, origin: ProbeOrigin, asked: readonly CellBodies[]): Problem[] {
  if (probe.enforce !== null) return [];
  const all = new Map<string, Expected>();
  for (const { cell, bodies, incomplete } of asked) {
    for (const { step, body } of bodies) {
      const written = expectedBy(cell, step, origin);
      // A setting that is not known might add the tools.
      if (written === null || (incomplete && toolNames(body).length === 0)) continue;
      for (const filled of filledBodies(body, cell)) {
        for (const name of namesOf(written.name, cell)) {
          const id = JSON.stringify([written.path, name]);
          const expected = all.get(id) ?? { path: written.path, name, declared: new Set() };
          all.set(id, expected);
          toolNames(filled).forEach((tool) => expected.declared.add(tool));
        }
      }
    }
  }
  return [...all.values()].flatMap(({ path, name, declared }) => {
    const tools = [...declared];
    if (declared.has(name) || tools.some(hasTemplate) || origin.deliberate.covers({ path: ['tools'], lacks: null }))
      return [];
    const hint = didYouMean(name, [...tools, 'optional'], 'tools') ?? 'add it under tools';
    return [problemAt(origin.source, path, `no tool of the request is called "${name}"`, hint)];
  });
}

/** The `expect` that decides which call a step of a cell expects; null when it names none. */
function expectedBy({ probe, point }: Cell, stepId: string, origin: ProbeOrigin): { path: Path; name: string } | null {
  const step = probe.steps.find(({ id }) => id === stepId);
  const own = step?.kind === 'ask' ? step.expect.tool_call : undefined;
  const layers = [
    { call: own, path: origin.requests.find((one) => one.step === stepId)?.expectPath ?? origin.path },
    ...probe.when.map(({ point: only, expect }, index) => ({
      call: isSubset(only, point) ? expect.tool_call : undefined,
      path: [...origin.path, 'when', index, 'expect'],
    })),
  ];
  const last = layers.findLast(({ call }) => call !== undefined);
  if (typeof last?.call !== 'string' || last.call === 'optional') return null;
  return { path: [...last.path, 'tool_call'], name: last.call };
}

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
