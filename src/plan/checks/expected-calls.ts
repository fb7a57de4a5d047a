import { hasTemplate } from '../../body/fault.js';
import { toolNames } from '../../body/relations.js';
import { groupBy } from '../../json/group-by.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import type { CapabilityFamily, Probe } from '../../suite/probe.js';
import { isSubset } from '../cells/plan-cells.js';
import { variablesOf } from '../request/request-body.js';
import { renderTemplates, TemplateError } from '../request/template.js';
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
    return [...new Set(rows.map((sample) => renderTemplates(name, variablesOf({ cell }, { sample })) as string))];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/** A capability is no evidence for its form when no request of its cells has that form. Only a warning: names are free. */
export function unusedForms(
  probe: Probe,
  { source, path }: ProbeOrigin,
  asked: readonly CellBodies[],
  families: readonly CapabilityFamily[],
): Problem[] {
  return [...groupBy(asked, ({ cell }) => cell.capability)].flatMap(([capability, cells]) => {
    const hasForm = (form: JsonObject): boolean =>
      cells.some(({ bodies }) => bodies.some(({ body }) => checkSchema(body, form).kind === 'conforms'));
    const lacking = formsOf(capability, families).find((form) => !hasForm(form));
    if (lacking === undefined) return [];
    const about = lacking['description'];
    const message = `no request of ${probe.suite}/${probe.name} has the form that the capability ${capability} stands for`;
    const hint = typeof about === 'string' ? `such a request has ${about}` : undefined;
    return [problemAt(source, [...path, 'capability'], message, hint, { severity: 'warning' })];
  });
}

/** What the requests of a capability must be: `stream.json_schema` is of the family stream and of the form json_schema. */
function formsOf(capability: string, families: readonly CapabilityFamily[]): readonly JsonObject[] {
  const [first = '', ...below] = capability.split('.');
  const own = families.find(({ name }) => name === first);
  const labels = new Map(Object.entries(own?.labels ?? {}));
  const others = own === undefined ? [] : families.filter(({ name }) => below.includes(name));
  return [own?.request, labels.get(below.join('.')), ...others.map(({ request }) => request)].filter(isObject);
}
