import { nearest } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import type { EnforceFile } from '../../suite-file.js';
import { probeProblem, type ProbeDraft } from '../probe-draft.js';
import { checkedSchema } from './check-schemas.js';
import { knownKeywords } from './schema-advice.js';

/** `enforce` proves nothing unless one document conforms to the schema and the other does not. */
export function* checkEnforce(draft: ProbeDraft): Generator<Problem> {
  const { enforce } = draft.written;
  if (enforce === undefined) return;
  const compiled = checkedSchema(enforce.schema);
  if (!compiled.ok) {
    yield probeProblem(draft, ['enforce', 'schema', ...compiled.below], compiled.message, compiled.hint);
    return;
  }
  const violation = compiled.accepts(enforce.valid);
  if (violation !== null) {
    const message = `the valid document does not conform to the schema: ${violation}`;
    const hint = 'a model that is held to the schema could never repeat it';
    yield probeProblem(draft, ['enforce', 'valid'], message, hint);
  }
  // A description constrains nothing, so no document can break it.
  if (enforce.keyword !== 'description' && compiled.accepts(enforce.invalid) === null) {
    const message = 'the invalid document conforms to the schema';
    yield probeProblem(draft, ['enforce', 'invalid'], message, `let it break just the keyword ${enforce.keyword}`);
  }
  yield* checkKeyword(draft, enforce);
}

/**
 * The verdict allows for replies that conform by chance, and how many do depends on `keyword`: a wrong one can make a
 * wrong verdict. Only a warning, since a suite may use a name of its own, such as recursion.
 */
function* checkKeyword(draft: ProbeDraft, { keyword, schema }: EnforceFile): Generator<Problem> {
  if (keyword === 'composite' || keyword === 'description') return;
  const used = new Set([...JSON.stringify(schema).matchAll(/"([^"\\]+)":/g)].map(([, key = '']) => key));
  if (used.has(keyword) || used.has(`$${keyword}`)) return;
  const known = [...used].filter((name) => knownKeywords.has(name));
  const near = nearest(keyword, known);
  if (near === null && !knownKeywords.has(keyword)) return;
  const hint = near === null ? 'name the keyword that the invalid document breaks' : `did you mean "${near}"?`;
  const message = `the schema has no keyword "${keyword}"`;
  yield probeProblem(draft, ['enforce', 'keyword'], message, hint, { severity: 'warning' });
}
