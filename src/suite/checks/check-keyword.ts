import { nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Json } from '../../json/json.js';
import type { ProbeSource } from '../read/probe-source.js';
import { known } from './schema-advice.js';

/** Names that stand for several keywords, or for none. */
const free = new Set(['composite', 'description']);

/**
 * `keyword` says how many conforming replies of a babbler are no luck, so that a wrong one can make a wrong verdict.
 * Only a warning: a name of one's own, such as recursion, counts as a keyword of which nothing is known.
 */
export function* keywordProblems(probe: ProbeSource): Generator<Problem> {
  const { enforce } = probe.written;
  if (enforce === undefined || free.has(enforce.keyword)) return;
  const { keyword } = enforce;
  const used = new Set(keysIn(enforce.schema));
  if (used.has(keyword) || used.has(`$${keyword}`)) return;
  const near = nearest(
    keyword,
    [...used].filter((name) => known.has(name)),
  );
  if (near === null && !known.has(keyword)) return;
  const hint = near === null ? 'name the keyword that the invalid document breaks' : `did you mean "${near}"?`;
  const message = `the schema has no keyword "${keyword}"`;
  yield problemAt(probe.source, [...probe.path, 'enforce', 'keyword'], message, hint, { severity: 'warning' });
}

function* keysIn(json: Json): Generator<string> {
  if (typeof json !== 'object' || json === null) return;
  for (const [key, value] of Object.entries(json)) {
    if (!Array.isArray(json)) yield key;
    yield* keysIn(value);
  }
}
