import type { Config, ModelConfig } from '../config/config.js';
import { canonicalJson } from '../json/canonical-json.js';
import { digest, digestOfTexts } from '../json/digest.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Axis, Probe, Suite } from '../suite/probe.js';
import { plain } from './plain.js';
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
  digests: Plan['digests'],
  tickets: readonly Ticket[],
  {
    acceptedWire,
    ...options
  }: { readonly profile: string; readonly seed: number } & Partial<Pick<Plan, 'acceptedWire'>>,
): string {
  const asked = tickets.map(({ cell, expected, course, trials, confirm }) => {
    const { key, needs, unmeetable, selected } = cell;
    // Runs that were begun when this course had another name can still be resumed.
    const courseWord = course === 'sequential' ? 'decided' : course;
    return [
      key,
      needs,
      unmeetable,
      selected,
      expectedFacts(expected),
      courseWord,
      Object.entries(trials).sort(),
      confirm,
    ];
  });
  // A list needs no canonical form, which would take long for thousands of tickets.
  const wire = [...(acceptedWire ?? [])].map(([model, { quirks, sometimes }]) => [model, quirks, sometimes]);
  return digest({
    ...{ config: digests.config, suites: digests.suites, ...options, asked: JSON.stringify(asked) },
    // Runs that were begun with a baseline that knows nothing of the wire can still be resumed.
    ...(wire.length > 0 && { wire: JSON.stringify(wire) }),
  });
}

function expectedFacts(expected: Ticket['expected']): unknown {
  if (expected.kind === 'new') return expected.kind;
  if (expected.kind === 'entry') return Object.entries(expected.entry).sort();
  // Runs that were begun with a baseline that did not count trials can still be resumed.
  return [
    expected.kind,
    expected.threshold,
    ...(expected.trials === undefined ? [] : [expected.trials]),
    ...(expected.failsAt === undefined ? [] : [{ failsAt: expected.failsAt }]),
  ];
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
  const expected = [
    ...steps.flatMap((step) => (step.kind === 'ask' ? [step.expect] : [])),
    ...when.map((w) => w.expect),
  ];
  const sent = steps.flatMap((step) => (step.kind === 'ask' ? requestSchemas(step.request) : []));
  const schemas = [...expected.map((spec) => spec.schema), ...sent, enforce?.schema];
  return schemas.filter((schema) => schema !== undefined);
}

function requestSchemas({ response_format: format, tools }: Readonly<Record<string, Json>>): (Json | undefined)[] {
  const schema = isObject(format) && isObject(format['json_schema']) ? format['json_schema']['schema'] : undefined;
  const parameters = Array.isArray(tools)
    ? (tools as readonly Json[]).map((tool) =>
        isObject(tool) && isObject(tool['function']) ? tool['function']['parameters'] : undefined,
      )
    : [];
  return [schema, ...parameters];
}
