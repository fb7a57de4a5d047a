import { formFault, type Fault } from '../../body/fault.js';
import { hasTemplate } from '../../body/has-template.js';
import { hollowFaults } from '../../body/hollow-values.js';
import { relationFaults } from '../../body/relations.js';
import type { RequestReader } from '../../body/request-reader.js';
import type { ConfigOrigin } from '../../config/load-config.js';
import type { Config } from '../../config/config.js';
import { hasErrors, type Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at, withValueAt } from '../../json/pointer.js';
import type { CapabilityFamily, Probe, Suite } from '../../suite/probe.js';
import type { ProbeOrigin } from '../../suite/probe-origin.js';
import { checkedSchema } from '../../suite/checks/schemas/checked-schema.js';
import { schemasIn } from '../../suite/checks/schemas/check-schemas.js';
import { bodyProblemFor } from './body-layers.js';
import { cellBodies, differentModels, type CellBodies, type PlacedModel } from './cell-bodies.js';
import { expectedCallProblems } from './expected-calls.js';
import { filledBodies } from './filled-bodies.js';
import { settingsLabelProblems } from './settings-labels.js';
import { unusedForms } from './unused-forms.js';

export interface BodyCheck {
  readonly config: Config;
  readonly configOrigin: ConfigOrigin;
  readonly suites: readonly Suite[];
  readonly origins: ReadonlyMap<Probe, ProbeOrigin>;
  readonly families: readonly CapabilityFamily[];
  readonly read: RequestReader;
}

/**
 * What is wrong in the bodies that the cells of a project send: what is missing, what contradicts another part, and
 * what templates make of closed lists. Each mistake is reported once, where the author wrote it.
 */
export function bodyProblems({ config, configOrigin, suites, origins, families, read }: BodyCheck): Problem[] {
  const models = differentModels(config);
  return suites
    .flatMap(({ probes }) => probes)
    .flatMap((probe) => {
      const origin = origins.get(probe);
      if (origin === undefined) return [];
      const labels = settingsLabelProblems(config, probe, origin);
      return [...labels, ...ofProbe(probe, origin, models, configOrigin, families, read)];
    });
}

function ofProbe(
  probe: Probe,
  origin: ProbeOrigin,
  models: readonly PlacedModel[],
  config: ConfigOrigin,
  families: readonly CapabilityFamily[],
  read: RequestReader,
): Problem[] {
  const problems = new Map<string, Problem>();
  const asked: CellBodies[] = [];
  for (const one of cellBodies(probe, models)) {
    asked.push(one);
    if (probe.enforce !== null) continue;
    for (const problem of ofCell(one, origin, config, read)) {
      problems.set(JSON.stringify([problem.place, problem.message]), problem);
    }
  }
  const found = [...problems.values(), ...expectedCallProblems(probe, origin, asked)];
  // With another error in the probe, or a setting that is not known, these are likely its consequences.
  if (origin.hasErrors || hasErrors(found) || !asked.some(({ incomplete }) => !incomplete)) return found;
  return [...found, ...unusedForms(probe, origin, asked, families), ...unusedPointers(origin)];
}

function* ofCell(
  { cell, bodies, modelPath, incomplete }: CellBodies,
  origin: ProbeOrigin,
  config: ConfigOrigin,
  read: RequestReader,
): Generator<Problem> {
  const known = origin.checked ? schemasOf(cell.probe) : none;
  for (const { step, body } of bodies) {
    const problemOf = bodyProblemFor(cell, step, origin, config, modelPath);
    for (const filled of filledBodies(body, cell)) {
      for (const { kind, path, lacks, part, severity, message, hint } of faultsOf(filled, body, read, known)) {
        if ((incomplete || origin.asksNothing) && kind === 'missing') continue;
        if (!origin.deliberate.covers(path, lacks)) yield problemOf(path, message, hint, { part, severity });
      }
    }
  }
}

const none: ReadonlySet<Json> = new Set();

/** The schemas that a probe's requests hold as they are written. A body shares them, unless something is merged into one. */
function schemasOf({ steps, axes }: Probe): ReadonlySet<Json> {
  const requests = steps.flatMap((step) => (step.kind === 'ask' ? [step.request] : []));
  const varied = axes.flatMap((axis) =>
    axis.kind === 'settings'
      ? []
      : [...axis.points.values()].flatMap((point) =>
          point.kind === 'unset' ? [] : [withValueAt({}, axis.at, point.value) as JsonObject],
        ),
  );
  return new Set([...requests, ...varied].flatMap((body) => [...schemasIn(body)].map(({ schema }) => schema)));
}

/** Faults of the whole body, and those that only a filled template shows. */
function* faultsOf(
  filled: JsonObject,
  raw: JsonObject,
  read: RequestReader,
  known: ReadonlySet<Json>,
): Generator<Fault> {
  for (const fault of read(filled)) {
    if (fault.kind === 'missing' || hasTemplate(at(raw, fault.path.map(String)))) yield fault;
  }
  yield* relationFaults(filled);
  // A filled body has no texts of messages.
  if (filled === raw) yield* hollowFaults(raw);
  for (const { schema, steps } of schemasIn(filled)) {
    if (!isObject(schema) || known.has(schema) || (filled === raw && hasTemplate(JSON.stringify(schema)))) continue;
    const compiled = checkedSchema(schema);
    if (compiled.ok) continue;
    const { message, hint, below } = compiled;
    yield formFault([...steps, ...below], message, hint);
  }
}

/** A pointer under `deliberate` that names nothing wrong is itself a mistake, such as a typo. */
function unusedPointers({ source, path, deliberate }: ProbeOrigin): Problem[] {
  return deliberate.unused().map((index) => {
    const place = [...path, 'deliberate', index];
    const message = 'nothing is wrong at this place of the requests';
    return problemAt(source, place, message, 'remove it, or correct the pointer', { severity: 'warning' });
  });
}
