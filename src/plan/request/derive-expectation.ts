import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { derive, explicit, type Expectation, type ExpectSpec } from '../../judge/expectation.js';
import { askStep, firstAsk } from './request-body.js';
import type { Cell, Ticket } from '../ticket.js';
import { echoName } from './echo-request.js';
import { isSubset } from '../cells/plan-cells.js';
import { renderTemplates } from './template.js';

/**
 * What passes. It is derived from the body as sent, overridden by the suite's `expect` and then by every `when` that
 * matches the cell's labels, in order. In a flow a `when` applies to each step. Templates are filled from `values`;
 * throws a {@link TemplateError} for one that cannot be filled.
 */
export function expectationOf({ cell }: Ticket, stepId: string, body: Json, values: JsonObject): Expectation {
  const spec = renderTemplates(specOf(cell, stepId) as Json, values) as ExpectSpec;
  const derived = derive(isObject(body) ? withOwnNames(body, cell.model.rename) : {});
  return explicit(cell.probe.enforce === null ? derived : echoed(derived, cell), spec);
}

function specOf(cell: Cell, stepId: string): ExpectSpec {
  const { probe, point } = cell;
  const step = probe.enforce === null ? askStep(probe, stepId) : firstAsk(probe);
  const applicable = probe.when.filter((when) => isSubset(when.point, point)).map((when) => when.expect);
  return [effectOf(cell), step?.expect ?? {}, ...applicable].reduce<ExpectSpec>(merged, {});
}

/** What the usual labels of a setting do to an answer, by the name that the setting has in the config. */
const effects = new Map<string, ExpectSpec['reasoning']>([
  ...['thinking=enabled', 'thinking=on', 'reasoning_effort=high'].map((one) => [one, 'present'] as const),
  ...['thinking=disabled', 'thinking=off', 'reasoning_effort=none'].map((one) => [one, 'absent'] as const),
]);

/** A setting that a probe varies is judged by what it does; a search for a threshold asks for something else. */
function effectOf({ probe, point }: Cell): ExpectSpec {
  if (probe.find !== null || probe.enforce !== null) return {};
  const varied = probe.axes.flatMap((axis) => (axis.kind === 'settings' ? [axis] : []));
  const reasoning = varied.map(({ settings, name }) => effects.get(`${settings}=${point[name] ?? ''}`)).find(Boolean);
  return reasoning === undefined ? {} : { reasoning };
}

/** Member by member: `rejected` is merged, and anything else (a schema, a list) is replaced whole. */
function merged(under: ExpectSpec, over: ExpectSpec): ExpectSpec {
  const rejected = { ...under.rejected, ...over.rejected };
  const both = { ...under, ...over };
  return Object.keys(rejected).length === 0 ? both : { ...both, rejected };
}

/** The schema is checked even if the request does not contain it, to show whether the model would break it. */
type Derived = ReturnType<typeof derive>;

function echoed(derived: Derived, { probe, point }: Cell): Derived {
  if (point['channel'] === 'tools') return { ...derived, toolCall: { kind: 'named', name: echoName } };
  return { ...derived, content: 'json', schema: probe.enforce?.schema ?? null };
}

/** The body under the specification's names, where the model has its own. */
function withOwnNames(body: JsonObject, rename: Readonly<Record<string, string>>): JsonObject {
  const own = new Map(Object.entries(rename).map(([name, renamedTo]) => [renamedTo, name]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [own.get(name) ?? name, value]));
}
