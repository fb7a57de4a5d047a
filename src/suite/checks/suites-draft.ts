import type { Path, Source } from '../../files/source.js';
import type { Probe, Suite } from '../probe.js';
import type { Languages } from './languages.js';

/** A suite as read, with the source of its places. */
export interface ReadSuite {
  readonly suite: Suite;
  readonly source: Source;
  /** By the build: nothing is wrong in the suite itself. */
  readonly checked: boolean;
}

/** A probe and where it is. */
export interface PlacedProbe {
  /** SUITE/PROBE */
  readonly key: string;
  readonly probe: Probe;
  readonly source: Source;
  /** From the root of its suite. */
  readonly path: Path;
}

/** All suites of a run while they are read, with everything that their common checks need, computed once. */
export interface SuitesDraft {
  readonly suites: readonly ReadSuite[];
  /** By key. Of two probes with the same key, the last one. */
  readonly probes: ReadonlyMap<string, PlacedProbe>;
  /** Every file was read without an error, so a name that is not here does not exist. */
  readonly complete: boolean;
  readonly languages: Languages;
}

export function suitesDraftOf(suites: readonly ReadSuite[], complete: boolean, languages: Languages): SuitesDraft {
  const probes = new Map<string, PlacedProbe>();
  for (const { suite, source } of suites) {
    for (const probe of suite.probes) {
      const key = `${suite.name}/${probe.name}`;
      probes.set(key, { key, probe, source, path: ['probes', probe.name] });
    }
  }
  return { suites, probes, complete, languages };
}
