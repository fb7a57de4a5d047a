import type { Config, ModelConfig, TargetConfig } from '../config/config.js';
import { digest, digestOfTexts } from '../json/digest.js';
import { type Json, parsedJson, writtenJson } from '../json/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import { schemasIn } from '../suite/checks/check-schemas.js';
import type { Axis, Probe, Suite } from '../suite/probe.js';
import type { Plan, PlannedCell } from './plan.js';

/** The digests of a plan's sources: what is asked, and of whom. Places, paths and limits do not count. */
export function digestsOf(config: Config, suites: readonly Suite[]): Plan['digests'] {
  const targets = config.targets.map(({ name, baseUrl, apiKeyEnv, apiKeyCommand, headers, models }) => ({
    name,
    baseUrl,
    apiKeyEnv,
    apiKeyCommand: apiKeyCommand ?? undefined,
    headers,
    models: models.map((model) => ({
      ...model,
      place: undefined,
      concurrency: undefined,
      requestsPerMinute: undefined,
    })),
  }));
  const schemas = suites.flatMap(({ probes }) => probes.flatMap(probeSchemas).map(digest));
  return {
    config: digest(asPlainJson(targets)),
    suites: digestOfTexts(suites.map((suite) => canonicalJson(suiteFacts(suite)))),
    schemas: digest([...new Set(schemas)].sort()),
  };
}

/** Over everything that decides which requests are sent: two runs with the same digest send the same requests. */
export function planDigest(
  { config, suites }: Plan['digests'],
  cells: readonly PlannedCell[],
  { acceptedWire, ...options }: { profile: string; seed: number } & Pick<Plan, 'acceptedWire'>,
): string {
  const asked = cells.map(({ cell, ...planned }) => {
    const { key, needs, unmeetable, selected } = cell;
    return { key, needs, unmeetable, selected, ...planned };
  });
  const wire = [...acceptedWire].map(([model, { quirks, sometimes }]) => [model, quirks, sometimes]);
  // A list needs no canonical form, which would take long for thousands of planned cells.
  return digest({ ...options, config, suites, asked: writtenJson([asked, wire]) });
}

function suiteFacts({ name, title, probes, behaviours }: Suite): Json {
  return asPlainJson({
    name,
    title,
    probes: probes.map(probeFacts),
    behaviours: behaviours.map(withoutPlace),
  });
}

/** The place is not even asked for: of a built-in suite, that would read its YAML. */
function withoutPlace(one: object): object {
  const names = Object.keys(one).filter((name) => name !== 'place');
  return Object.fromEntries(names.map((name) => [name, Reflect.get(one, name)]));
}

function probeFacts(probe: Probe): object {
  const [needs, split] = [probe.needs, probe.split].map((named) => named.map((one) => one.probe));
  const samples = probe.samples.map(digest);
  return { ...withoutPlace(probe), needs, split, samples, axes: probe.axes.map(axisFacts) };
}

function axisFacts(axis: Axis): object {
  if (axis.kind === 'settings') return axis;
  return { ...axis, points: [...axis.points].map(([label, point]) => ({ label, ...point })) };
}

/** Every JSON Schema that a probe sends or expects. */
function probeSchemas({ steps, when, enforce }: Probe): Json[] {
  const asks = steps.flatMap((step) => (step.kind === 'ask' ? [step] : []));
  const expected = [...asks, ...when].map(({ expect }) => expect.schema);
  const sent = asks.flatMap(({ request }) => [...schemasIn(request)].map(({ schema }) => schema));
  return [...expected, ...sent, enforce?.schema].filter((schema) => schema !== undefined);
}

/**
 * The digest of what a config says of the requests to a model: where they go, and what is in them. What changes no
 * request, such as a price, a limit or a place in the file, does not count.
 */
export function entryDigest(
  { baseUrl, apiKeyEnv, headers }: TargetConfig,
  { id, request, rename, vars, settings, control }: ModelConfig,
): string {
  return digest(asPlainJson({ baseUrl, apiKeyEnv, headers, id, request, rename, vars, settings, control }));
}

/** A value as JSON keeps it, without undefined members. */
function asPlainJson(value: object): Json {
  return parsedJson(writtenJson(value)) as Json;
}
