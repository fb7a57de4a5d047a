import { type UserError, userError } from '../../files/problems/problem.js';
import type { Plan } from '../../plan/ticket.js';
import type { RunStarted } from '../../journal/event.js';
import { asTyped, givenOptions, recordedOptions } from '../options/recorded-options.js';
import type { Options } from '../verb.js';

/** Why a run cannot be gone on with, and how it can: its plan is not today's. */
export function planMismatch(started: RunStarted, plan: Plan, given: Options, folder: string): UserError {
  const message = `${folder} holds a run of another plan: ${whatDiffers(started, plan, given)}`;
  return userError(message, `${undo(started, given, folder)}, or start anew in another folder (--out)`);
}

/** What has changed since a run began, or what was asked otherwise of it. */
export function whatDiffers(started: RunStarted, plan: Plan, given: Options): string {
  const changed = [
    ...(started.digests.config === plan.digests.config ? [] : ['targets or models of the config']),
    ...(started.digests.suites === plan.digests.suites ? [] : ['the suites']),
  ];
  if (changed.length > 0) return `${changed.join(' and ')} have changed since`;
  return hasOptions(given) ? 'it was made with other options' : 'the baseline has changed since';
}

function undo(started: RunStarted, given: Options, folder: string): string {
  if (!hasOptions(given)) return `undo the change to go on, judge what it has with chatspec rejudge ${folder}`;
  const typed = asTyped(recordedOptions(started));
  const had = typed === '' ? 'it had none' : `it had ${typed}`;
  return `go on with its own options (${had}): chatspec run --resume --out ${folder}`;
}

/** Budgets are no part of a plan. */
function hasOptions(given: Options): boolean {
  return Object.keys(givenOptions(given)).some((name) => !name.startsWith('budget'));
}
