import type { Config, ModelConfig, TargetConfig } from '../config/config.js';
import { canonicalJson } from '../json/canonical-json.js';
import { digest, digestOfTexts } from '../json/digest.js';
import type { Json, JsonObject } from '../json/json.js';
import { schemasIn } from '../suite/checks/schemas/check-schemas.js';
import type { Axis, Probe, Suite } from '../suite/probe.js';
import type { Plan, Ticket } from './ticket.js';

/** The digests of a plan's sources: what is asked, and of whom. Places, paths and limits do not count. */
export function digestsOf(config: Config, suites: readonly Suite[]): Plan['digests'] {
  return {
    config: digest(
      config.targets.map(({ name, baseUrl, apiKeyEnv, headers, models }) => ({
        name,
        baseUrl,
        apiKeyEnv,
        headers: plain(headers),
        models: models.map(modelFacts),
      })),
    ),
    suites: digestOfTexts(suites.map((suite) => digestedSuite(suite).text)),
    schemas: digest([...new Set(suites.flatMap((suite) => digestedSuite(suite).schemas))].sort()),
  };
}

interface DigestedSuite {
  /** Its canonical JSON. */
  readonly text: string;
  /** The digests of its schemas. */
  readonly schemas: readonly string[];
}

const digestedSuites = new WeakMap<Suite, DigestedSuite>();

/** Once for a suite, however many plans are made with it: it takes longer than the rest of a small plan. */
function digestedSuite(suite: Suite): DigestedSuite {
  const known = digestedSuites.get(suite) ?? {
    text: canonicalJson(suiteFacts(suite)),
    schemas: suite.probes.flatMap(schemasOf).map(digest),
  };
  digestedSuites.set(suite, known);
  return known;
}

/** Over everything that decides which requests are sent: two runs with the same digest send the same requests. */
export function planDigest(
  { config, suites }: Plan['digests'],
  tickets: readonly Ticket[],
  { acceptedWire, ...options }: { profile: string; seed: number } & Pick<Plan, 'acceptedWire'>,
): string {
  const asked = tickets.map(({ cell, ...ticket }) => {
    const { key, needs, unmeetable, selected } = cell;
    return { key, needs, unmeetable, selected, ...ticket };
  });
  const wire = [...acceptedWire].map(([model, { quirks, sometimes }]) => [model, quirks, sometimes]);
  // A list needs no canonical form, which would take long for thousands of tickets.
  return digest({ ...options, config, suites, asked: JSON.stringify([asked, wire]) });
}

function modelFacts(model: ModelConfig): Json {
  return plain({ ...model, place: undefined, concurrency: undefined });
}

function suiteFacts({ name, title, probes, behaviours }: Suite): Json {
  return {
    name,
    title,
    probes: probes.map(probeFacts),
    behaviours: behaviours.map((behaviour) => plain({ ...behaviour, place: undefined })),
  };
}

function probeFacts(probe: Probe): Json {
  const [needs, split] = [probe.needs, probe.split].map((named) => named.map((one) => one.probe));
  const samples = probe.samples.map(rowDigest);
  return plain({ ...probe, place: undefined, needs, split, samples, axes: probe.axes.map(axisFacts) });
}

const rowDigests = new WeakMap<JsonObject, string>();

/** By row: probes share the rows of their sample files, which are the largest part of a suite. */
function rowDigest(row: JsonObject): string {
  const known = rowDigests.get(row) ?? digest(row);
  rowDigests.set(row, known);
  return known;
}

function axisFacts(axis: Axis): Json {
  if (axis.kind === 'settings') return plain(axis);
  return plain({ ...axis, points: [...axis.points].map(([label, point]) => ({ label, ...point })) });
}

/** Every JSON Schema that a probe sends or expects. */
function schemasOf({ steps, when, enforce }: Probe): Json[] {
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
  return digest(plain({ baseUrl, apiKeyEnv, headers, id, request, rename, vars, settings, control }));
}

/** A value as JSON keeps it, without undefined members. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
