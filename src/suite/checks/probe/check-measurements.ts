import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { defaultTest } from '../../../stats/sequential-test.js';
import { trialsOf } from '../../read/probe-fields.js';
import { probeProblem } from '../../read/probe-source.js';
import type { Axis } from '../../probe.js';
import type { ProbeDraft } from '../probe-draft.js';

/** The rates of a sequential test must leave room between reliable and broken. */
export function* checkTrials(draft: ProbeDraft): Generator<Problem> {
  const trials = trialsOf(draft.written);
  if (trials?.kind !== 'decided') return;
  if (trials.broken >= trials.reliable) {
    const message = `reliable (${trials.reliable}) must be above broken (${trials.broken})`;
    yield probeProblem(
      draft,
      ['trials'],
      message,
      `such as reliable: ${defaultTest.reliable} and broken: ${defaultTest.broken}`,
      { part: 'key' },
    );
  }
  if (trials.error >= 0.5) {
    const message = `error (${trials.error}) must be below 0.5, the error rate of tossing a coin`;
    yield probeProblem(draft, ['trials', 'error'], message, `such as error: ${defaultTest.error}`);
  }
}

/** Numeric fields that can be searched although the request does not have them. */
const numericFields = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'n',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'seed',
];

/** A service refuses 1.5 for these, which the search would take for a failure of the model. */
const wholeFields = ['max_tokens', 'max_completion_tokens', 'top_k', 'n', 'top_logprobs', 'seed'];

/** `find` needs a numeric field, and a range of values that the field can take. */
export function* checkFind(draft: ProbeDraft): Generator<Problem> {
  const { find, enforce } = draft.written;
  if (find === undefined) return;
  if (find.from > find.to) {
    yield probeProblem(draft, ['find', 'from'], `from (${find.from}) is above to (${find.to})`, 'swap them');
  }
  if (enforce !== undefined) {
    const hint = 'write them as two probes';
    yield probeProblem(draft, ['find'], 'find and enforce cannot be combined', hint, { part: 'key' });
  }
  const axis = draft.axes.find(({ name }) => name === find.axis);
  const field = axis?.kind === 'values' ? axis.at.join('/') : find.axis;
  for (const end of ['from', 'to'] as const) {
    if (!wholeFields.includes(field) || Number.isInteger(find[end])) continue;
    const message = `${find.axis} takes whole numbers, but ${end} is ${find[end]}`;
    yield probeProblem(draft, ['find', end], message, `such as ${Math.max(1, Math.round(find[end]))}`);
  }
  if (axis?.kind === 'values') yield* unaskedPoints(draft, axis, find);
  if (axis?.kind === 'settings') {
    const message = `the axis ${find.axis} comes from settings, so it has no numbers to search`;
    yield probeProblem(draft, ['find', 'axis'], message, 'name a numeric field, such as max_tokens');
  } else if (axis === undefined && !numericFields.includes(find.axis)) {
    const value = draft.requests.map(({ request }) => request[find.axis]).find((found) => found !== undefined);
    if (typeof value === 'number') return;
    const known = new Set([...draft.axes.map(({ name }) => name), ...numericFields]);
    const hint = didYouMean(find.axis, known, 'numeric fields');
    yield probeProblem(draft, ['find', 'axis'], `there is no axis or numeric field "${find.axis}"`, hint);
  }
}

/** Points of the searched axis become no cells; one may stand there to name a field inside of the body. */
function* unaskedPoints(
  draft: ProbeDraft,
  { name, at, points }: Extract<Axis, { kind: 'values' }>,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<Problem> {
  const namesField = at.length !== 1 || at[0] !== name;
  if (points.size <= (namesField ? 1 : 0)) return;
  const message = `the points of ${name} are never asked: find searches this axis from ${from} to ${to}`;
  const hint = namesField
    ? 'keep one point, which names the field, and write a probe of its own for the others'
    : `take ${name} out of vary, or write a probe of its own for its points`;
  yield probeProblem(draft, ['vary', name], message, hint, { part: 'key', severity: 'warning' });
}

/** `fill` adds points of the product, so it is useless where the probe runs the whole product anyway. */
export function* checkFill(draft: ProbeDraft): Generator<Problem> {
  const { fill, combine } = draft.written;
  if (fill === undefined || combine === 'each') return;
  const message = 'fill adds points of the product, but this probe asks the whole product already';
  yield probeProblem(draft, ['fill'], message, 'write "combine: each" beside it, or leave fill out', { part: 'key' });
}

/** `retry` repeats a request because of its answer; a fault of the network is not an answer. */
export function* checkRetry(draft: ProbeDraft): Generator<Problem> {
  const index = draft.written.retry?.on.indexOf('transport') ?? -1;
  if (index < 0) return;
  const hint = 'network faults are always retried: see limits.retries in the config';
  yield probeProblem(draft, ['retry', 'on', index], 'transport is a fault, not an answer to retry', hint);
}

/** `enforce` varies the channel itself. */
export function* checkChannelAxis(draft: ProbeDraft): Generator<Problem> {
  const { enforce, vary } = draft.written;
  if (enforce === undefined || vary === undefined || !Object.hasOwn(vary, 'channel')) return;
  const message = 'enforce adds an axis called channel';
  yield probeProblem(draft, ['vary', 'channel'], message, 'rename this axis', { part: 'key' });
}
