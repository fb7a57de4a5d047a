import type { Baseline } from '../baseline/entries.js';
import type { Problem } from '../files/problems/problem.js';
import type { Masker } from '../masking/masker.js';
import type { Suite } from '../suite/probe.js';

const hint =
  'take the key out of the file; chatspec sends keys as headers, and its reports show what suites and baseline say';

/** Keys in use in files that are sent or shown. The suites of the package hold none. */
export function* keysInFiles(
  suites: readonly Suite[],
  baseline: Baseline | null,
  isBuiltin: (probe: Suite['probes'][number]) => boolean,
  keys: Masker,
): Generator<Problem> {
  if (!keys.active) return;
  for (const suite of suites) {
    const written = suite.probes.filter((probe) => !isBuiltin(probe));
    for (const probe of written) {
      const { name, title, capability, tags, steps, samples, axes, vars, enforce } = probe;
      const isSent = keys.holds(JSON.stringify({ steps, samples, axes, vars, enforce }));
      if (!isSent && !keys.holds(JSON.stringify({ name, title, capability, tags }))) continue;
      const message = isSent
        ? 'a request of this probe is not sent: its body holds a configured key'
        : 'this probe holds a configured key';
      yield { severity: 'error', message, place: probe.place, hint };
    }
    const behaviours = suite.behaviours.map((behaviour) => ({ ...behaviour, place: null }));
    const { name, title, families } = suite;
    if (written.length > 0 && keys.holds(JSON.stringify({ name, title, families, behaviours }))) {
      const place = { file: suite.file, line: 1, column: 1 };
      yield { severity: 'error', message: 'this suite holds a configured key', place, hint };
    }
  }
  if (baseline !== null && keys.holds(JSON.stringify({ ...baseline, file: '' }))) {
    const place = { file: baseline.file, line: 1, column: 1 };
    yield { severity: 'error', message: 'the baseline holds a configured key', place, hint };
  }
}
