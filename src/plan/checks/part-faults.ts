import type { Fault } from '../../body/fault.js';
import { formFaults, type RequestReader } from '../../body/request-reader.js';
import type { Config } from '../../config/config.js';
import type { Path } from '../../files/source.js';
import type { Json } from '../../json/json.js';
import { at, withValueAt } from '../../json/pointer.js';
import type { ProbeOrigin } from '../../suite/checks/probe-draft.js';
import { isReachable } from '../../suite/checks/probe/check-axes.js';
import type { Axis, Probe } from '../../suite/probe.js';
import { axisForm } from '../../suite/read/read-axes.js';
import { settingsMeant } from './settings-problems.js';

/** A fault, and where the author wrote what is wrong. */
export interface PlacedFault {
  readonly fault: Fault;
  readonly file: 'config' | 'suite';
  readonly path: Path;
}

interface PartCheck {
  readonly config: Config;
  readonly read: RequestReader;
}

/** Names, types and closed lists of each request and each point, as they are written. What is missing may come from elsewhere. */
export function* partFaults(probe: Probe, origin: ProbeOrigin, { config, read }: PartCheck): Generator<PlacedFault> {
  // The build has checked the suites of the package.
  if (origin.checked) return;
  for (const { request, pathOf } of origin.requests) {
    for (const fault of formFaults(read, request)) {
      if (!origin.deliberate.covers(fault)) yield { fault, file: 'suite', path: pathOf(fault.path) };
    }
  }
  for (const axis of probe.axes) {
    if (axis.kind !== 'values') continue;
    const faults = [...axisFaults(axis, origin, read)];
    const meant = faults.length === 0 ? null : settingsMeant(config, axis, faults);
    if (meant === null) yield* faults;
    else yield { fault: meant, file: 'suite', path: [...origin.path, 'vary', axis.name] };
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
  const idOf = ({ path, message }: Fault): string => JSON.stringify([path, message]);
  const own = new Set(formFaults(read, holder).map(idOf));
  const form = axisForm(origin.written.vary?.[axis.name] ?? []);
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
      } else if (form.kind === 'values' && form.at !== null) {
        // The fault is in a name on the way to the field.
        yield { fault: { ...fault, part: 'value' }, file: 'suite', path: [...place, 'at'] };
      } else yield { fault, file: 'suite', path: place };
    }
  }
}

/** Of defaults that no probe inherits: those of the others are found with their probes. */
export function* faultsOfDefaults(
  probes: readonly Probe[],
  { defaults, checked }: ProbeOrigin,
  { read }: PartCheck,
): Generator<PlacedFault> {
  if (defaults === undefined || checked) return;
  const requests = probes.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'ask' ? [step.request] : [])));
  const textAt = (body: Json, path: Path): string => JSON.stringify(at(body, path.map(String)) ?? null);
  for (const fault of formFaults(read, defaults)) {
    if (requests.some((request) => textAt(request, fault.path) === textAt(defaults, fault.path))) continue;
    yield { fault, file: 'suite', path: ['defaults', 'request', ...fault.path] };
  }
}
