import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { CapabilityFamily, Probe } from '../../suite/probe.js';
import type { ProbeOrigin } from '../../suite/probe-origin.js';
import type { CellBodies } from './cell-bodies.js';

/** A capability is no evidence for its form when no request of its cells has that form. Only a warning: names are free. */
export function unusedForms(
  probe: Probe,
  { source, path }: ProbeOrigin,
  asked: readonly CellBodies[],
  families: readonly CapabilityFamily[],
): Problem[] {
  const sent = new Map<string, JsonObject[]>();
  for (const { cell, bodies } of asked) {
    sent.set(cell.capability, [...(sent.get(cell.capability) ?? []), ...bodies.map(({ body }) => body)]);
  }
  return [...sent].flatMap(([capability, bodies]) => {
    const lacking = formsOf(capability, families).find(
      (form) => !bodies.some((body) => checkSchema(body, form).kind === 'conforms'),
    );
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
  if (own === undefined) return [];
  const labels = own.labels ?? {};
  const label = below.join('.');
  const others = families.filter(({ name }) => below.includes(name));
  return [
    own.request,
    Object.hasOwn(labels, label) ? labels[label] : undefined,
    ...others.map(({ request }) => request),
  ].flatMap((form) => (isObject(form) ? [form] : []));
}
