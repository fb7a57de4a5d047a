import { formFault, hasTemplate, type BodyFault } from '../../body/fault.js';
import { relationFaults } from '../../body/relations.js';
import { formFaults, requestReader, type RequestReader } from '../../body/request-reader.js';
import type { Config } from '../../config/config.js';
import type { ConfigOrigin } from '../../config/load-config.js';
import { problemAt, hasErrors, type Problem, type Path } from '../../files/problems/problem.js';
import { isObject, type Json, type JsonObject, writtenJson, at, withValueAt } from '../../json/json.js';
import { isReachable } from '../../suite/checks/probe/check-axes.js';
import type { ProbeOrigins, ProbeOrigin } from '../../suite/checks/probe-draft.js';
import { schemasIn, checkedSchema } from '../../suite/checks/check-schemas.js';
import type { Axis, CapabilityFamily, Probe, Suite } from '../../suite/probe.js';
import { catalogueOf } from '../../suite/read/capability-catalogue.js';
import { cellBodies, differentModels, filledBodies, whereWritten } from './cell-bodies.js';
import { expectedCallProblems, unusedForms, settingsMeant, settingsProblems } from './probe-problems.js';

interface ProjectSources {
  readonly config: Config;
  readonly configOrigin: ConfigOrigin;
  readonly suites: readonly Suite[];
  readonly origins: ProbeOrigins;
}

/** A fault, and where the author wrote what is wrong. */
interface PlacedFault {
  readonly fault: BodyFault;
  readonly file: 'config' | 'suite';
  readonly path: Path;
}

interface BodyCheck extends ProjectSources {
  readonly models: ReturnType<typeof differentModels>;
  readonly families: readonly CapabilityFamily[];
  readonly read: RequestReader;
}

/**
 * Problems in the requests of a project: in each part as it is written, and in the whole bodies that the cells
 * send, where something is missing, contradicts another part, or is made by a template. Each mistake is reported once,
 * where the author wrote it.
 */
export async function bodyProblems(sources: ProjectSources): Promise<readonly Problem[]> {
  const models = differentModels(sources.config);
  const isPatched = models.some(
    ({ model: { request, settings } }) => Object.keys({ ...request, ...settings }).length > 0,
  );
  // The build has checked the suites of the package; only a patch of the config can make their bodies wrong.
  const suites = sources.suites.filter(
    ({ probes }) => isPatched || probes.some((probe) => sources.origins.get(probe)?.builtin === false),
  );
  if (suites.length === 0) return [];
  const { families } = await catalogueOf(sources.suites);
  const check = { ...sources, models, families, read: await requestReader() };
  return suites.flatMap(({ probes }) => {
    const placed = probes.flatMap((probe) => {
      const origin = check.origins.get(probe);
      return origin === undefined ? [] : [{ probe, origin }];
    });
    const problems = placed.flatMap(({ probe, origin }) => ofProbe(probe, origin, check));
    const [first] = placed;
    if (first !== undefined) {
      problems.push(...faultProblems(faultsOfDefaults(probes, first.origin, check), first.origin, check));
    }
    return problems;
  });
}

function ofProbe(probe: Probe, origin: ProbeOrigin, check: BodyCheck): Problem[] {
  const asked = [...cellBodies(probe, check.models)];
  function* faults(): Generator<PlacedFault> {
    yield* partFaults(probe, origin, check);
    for (const { cell, bodies, modelPath, incomplete } of probe.enforce === null ? asked : []) {
      for (const { step, body } of bodies) {
        for (const filled of filledBodies(body, cell)) {
          for (const fault of wholeFaults(filled, body, check.read)) {
            if (((incomplete || origin.asksNothing) && fault.kind === 'missing') || origin.deliberate.covers(fault)) {
              continue;
            }
            yield { fault, ...whereWritten(cell, step, { origin, config: check.configOrigin, modelPath }, fault.path) };
          }
        }
      }
    }
  }
  const problems = [
    ...settingsProblems(check.config, probe, origin),
    ...faultProblems(faults(), origin, check),
    ...expectedCallProblems(probe, origin, asked),
  ];
  // With another error in the probe, or a setting that is not known, these are likely its consequences.
  if (origin.hasErrors || hasErrors(problems) || asked.every(({ incomplete }) => incomplete)) return problems;
  return [...problems, ...unusedForms(probe, origin, asked, check.families), ...unusedPointers(origin)];
}

/** Each once: to find a place and to draw its code frame takes long, and many cells share a mistake. */
function faultProblems(faults: Iterable<PlacedFault>, { source }: ProbeOrigin, { configOrigin }: BodyCheck): Problem[] {
  const found = new Map<string, Problem>();
  for (const { fault, file, path } of faults) {
    const { message, hint, part, severity } = fault;
    const id = writtenJson([file, path, part, message]);
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

/** Faults that only the whole body shows, or a template that is filled. */
function* wholeFaults(filled: JsonObject, raw: JsonObject, read: RequestReader): Generator<BodyFault> {
  for (const fault of read(filled)) {
    // A filled body has no texts of messages.
    const isWhole = fault.kind === 'missing' && (filled === raw || fault.severity === 'error');
    if (isWhole || hasTemplate(at(raw, fault.path.map(String)))) yield fault;
  }
  yield* relationFaults(filled);
  for (const { schema, steps } of schemasIn(filled)) {
    if (!isObject(schema)) continue;
    if (filled === raw && hasTemplate(writtenJson(schema))) continue;
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

/**
 * Names, types and closed lists of each request and each point, as they are written. What is missing may come from
 * elsewhere.
 */
function* partFaults(probe: Probe, origin: ProbeOrigin, { config, read }: BodyCheck): Generator<PlacedFault> {
  // The build has checked the suites of the package.
  if (origin.builtin) return;
  for (const { request, pathOf } of origin.requests) {
    for (const fault of formFaults(read, request)) {
      if (!origin.deliberate.covers(fault)) yield { fault, file: 'suite', path: pathOf(fault.path) };
    }
  }
  for (const axis of probe.axes) {
    if (axis.kind !== 'values') continue;
    const faults = [...axisFaults(axis, origin, read)];
    const meant = faults.length === 0 ? null : settingsMeant(config, axis, faults);
    if (meant === null) {
      yield* faults;
    } else {
      yield { fault: meant, file: 'suite', path: [...origin.path, 'vary', axis.name] };
    }
  }
}

function* axisFaults(
  axis: Extract<Axis, { kind: 'values' }>,
  origin: ProbeOrigin,
  read: RequestReader,
): Generator<PlacedFault> {
  const requests = origin.requests.map(({ request }) => request).filter((request) => isReachable(request, axis.at));
  const holder = requests.find((request) => at(request, axis.at.slice(0, -1)) !== undefined) ?? requests[0];
  // One that leads nowhere is reported already.
  if (holder === undefined) return;
  const idOf = ({ path, message }: BodyFault): string => writtenJson([path, message]);
  const own = new Set(formFaults(read, holder).map(idOf));
  const place = [...origin.path, 'vary', axis.name];
  for (const [label, point] of axis.points) {
    // A field that is left out must still exist.
    const [value, as] = point.kind === 'unset' ? ([null, 'patch'] as const) : ([point.value, undefined] as const);
    for (const fault of formFaults(read, withValueAt(holder, axis.at, value), as)) {
      if (own.has(idOf(fault)) || origin.deliberate.covers(fault)) continue;
      const below = fault.path.length - axis.at.length;
      if (below > 0 || (below === 0 && fault.part === 'value')) {
        const path = [...origin.pointPath(axis.name, label), ...fault.path.slice(axis.at.length)];
        yield { fault, file: 'suite', path };
      } else if (axis.at.join() === axis.name) {
        yield { fault, file: 'suite', path: place };
      }
      // The fault is in a name on the way to the field.
      else {
        yield { fault: { ...fault, part: 'value' }, file: 'suite', path: [...place, 'at'] };
      }
    }
  }
}

/** Of defaults that no probe inherits: those of the others are found with their probes. */
function* faultsOfDefaults(
  probes: readonly Probe[],
  { defaults, builtin }: ProbeOrigin,
  { read }: BodyCheck,
): Generator<PlacedFault> {
  if (defaults === undefined || builtin) return;
  const requests = probes.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'ask' ? [step.request] : [])));
  const textAt = (body: Json, path: Path): string => writtenJson(at(body, path.map(String)) ?? null);
  for (const fault of formFaults(read, defaults)) {
    if (requests.some((request) => textAt(request, fault.path) === textAt(defaults, fault.path))) continue;
    yield { fault, file: 'suite', path: ['defaults', 'request', ...fault.path] };
  }
}
