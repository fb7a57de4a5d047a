import type { Place } from '../../files/problems/place.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { ReadSuite } from '../read/read-suite.js';

/** Names of suites and of behaviours are unique over all files. */
export function* nameProblems(suites: readonly ReadSuite[]): Generator<Problem> {
  const names = new Map<string, Place>();
  const behaviours = new Map<string, Place>();
  for (const { suite, source } of suites) {
    yield* taken(names, suite.name, ['suite'], 'suite', source);
    for (const [index, { id }] of suite.behaviours.entries()) {
      yield* taken(behaviours, id, ['behaviours', index, 'id'], 'behaviour', source);
    }
  }
}

function* taken(
  seen: Map<string, Place>,
  name: string,
  path: Path,
  kind: 'suite' | 'behaviour',
  source: ReadSuite['source'],
): Generator<Problem> {
  const first = seen.get(name);
  if (first === undefined) {
    seen.set(name, source.spotOf(path).place);
    return;
  }
  const message = `the ${kind} "${name}" exists already: ${first.file}, line ${first.line}`;
  yield problemAt(source, path, message, 'rename one of the two');
}
