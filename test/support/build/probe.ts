import type { Json } from '../../../src/json/json.js';
import type { Axis, PointValue, Probe, Suite } from '../../../src/suite/probe.js';

const place = { file: 'suite.yaml', line: 1, column: 1 };

/** A probe by its path, `SUITE/NAME`, with one plain request. */
export function aProbe(path = 'suite/probe', changes: Partial<Probe> = {}): Probe {
  const [suite = '', name = ''] = path.split('/');
  return {
    ...{ suite, name, title: `Title of ${path}`, capability: 'chat', tags: [], needs: [], place },
    ...{ axes: [], combine: 'product', fill: 0, split: [], exclude: [], include: [], when: [], samples: [] },
    steps: [{ kind: 'ask', id: 'request', request: { messages: [] }, expect: {} }],
    ...{ vars: {}, trials: null, retry: null, find: null, enforce: null, load: [] },
    ...changes,
  };
}

export function aSuite(name: string, probes: readonly Probe[]): Suite {
  return { name, title: name, file: `${name}.yaml`, probes, behaviours: [], families: [], forms: [], evidence: [] };
}

/** An axis of named values; undefined leaves the field out. */
export function aValuesAxis(name: string, points: Readonly<Record<string, Json | undefined>>, at = [name]): Axis {
  const entries = Object.entries(points).map(([label, value]): [string, PointValue] => [
    label,
    value === undefined ? { kind: 'unset' } : { kind: 'value', value },
  ]);
  return { kind: 'values', name, at, points: new Map(entries), listed: false };
}

export function aSettingsAxis(name: string, settings = name): Axis {
  return { kind: 'settings', name, settings };
}
