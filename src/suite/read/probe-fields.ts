import { defaultTest } from '../../stats/sequential-test.js';
import type { Point } from '../../cell/cell-key.js';
import type { EnforceSpec, FindSpec, RetrySpec, TrialsSpec } from '../probe.js';
import type { PointFile, ProbeFile } from '../suite-file.js';

export function trialsOf({ trials }: ProbeFile): TrialsSpec | null {
  if (trials === undefined) return null;
  if (typeof trials === 'number') return { kind: 'count', count: trials };
  const {
    reliable = defaultTest.reliable,
    broken = defaultTest.broken,
    error = defaultTest.error,
    max = defaultTest.max,
  } = trials;
  return { kind: 'decided', reliable, broken, error, max };
}

export function retryOf({ retry }: ProbeFile): RetrySpec | null {
  return retry === undefined ? null : { on: retry.on, max: retry.max ?? 1, temperature: retry.temperature ?? 0 };
}

export function findOf({ find }: ProbeFile): FindSpec | null {
  return find === undefined ? null : { ...find, tolerance: find.tolerance ?? 0.125 };
}

export function enforceOf({ enforce }: ProbeFile): EnforceSpec | null {
  if (enforce === undefined) return null;
  const { keyword, schema, valid, invalid } = enforce;
  return { keyword, schema, valid, invalid };
}

/** Labels are texts, however they are written: `512` and `"512"` are the same. */
export function pointOf(written: PointFile): Point {
  return Object.fromEntries(Object.entries(written).map(([axis, label]) => [axis, String(label)]));
}
