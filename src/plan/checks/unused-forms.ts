import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import { groupBy } from '../../json/group-by.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import type { CapabilityFamily, Probe } from '../../suite/probe.js';
import type { CellBodies } from './cell-bodies.js';

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
