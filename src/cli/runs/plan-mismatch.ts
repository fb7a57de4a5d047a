import { type UserError, userError } from '../../files/problems/problem.js';
import type { Plan } from '../../plan/ticket.js';
import type { RunStarted } from '../../journal/event.js';
import { asTyped, givenOptions, recordedOptions } from '../options/recorded-options.js';
import { textOf } from '../options/options.js';
import { configOption, shellWord } from '../../report/words/shell-word.js';
import type { Options } from '../verb.js';

/** The error for a run that cannot be resumed because its plan is not today's; the hint says how to resume it. */
export function planMismatch(started: RunStarted, plan: Plan, given: Options, folder: string): UserError {
  const message = `the run in ${folder} has a different plan: ${whatDiffers(started, plan, given)}`;
  return userError(message, `${undo(started, given, folder)}, or start a new run in another folder (--out)`);
}

/** What has changed since a run began. */
export function whatDiffers(started: RunStarted, plan: Plan, given: Options): string {
  const changed = [
    ...(started.digests.config === plan.digests.config ? [] : ['targets or models in the config']),
    ...(started.digests.suites === plan.digests.suites ? [] : ['the suites']),
  ];
  if (changed.length > 0) return `${changed.join(' and ')} have changed since`;
  return hasOptions(given) ? 'it was started with other options' : 'the baseline has changed since';
}

function undo(started: RunStarted, given: Options, folder: string): string {
  if (!hasOptions(given))
    return `undo the change to resume it, judge what it recorded with chatspec rejudge ${shellWord(folder)}${withConfig(given)}`;
  const typed = asTyped(recordedOptions(started));
  const had = typed === '' ? 'none' : typed;
  return `resume it with its own options (${had}): chatspec run --resume --out ${shellWord(folder)}${withConfig(given)}`;
}

const withConfig = (given: Options): string => configOption(textOf(given, 'config'));

/** Budgets do not belong to a plan. */
function hasOptions(given: Options): boolean {
  return Object.keys(givenOptions(given)).some((name) => !name.startsWith('budget'));
}
