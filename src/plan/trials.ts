import type { Probe, TrialsSpec } from '../suite/probe.js';
import type { CourseName, Profile } from './ticket.js';

/** The sequential test where nothing else is written. */
const decidedByDefault = { kind: 'decided', reliable: 0.95, broken: 0.7, error: 0.05, max: 40 } as const;

/**
 * How often a probe is asked: `exactly` when given; once in `smoke`; the probe's own number, else once, in `standard`;
 * until decided in `certify`, at least the probe's own number.
 */
export function trialsOf(probe: Probe, profile: Profile, exactly: number | null): TrialsSpec {
  if (exactly !== null) return { kind: 'count', count: exactly };
  if (profile === 'smoke') return { kind: 'count', count: 1 };
  if (profile === 'standard') return probe.trials ?? { kind: 'count', count: 1 };
  if (probe.trials?.kind === 'decided') return probe.trials;
  const min = probe.trials?.count ?? 1;
  return { ...decidedByDefault, min, max: Math.max(decidedByDefault.max, min) };
}

/** Which course reaches the verdict. */
export function courseOf(probe: Probe, trials: TrialsSpec): CourseName {
  if (probe.find !== null) return 'find';
  if (probe.enforce !== null) return 'enforce';
  return trials.kind === 'decided' ? 'decided' : 'fixed';
}
