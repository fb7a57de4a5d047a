import type { RunRequest } from '../journal/read-journal.js';
import type { EarlierAnswer } from './retry-policy.js';
import type { RequestGroup } from './scheduler.js';

/** The newest fault, which a request repeats, and how many there were in a row. */
interface RepeatedFault {
  readonly last: EarlierAnswer;
  readonly faults: number;
}

/** Earlier answers of a trial, or of a row of plain requests, as far as the next request depends on them. */
export interface TrialHistory {
  /** To open a model is part of the usual load; a question shows whether there is an outage, and goes first. */
  readonly kind: 'cell' | 'opening' | 'question';
  /** Called when its first request goes: another trial may begin. */
  readonly underWay: () => void;
  /** The group of trials whose first requests go together; null: it goes alone. */
  readonly group: RequestGroup | null;
  /** The newest answer, controls within a trial left out; null: none came. */
  readonly last: () => EarlierAnswer | null;
  readonly learn: (request: RunRequest, answer: EarlierAnswer) => void;
  /** The fault that a request repeats; null: it follows at once. */
  readonly repeats: (request: RunRequest) => RepeatedFault | null;
  /** No wait goes beyond this, in milliseconds since the epoch; Infinity: none is cut short. */
  readonly waitsUntil: () => number;
  readonly waitUntilAtMost: (time: number) => void;
}

export function createTrialHistory(
  kind: TrialHistory['kind'],
  underWay: () => void = () => undefined,
  group: RequestGroup | null = null,
): TrialHistory {
  let last: EarlierAnswer | null = null;
  /** Since the last answer. */
  let faults = 0;
  let waitsUntil = Infinity;
  /** The last control within the trial, while it met load, and how many did so in a row. */
  let control: RepeatedFault | null = null;
  return {
    kind,
    underWay,
    group,
    last: () => last,
    learn(request, answer) {
      if (isWithinTrial(request)) {
        control = answer.sign.kind === 'load' ? { last: answer, faults: (control?.faults ?? 0) + 1 } : null;
        return;
      }
      last = answer;
      faults = answer.sign.kind === 'answered' ? 0 : faults + 1;
    },
    repeats(request) {
      if (isWithinTrial(request)) return control;
      return last === null || faults === 0 ? null : { last, faults };
    },
    waitsUntil: () => waitsUntil,
    waitUntilAtMost: (time) => void (waitsUntil = time),
  };
}

/** A control between two attempts of a trial, which follows at once unless the one before it met load. */
const isWithinTrial = ({ cell, send }: RunRequest): boolean => cell !== null && send.purpose === 'control';
