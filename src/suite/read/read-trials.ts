import type { Problem } from '../../files/problems/problem.js';
import { didYouMean } from '../../files/problems/nearest.js';
import { at } from '../../json/pointer.js';
import type { Axis, EnforceSpec, FindSpec, RetrySpec, Step, TrialsSpec } from '../probe.js';
import { probeProblem, type ProbeSource } from './probe-source.js';
import type { ProbeFile } from '../suite-file.js';

export function trialsOf({ trials }: ProbeFile): TrialsSpec | null {
  if (trials === undefined) return null;
  if (typeof trials === 'number') return { kind: 'count', count: trials };
  const { reliable = 0.95, broken = 0.7, error = 0.05, max = 40 } = trials;
  return { kind: 'decided', reliable, broken, error, max };
}

export function retryOf({ retry }: ProbeFile): RetrySpec | null {
  return retry === undefined ? null : { on: retry.on, max: retry.max ?? 1, temperature: retry.temperature ?? 0 };
}

export function findOf({ find }: ProbeFile): FindSpec | null {
  return find === undefined ? null : { ...find, tolerance: find.tolerance ?? 0.125 };
}

export function enforceOf({ enforce }: ProbeFile): EnforceSpec | null {
  if (enforce === undefined) return null;
  const { keyword, schema, valid, invalid } = enforce;
  return { keyword, schema, valid, invalid };
}

/** Figures that each fit the schema, and together make no sense. */
export function* askingProblems(probe: ProbeSource, axes: readonly Axis[], steps: readonly Step[]): Generator<Problem> {
  yield* trialProblems(probe);
  yield* findProblems(probe, axes, steps);
  const { retry, enforce, vary, fill, combine } = probe.written;
  if (fill !== undefined && combine !== 'each') {
    const message = 'fill asks for further points of the product, and this probe asks the whole product already';
    yield probeProblem(probe, ['fill'], message, 'write "combine: each" beside it, or leave fill out', { part: 'key' });
  }
  if (retry?.on.includes('transport') === true) {
    const hint = 'a fault of the network is always asked again: see limits.retries in the config';
    yield probeProblem(
      probe,
      ['retry', 'on', retry.on.indexOf('transport')],
      'transport is a fault and no answer to retry',
      hint,
    );
  }
  if (enforce !== undefined && vary !== undefined && Object.hasOwn(vary, 'channel')) {
    const message = 'enforce brings an axis channel of its own';
    yield probeProblem(probe, ['vary', 'channel'], message, 'rename this axis', { part: 'key' });
  }
}

function* trialProblems(probe: ProbeSource): Generator<Problem> {
  const trials = trialsOf(probe.written);
  if (trials?.kind !== 'decided') return;
  if (trials.broken >= trials.reliable) {
    const message = `reliable (${trials.reliable}) must be above broken (${trials.broken})`;
    yield probeProblem(probe, ['trials'], message, 'such as reliable: 0.95 and broken: 0.7', { part: 'key' });
  }
  if (trials.error >= 0.5) {
    const message = `error (${trials.error}) must be below 0.5: a coin is right that often`;
    yield probeProblem(probe, ['trials', 'error'], message, 'such as error: 0.05');
  }
}

/** Numeric fields that a request may have although the probe does not name them. */
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

/** Of these the service would refuse 1.5, and the search would call that a failure of the model. */
const wholeFields = ['max_tokens', 'max_completion_tokens', 'top_k', 'n', 'top_logprobs', 'seed'];

function* findProblems(probe: ProbeSource, axes: readonly Axis[], steps: readonly Step[]): Generator<Problem> {
  const { find, enforce } = probe.written;
  if (find === undefined) return;
  if (find.from > find.to) {
    yield probeProblem(probe, ['find', 'from'], `from (${find.from}) is above to (${find.to})`, 'swap them');
  }
  if (enforce !== undefined) {
    yield probeProblem(probe, ['find'], 'find and enforce do not go together', 'make two probes of it', {
      part: 'key',
    });
  }
  const axis = axes.find(({ name }) => name === find.axis);
  const field = axis?.kind === 'values' ? axis.at.join('/') : find.axis;
  for (const end of ['from', 'to'] as const) {
    if (!wholeFields.includes(field) || Number.isInteger(find[end])) continue;
    const message = `${find.axis} takes whole numbers, and ${end} is ${find[end]}`;
    yield probeProblem(probe, ['find', end], message, `such as ${Math.max(1, Math.round(find[end]))}`);
  }
  const asked = steps.flatMap((step) => (step.kind === 'ask' ? [step.request] : []));
  if (axis?.kind === 'settings') {
    const message = `the axis ${find.axis} comes from settings and has no numbers to search`;
    yield probeProblem(probe, ['find', 'axis'], message, 'name a numeric field, such as max_tokens');
  } else if (axis === undefined && !numericFields.includes(find.axis)) {
    const value = asked.map((request) => at(request, [find.axis])).find((found) => found !== undefined);
    if (typeof value === 'number') return;
    const hint = didYouMean(find.axis, [...axes.map(({ name }) => name), ...numericFields], 'numeric fields');
    yield probeProblem(probe, ['find', 'axis'], `there is no axis or numeric field "${find.axis}"`, hint);
  }
}
