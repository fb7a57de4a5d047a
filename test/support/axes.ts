import type { Config, TargetConfig } from '../../src/config/config.js';
import type { Json } from '../../src/json/json.js';
import type { Axis, PointValue, Probe, Suite } from '../../src/suite/probe.js';

/** Named points of an axis; undefined leaves the field out. */
export function valuesAxis(name: string, points: Readonly<Record<string, Json | undefined>>, at = [name]): Axis {
  const entries = Object.entries(points).map(([label, value]): [string, PointValue] => [
    label,
    value === undefined ? { kind: 'unset' } : { kind: 'value', value },
  ]);
  return { kind: 'values', name, at, points: new Map(entries), listed: false };
}

export function settingsAxis(name: string, settings = name): Axis {
  return { kind: 'settings', name, settings };
}

export function suiteOf(name: string, probes: readonly Probe[]): Suite {
  return { name, title: name, file: `${name}.yaml`, probes, behaviours: [], families: [], forms: [] };
}

export function configOf(targets: readonly TargetConfig[]): Config {
  return {
    file: 'chatspec.yaml',
    targets,
    suites: [],
    baseline: null,
    out: 'reports/runs/{stamp}',
    budget: { requests: null, tokens: null, cost: null },
    maxUnmeasured: 0.1,
    redact: [],
  };
}
