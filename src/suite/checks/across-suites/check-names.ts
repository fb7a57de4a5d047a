import type { Place, Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import type { ReadSuite, SuitesDraft } from '../suites-draft.js';

/** Names of suites, behaviours and families are unique over all files, and so are the forms of a need. */
export function* checkNames({ suites }: SuitesDraft): Generator<Problem> {
  const places = new Map<string, Place>();
  for (const { suite, source } of suites) {
    yield* taken(places, `the suite "${suite.name}"`, ['suite'], source);
    for (const [index, { id }] of suite.behaviours.entries()) {
      yield* taken(places, `the behaviour "${id}"`, ['behaviours', index, 'id'], source);
    }
    for (const [index, { name }] of suite.families.entries()) {
      yield* taken(places, `the family "${name}"`, ['families', index, 'name'], source);
    }
    for (const [index, { need, capability }] of suite.forms.entries()) {
      yield* taken(places, `the form ${capability} of ${need}`, ['forms', index, 'capability'], source);
    }
  }
}

function* taken(places: Map<string, Place>, name: string, path: Path, source: ReadSuite['source']): Generator<Problem> {
  const first = places.get(name);
  if (first === undefined) {
    places.set(name, source.spotOf(path).place);
    return;
  }
  const message = `${name} exists already: ${first.file}, line ${first.line}`;
  yield problemAt(source, path, message, 'rename one of the two');
}
