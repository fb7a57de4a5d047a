import { at as valueAt, pointerSteps } from '../../../json/json.js';
import { didYouMean } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { defaultTest } from '../../../stats/sequential-test.js';
import type { Axis } from '../../probe.js';
import { writtenTrials, probeProblem, type ProbeDraft } from '../probe-draft.js';
import type { FindFile } from '../../suite-file.js';

/**
 * A probe has exactly one of a request, steps or `enforce`; what `trials`, `find`, `fill` and `retry` say
 * must make sense beside it.
 */
export function* checkMembers(draft: ProbeDraft): Generator<Problem> {
  const { find, fill, combine, retry } = draft.written;
  yield* checkSteps(draft);
  const trials = writtenTrials(draft.written);
  const { reliable, broken, error } = trials?.kind === 'decided' ? trials : defaultTest;
  if (broken >= reliable) {
    const message = `reliable (${reliable}) must be above broken (${broken})`;
    const hint = `such as reliable: ${defaultTest.reliable} and broken: ${defaultTest.broken}`;
    yield probeProblem(draft, ['trials'], message, hint, { part: 'key' });
  }
  if (error >= 0.5) {
    const message = `error (${error}) must be below 0.5, the error rate of tossing a coin`;
    yield probeProblem(draft, ['trials', 'error'], message, `such as error: ${defaultTest.error}`);
  }
  if (find !== undefined) yield* checkFind(draft, find);
  if (fill !== undefined && combine !== 'each') {
    const message = 'fill adds points of the product, but this probe asks the whole product already';
    yield probeProblem(draft, ['fill'], message, 'write "combine: each" beside it, or leave fill out', { part: 'key' });
  }
  const fault = retry?.on.indexOf('transport') ?? -1;
  if (fault >= 0) {
    const hint = 'network faults are always retried: see limits.retries in the config';
    yield probeProblem(draft, ['retry', 'on', fault], 'transport is a fault, not an answer to retry', hint);
  }
}

/** A service refuses 1.5 for these, which the search would take for a failure of the model. */
const wholeFields = ['max_tokens', 'max_completion_tokens', 'top_k', 'n', 'top_logprobs', 'seed'];
/** Numeric fields that can be searched although the request does not have them. */
const numericFields = [...wholeFields, 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

/** `find` needs a numeric field, and a range of values that the field can take. */
function* checkFind(draft: ProbeDraft, find: FindFile): Generator<Problem> {
  if (find.from > find.to) {
    yield probeProblem(draft, ['find', 'from'], `from (${find.from}) is above to (${find.to})`, 'swap them');
  }
  const axis = draft.axes.find(({ name }) => name === find.axis);
  const field = axis?.kind === 'values' ? axis.at.join('/') : find.axis;
  for (const end of ['from', 'to'] as const) {
    if ((!wholeFields.includes(field) && find.largest !== true && !find.repeat) || Number.isInteger(find[end])) {
      continue;
    }
    const message = `${find.axis} takes whole numbers, but ${end} is ${find[end]}`;
    yield probeProblem(draft, ['find', end], message, `such as ${Math.max(1, Math.round(find[end]))}`);
  }
  for (const [index, { at }] of (find.repeat ?? []).entries()) {
    const steps = pointerSteps(at);
    const found = draft.requests.map(({ request }) => valueAt(request, steps)).find((one) => one !== undefined);
    if (typeof found === 'string' || (typeof found === 'object' && found !== null)) continue;
    const message = `${at} leads to no list, object or text of the request`;
    yield probeProblem(draft, ['find', 'repeat', index, 'at'], message, 'write an empty one there: [], {} or ""');
  }
  if (find.repeat !== undefined) return;
  if (axis?.kind === 'values') yield* unaskedPoints(draft, axis, find);
  if (axis?.kind === 'settings') {
    const message = `the axis ${find.axis} comes from settings, so it has no numbers to search`;
    yield probeProblem(draft, ['find', 'axis'], message, 'name a numeric field, such as max_tokens');
  } else if (axis === undefined && !numericFields.includes(find.axis)) {
    const value = draft.requests.map(({ request }) => request[find.axis]).find((found) => found !== undefined);
    if (typeof value === 'number') return;
    const hint = didYouMean(find.axis, [...draft.axes.map(({ name }) => name), ...numericFields], 'numeric fields');
    yield probeProblem(draft, ['find', 'axis'], `there is no axis or numeric field "${find.axis}"`, hint);
  }
}

/** Points of the searched axis become no cells; one may stand there to name a field inside of the body. */
function* unaskedPoints(
  draft: ProbeDraft,
  { name, at, points }: Extract<Axis, { kind: 'values' }>,
  { from, to }: FindFile,
): Generator<Problem> {
  const namesField = at.length !== 1 || at[0] !== name;
  if (points.size <= (namesField ? 1 : 0)) return;
  const message = `the points of ${name} are never asked: find searches this axis from ${from} to ${to}`;
  const hint = namesField
    ? 'keep one point, which names the field, and write a probe of its own for the others'
    : `take ${name} out of vary, or write a probe of its own for its points`;
  yield probeProblem(draft, ['vary', name], message, hint, { part: 'key', severity: 'warning' });
}

/** Members of a probe that exclude each other, the later one first, and what to do about it. */
const clashes = [
  ['request', 'steps', 'write them as two probes'],
  ['enforce', 'steps', 'write them as two probes'],
  ['expect', 'steps', 'move it into the step that it is about'],
  ['find', 'enforce', 'write them as two probes'],
  ['load', 'steps', 'write them as two probes'],
  ['load', 'find', 'write them as two probes'],
  ['load', 'enforce', 'write them as two probes'],
] as const;

/** A probe has exactly one of: a request, steps, or `enforce`. */
function* checkSteps(draft: ProbeDraft): Generator<Problem> {
  const { written } = draft;
  for (const [one, other, hint] of clashes) {
    if (written[one] !== undefined && written[other] !== undefined) {
      yield probeProblem(draft, [one], `${one} and ${other} cannot be combined`, hint, { part: 'key' });
    }
  }
  if (draft.asksNothing) {
    const message = `the probe "${draft.name}" asks nothing: "request", "steps" or "enforce" is missing`;
    const hint = 'add request: { messages: [{ role: user, content: ... }] }';
    yield probeProblem(draft, [], message, hint, { part: 'key' });
  }
  yield* checkFlow(draft);
}

/** The steps of a flow have different ids, and each sends a request or runs a tool that an answer called. */
function* checkFlow(draft: ProbeDraft): Generator<Problem> {
  const { steps = [] } = draft.written;
  const ids = steps.map(({ id }) => id);
  for (const [index, { id, request, run, expect }] of steps.entries()) {
    const problem = (below: readonly string[], message: string, hint?: string): Problem =>
      probeProblem(draft, ['steps', index, ...below], message, hint, { part: below[0] === 'id' ? 'value' : 'key' });
    const first = ids.indexOf(id);
    if (first < index) {
      const { line } = draft.source.spotOf([...draft.path, 'steps', first]).place;
      yield problem(['id'], `two steps are called "${id}" (the first on line ${line})`, 'rename one of them');
    }
    if (request === undefined && run === undefined) {
      yield problem([], `the step "${id}" does nothing: "request" or "run" is missing`);
    } else if (run === undefined) {
      continue;
    } else if (request !== undefined) {
      yield problem(['run'], `the step "${id}" has both request and run`, 'write them as two steps');
    } else if (expect !== undefined) {
      yield problem(
        ['expect'],
        "a step with run cannot have expect, because the tool is the client's own",
        'remove it',
      );
    } else if (index === 0) {
      yield problem(['run'], `the step "${id}" runs a tool before any request`, 'put a step with a request before it');
    }
  }
}
