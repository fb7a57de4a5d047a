import { hasTemplate, formFault, type BodyFault } from '../../body/fault.js';
import { toolNames } from '../../body/relations.js';
import type { Point } from '../../cell/cell-key.js';
import type { Config } from '../../config/config.js';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import { problemAt, type Problem, type Path } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import type { CapabilityFamily, Probe, Axis } from '../../suite/probe.js';
import { isSubset } from '../cells/plan-cells.js';
import { variablesOf } from '../request/request-body.js';
import { renderTemplates, TemplateError } from '../request/template.js';
import type { Cell } from '../plan.js';
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
        for (const name of renderedToolNames(call, cell)) {
          declared.set(name, new Set([...(declared.get(name) ?? []), ...tools]));
        }
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
function renderedToolNames(name: string, cell: Cell): readonly string[] {
  if (!hasTemplate(name)) return [name];
  const rows = Array.from({ length: Math.max(1, cell.probe.samples.length) }, (_, sample) => sample);
  try {
    return [...new Set(rows.map((sample) => renderTemplates(name, variablesOf({ cell }, { sample })) as string))];
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/**
 * A capability is no evidence for its form when no request of its cells has that form. Only a warning: names are free.
 */
export function unusedForms(
  probe: Probe,
  { source, path }: ProbeOrigin,
  asked: readonly CellBodies[],
  families: readonly CapabilityFamily[],
): Problem[] {
  return [...groupBy(asked, ({ cell }) => cell.capability)].flatMap(([capability, cells]) => {
    const hasForm = (form: JsonObject): boolean =>
      cells.some(({ bodies }) => bodies.some(({ body }) => checkSchema(body, form).kind === 'conforms'));
    const lacking = capabilityRequests(capability, families).find((form) => !hasForm(form));
    if (lacking === undefined) return [];
    const about = lacking['description'];
    const name = `${probe.suite}/${probe.name}`;
    const message = `no request of ${name} has the form that the capability ${capability} stands for`;
    const hint = typeof about === 'string' ? `such a request has ${about}` : undefined;
    return [problemAt(source, [...path, 'capability'], message, hint, { severity: 'warning' })];
  });
}

/** Schemas of a capability's requests: `stream.json_schema` is of the family stream and of the form json_schema. */
function capabilityRequests(capability: string, families: readonly CapabilityFamily[]): readonly JsonObject[] {
  const [first = '', ...below] = capability.split('.');
  const own = families.find(({ name }) => name === first);
  const labels = new Map(Object.entries(own?.labels ?? {}));
  const others = own === undefined ? [] : families.filter(({ name }) => below.includes(name));
  return [own?.request, labels.get(below.join('.')), ...others.map(({ request }) => request)].filter(isObject);
}

/**
 * Settings and labels of settings that no model defines: what a suite says of them has no effect. A suite may be shared
 * by configs with others, so only what looks misspelt is reported; a label as an error, since the axis itself is
 * defined.
 */
export function* settingsProblems(config: Config, probe: Probe, origin: ProbeOrigin): Generator<Problem> {
  // Built-in suites know no config.
  if (origin.builtin) return;
  const { source, path } = origin;
  const axes = new Map(probe.axes.flatMap((axis) => (axis.kind === 'settings' ? [[axis.name, axis.settings]] : [])));
  if (axes.size === 0) return;
  const defined = labelsIn(config);
  for (const [name, settings] of axes) {
    const meant = defined.has(settings) ? null : nearest(settings, defined.keys());
    if (meant === null) continue;
    const what = `the settings "${settings}", which no model of the config defines`;
    const message = `${probe.suite}/${probe.name} varies ${what}`;
    const hint = `did you mean "${meant}"?`;
    yield problemAt(source, [...path, 'vary', name, 'settings'], message, hint, { severity: 'warning' });
  }
  const named: readonly (readonly [Path, Point])[] = [
    ...probe.exclude.map((point, index) => [['exclude', index], point] as const),
    ...probe.include.map((point, index) => [['include', index], point] as const),
    ...probe.when.map(({ point }, index) => [['when', index, 'point'], point] as const),
  ];
  for (const [below, point] of named) {
    for (const [name, label] of Object.entries(point)) {
      const labels = defined.get(axes.get(name) ?? '');
      if (labels === undefined || labels.has(label)) continue;
      const message = `no model of the config has the label "${label}" of ${name}`;
      const severity = nearest(label, labels) === null ? 'warning' : 'error';
      yield problemAt(source, [...path, ...below, name], message, didYouMean(label, labels, 'labels'), { severity });
    }
  }
}

/**
 * The fault where the labels of a setting stand as if they were values of a field; null: they are meant as values.
 */
export function settingsMeant(
  config: Config,
  { name, points }: Extract<Axis, { kind: 'values' }>,
  faults: readonly { readonly fault: BodyFault }[],
): BodyFault | null {
  const isText = [...points.values()].every((point) => point.kind === 'unset' || typeof point.value === 'string');
  const isDefined = labelsIn(config).has(name);
  // A service takes a mapping there.
  const isThinking = name === 'thinking' && faults.some(({ fault }) => fault.path.length === 1);
  if (!isText || !(isDefined || isThinking)) return null;
  const definition = `, and define the labels in the config, under settings: { ${name}: ... }`;
  const hint = `write ${name}: { settings: ${name} }${isDefined ? '' : definition}`;
  return formFault([name], `these are no values of the field ${name}, but labels of a setting`, hint, 'key');
}

/** The labels of each setting that some model has. */
function labelsIn({ targets }: Config): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const { settings } of targets.flatMap(({ models }) => models)) {
    for (const [axis, patches] of Object.entries(settings)) {
      const known = labels.get(axis) ?? new Set();
      Object.keys(patches).forEach((label) => known.add(label));
      labels.set(axis, known);
    }
  }
  return labels;
}
