import { endsRun } from '../../journal/stop.js';
import type { Report } from '../../matrix/report-format.js';
import { steps } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { configOption, shellWord } from '../words/shell-word.js';
import { type Change, isCheck } from './changes.js';
import { nothingAccepted } from './overview.js';

/** What to do next: a few words, and what to type. */
export interface Step {
  readonly text: string;
  readonly command: string | null;
}

/** At most three, the most urgent first. */
export function stepsOf(report: Report, changes: readonly Change[], folder: string | null): readonly Step[] {
  const { run, models } = report;
  const path = shellWord(folder ?? 'RUN');
  const config = configOption(run.config);
  if (run.stops.some(({ kind }) => kind === 'missing_shard')) {
    return [{ text: say(steps.merge), command: `chatspec merge SHARD... --out ${path}${config}` }];
  }
  if (!run.complete || run.stops.some(endsRun)) {
    return [{ text: say(steps.resume), command: `chatspec run --resume --out ${path}${config}` }];
  }
  const accept = { text: say(steps.accept), command: `chatspec baseline accept ${path}${config}` };
  const unreached = models.some(({ reachable, standing, retired }) => !reachable && standing !== 'gone' && !retired);
  const again = unreached ? [{ text: say(steps.rerun), command: `chatspec run --last-failed ${path}${config}` }] : [];
  if (run.profile === 'smoke') return changes.length === 0 ? again : [...evidence(changes), ...again];
  if (isCheck(report)) return [...evidence(changes), ...again];
  if (nothingAccepted(report)) return [...again, { ...accept, text: say(steps.acceptFirst) }];
  const open = changes.filter(({ kind }) => kind !== 'doubt' && kind !== 'gone');
  if (open.length === 0) return again;
  if (open.every(({ kind }) => kind === 'gained')) return [...again, { ...accept, text: say(steps.acceptGains) }];
  return [...evidence(changes), ...again, accept];
}

function evidence(changes: readonly Change[]): readonly Step[] {
  const command = changes.find((one) => one.command !== null)?.command ?? null;
  return command === null ? [] : [{ text: say(steps.evidence), command }];
}
