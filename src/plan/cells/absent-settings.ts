import type { ModelConfig } from '../../config/config.js';
import { groupBy } from '../../json/group-by.js';
import type { Axis, Probe } from '../../suite/probe.js';

type SettingsAxis = Extract<Axis, { readonly kind: 'settings' }>;

/** A setting that the config does not define for a model, and the probes that therefore have no such cells for it. */
export interface AbsentSetting {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** The name under `settings`. */
  readonly settings: string;
  /** A label that only an `include` names; null: the model has none of the axis. */
  readonly label: string | null;
  /** `SUITE/PROBE` */
  readonly probes: readonly string[];
  /** Labels that these probes name, so that a report can show what to define. */
  readonly labels: readonly string[];
}

/** One probe's part of it. */
export interface Absence {
  readonly probe: Probe;
  readonly model: ModelConfig;
  readonly settings: string;
  readonly label: string | null;
}

/** What a probe would ask of a model if the config defined it. */
export function absencesOf(probe: Probe, model: ModelConfig): readonly Absence[] {
  const axes = settingsAxes(probe);
  const undefinedAxes = axes.filter(({ settings }) => labelsOf(model, settings).length === 0);
  if (undefinedAxes.length > 0) {
    return undefinedAxes.map(({ settings }) => ({ probe, model, settings, label: null }));
  }
  return axes.flatMap(({ name, settings }) => {
    const defined = labelsOf(model, settings);
    const missing = new Set(labelsIn(probe.include, name).filter((label) => !defined.includes(label)));
    return [...missing].map((label) => ({ probe, model, settings, label }));
  });
}

/** The labels that the config defines for the model; empty where it does not define the setting. */
export function labelsOf({ settings }: Pick<ModelConfig, 'settings'>, name: string): readonly string[] {
  return Object.hasOwn(settings, name) ? Object.keys(settings[name] ?? {}) : [];
}

/** The absences of all probes, one entry for each model, setting and label. */
export function collectedAbsences(absences: readonly Absence[]): readonly AbsentSetting[] {
  const groups = groupBy(absences, ({ model, settings, label }) => JSON.stringify([model.key, settings, label]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { model, settings, label } = first;
    const probes = group.map(({ probe }) => `${probe.suite}/${probe.name}`);
    const labels = label === null ? group.flatMap(({ probe }) => namedLabels(probe, settings)) : [label];
    return [{ model: model.key, settings, label, probes: [...new Set(probes)], labels: [...new Set(labels)] }];
  });
}

/** What the config would have to define: `no settings "thinking" and "effort=low"`. */
export function settingsLacking(absences: readonly Pick<Absence, 'settings' | 'label'>[]): string {
  const names = absences.map(({ settings, label }) => (label === null ? settings : `${settings}=${label}`));
  return `no settings "${[...new Set(names)].join('" and "')}"`;
}

function namedLabels(probe: Probe, settings: string): readonly string[] {
  const points = [...probe.when.map(({ point }) => point), ...probe.include, ...probe.exclude];
  return settingsAxes(probe)
    .filter((axis) => axis.settings === settings)
    .flatMap(({ name }) => labelsIn(points, name));
}

const labelsIn = (points: Probe['include'], axis: string): readonly string[] =>
  points.flatMap((point) => (Object.hasOwn(point, axis) ? [point[axis] ?? ''] : []));

function settingsAxes({ axes, find }: Probe): readonly SettingsAxis[] {
  return axes.filter((axis): axis is SettingsAxis => axis.kind === 'settings' && axis.name !== find?.axis);
}
