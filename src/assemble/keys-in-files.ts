import type { Baseline } from '../baseline/entries.js';
import type { Problem } from '../files/problems/problem.js';
import { anyHoldsKey } from '../masking/holds-key.js';
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
    const own = suite.probes.filter((probe) => !isBuiltin(probe));
    for (const probe of own) {
      const { steps, samples, axes, vars, enforce } = probe;
      const isSent = anyHoldsKey({ steps, samples, axes, vars, enforce }, keys);
      if (!isSent && !anyHoldsKey(probe, keys)) continue;
      const message = isSent
        ? 'a request of this probe is not sent: its body holds a configured key'
        : 'this probe holds a configured key';
      yield { severity: 'error', message, place: probe.place, hint };
    }
    const { name, title, families, behaviours } = suite;
    if (own.length > 0 && anyHoldsKey({ name, title, families, behaviours }, keys)) {
      const place = { file: suite.file, line: 1, column: 1 };
      yield { severity: 'error', message: 'this suite holds a configured key', place, hint };
    }
  }
  if (baseline !== null && anyHoldsKey({ ...baseline, file: '' }, keys)) {
    const place = { file: baseline.file, line: 1, column: 1 };
    yield { severity: 'error', message: 'the baseline holds a configured key', place, hint };
  }
}
