import { formFault, hasTemplate, type Fault } from '../../body/fault.js';
import { relationFaults } from '../../body/relations.js';
import { requestReader, type RequestReader } from '../../body/request-reader.js';
import type { Config } from '../../config/config.js';
import type { ConfigOrigin } from '../../config/load-config.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { hasErrors, type Problem } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import { isObject, type JsonObject } from '../../json/json.js';
import { at } from '../../json/pointer.js';
import { checkSchema } from '../../judge/schema/conformance.js';
import type { Origins, ProbeOrigin } from '../../suite/checks/probe-draft.js';
import { schemasIn, checkedSchema } from '../../suite/checks/schemas/check-schemas.js';
import type { CapabilityFamily, Probe, Suite } from '../../suite/probe.js';
import { catalogueOf } from '../../suite/read/capability-catalogue.js';
import {
  cellBodies,
  differentModels,
  filledBodies,
  whereWritten,
  type PlacedModel,
  type CellBodies,
} from './cell-bodies.js';
import { expectedCallProblems } from './expected-calls.js';
import { faultsOfDefaults, partFaults, type PlacedFault } from './part-faults.js';
import { settingsProblems } from './settings-problems.js';

interface ProjectSources {
  readonly config: Config;
  readonly configOrigin: ConfigOrigin;
  readonly suites: readonly Suite[];
  readonly origins: Origins;
}

interface BodyCheck extends ProjectSources {
  readonly families: readonly CapabilityFamily[];
  readonly read: RequestReader;
}

/**
 * What is wrong in the requests of a project: in each part as it is written, and in the whole bodies that the cells send,
 * where something is missing, contradicts another part, or is made by a template. Each mistake is told once, where the
 * author wrote it.
 */
export async function bodyProblems(sources: ProjectSources): Promise<readonly Problem[]> {
  const models = differentModels(sources.config);
  const isPatched = models.some(
    ({ model: { request, settings } }) => Object.keys({ ...request, ...settings }).length > 0,
  );
  // The build has checked the suites of the package; only a patch of the config can make their bodies wrong.
  const suites = sources.suites.filter(
    ({ probes }) => isPatched || probes.some((probe) => sources.origins.get(probe)?.checked === false),
  );
  if (suites.length === 0) return [];
  const check = { ...sources, read: await requestReader(), families: (await catalogueOf(sources.suites)).families };
  return suites.flatMap(({ probes }) => {
    const placed = probes.flatMap((probe) => {
      const origin = check.origins.get(probe);
      return origin === undefined ? [] : [{ probe, origin }];
    });
    const problems = placed.flatMap(({ probe, origin }) => ofProbe(probe, origin, models, check));
    const defaults = placed[0]?.origin;
    return [
      ...problems,
      ...(defaults === undefined ? [] : told(faultsOfDefaults(probes, defaults, check), defaults, check)),
    ];
  });
}

function ofProbe(probe: Probe, origin: ProbeOrigin, models: readonly PlacedModel[], check: BodyCheck): Problem[] {
  const asked = [...cellBodies(probe, models)];
  function* faults(): Generator<PlacedFault> {
    yield* partFaults(probe, origin, check);
    for (const { cell, bodies, modelPath, incomplete } of probe.enforce === null ? asked : []) {
      for (const { step, body } of bodies) {
        for (const filled of filledBodies(body, cell)) {
          for (const fault of wholeFaults(filled, body, check.read)) {
            if (((incomplete || origin.asksNothing) && fault.kind === 'missing') || origin.deliberate.covers(fault))
              continue;
            yield { fault, ...whereWritten(cell, step, { origin, config: check.configOrigin, modelPath }, fault.path) };
          }
        }
      }
    }
  }
  const problems = [
    ...settingsProblems(check.config, probe, origin),
    ...told(faults(), origin, check),
    ...expectedCallProblems(probe, origin, asked),
  ];
  // With another error in the probe, or a setting that is not known, these are likely its consequences.
  if (origin.hasErrors || hasErrors(problems) || asked.every(({ incomplete }) => incomplete)) return problems;
  return [...problems, ...unusedForms(probe, origin, asked, check.families), ...unusedPointers(origin)];
}

/** Each once: to find a place and to draw its code frame takes long, and many cells share a mistake. */
function told(faults: Iterable<PlacedFault>, { source }: ProbeOrigin, { configOrigin }: BodyCheck): Problem[] {
  const found = new Map<string, Problem>();
  for (const { fault, file, path } of faults) {
    const { message, hint, part, severity } = fault;
    const id = JSON.stringify([file, path, part, message]);
    if (found.has(id)) continue;
    const options = { part, severity };
    found.set(
      id,
      file === 'config'
        ? configOrigin.problemAt(path, message, hint, options)
        : problemAt(source, path, message, hint, options),
    );
  }
  return [...found.values()];
}

/** What only the whole body shows, or a template that is filled. */
function* wholeFaults(filled: JsonObject, raw: JsonObject, read: RequestReader): Generator<Fault> {
  for (const fault of read(filled)) {
    // A filled body has no texts of messages.
    const isWhole = fault.kind === 'missing' && (filled === raw || fault.severity === 'error');
    if (isWhole || hasTemplate(at(raw, fault.path.map(String)))) yield fault;
  }
  yield* relationFaults(filled);
  for (const { schema, steps } of schemasIn(filled)) {
    if (!isObject(schema)) continue;
    if (filled === raw && hasTemplate(JSON.stringify(schema))) continue;
    const compiled = checkedSchema(schema);
    if (!compiled.ok) yield formFault([...steps, ...compiled.below], compiled.message, compiled.hint);
  }
}

/** A pointer under `deliberate` that names nothing wrong is itself a mistake, such as a typo. */
function unusedPointers({ source, path, deliberate }: ProbeOrigin): Problem[] {
  return deliberate.unused().map((index) => {
    const message = 'nothing is wrong at this place of the requests';
    const hint = 'remove it, or correct the pointer';
    return problemAt(source, [...path, 'deliberate', index], message, hint, { severity: 'warning' });
  });
}

/** A capability is no evidence for its form when no request of its cells has that form. Only a warning: names are free. */
function unusedForms(
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
