import { endsRun } from '../../journal/event.js';
import { hasNoBaseline, isCheck } from '../../matrix/acceptable.js';
import { type Change, isDeviating } from '../../matrix/changes/change.js';
import { texts } from '../words/catalogue.js';
import { acceptCommand, evidenceCommand } from '../words/commands.js';
import { say } from '../words/message.js';
import { configOption, shellWord } from '../safe/shell.js';
import type { ShownRun } from './shown-run.js';

const { steps } = texts;

/** Next steps: a few words, and a command. */
export interface SuggestedStep {
  readonly kind: 'evidence' | 'other';
  readonly text: string;
  readonly command: string | null;
}

/** At most three, the most urgent first. */
export function suggestedSteps({ report, changes: all, folder }: ShownRun): readonly SuggestedStep[] {
  const changes = all.filter(({ kind }) => kind !== 'served');
  const { run, models } = report;
  const path = shellWord(folder ?? 'RUN');
  const config = configOption(run.config);
  if (run.stops.some(({ kind }) => kind === 'missing_shard')) {
    return [{ kind: 'other', text: say(steps.merge), command: `chatspec merge SHARD... --out ${path}${config}` }];
  }
  if (!run.complete || run.stops.some(endsRun)) {
    return [{ kind: 'other', text: say(steps.resume), command: `chatspec run --resume --out ${path}${config}` }];
  }
  const accept: SuggestedStep = {
    kind: 'other',
    text: say(steps.accept),
    command: acceptCommand(folder, [], run.config),
  };
  const unreached = models.some(({ reachable, standing, retired }) => !reachable && standing !== 'gone' && !retired);
  const rerun = {
    kind: 'other',
    text: say(steps.rerun),
    command: `chatspec run --last-failed ${path}${config}`,
  } as const;
  const again = unreached ? [rerun] : [];
  const evidence = evidenceSteps(changes, folder, run.config);
  if (run.profile === 'smoke' || isCheck(report)) return [...evidence, ...again];
  if (hasNoBaseline(report)) return [...again, { ...accept, text: say(steps.acceptFirst) }];
  const open = changes.filter((one) => isDeviating(one) && one.kind !== 'gone');
  if (open.length === 0) return again;
  if (open.every(({ kind }) => kind === 'gained')) return [...again, { ...accept, text: say(steps.acceptGains) }];
  return [...evidence, ...again, accept];
}

function evidenceSteps(
  changes: readonly Change[],
  folder: string | null,
  config: string | null | undefined,
): readonly SuggestedStep[] {
  const example = changes.find((one) => one.example !== null && one.kind !== 'gone')?.example ?? null;
  if (example === null) return [];
  return [{ kind: 'evidence', text: say(steps.evidence), command: evidenceCommand(folder, example.cell, config) }];
}
