import { splitAtModel, withoutPoint } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { endsRun } from '../../journal/event.js';
import { isAcceptable, isCheck } from '../../matrix/acceptable.js';
import type { Report } from '../../matrix/report-format.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import { texts } from '../words/catalogue.js';
import { isDeviating, type ChangeKind } from '../words/catalogue/changes.js';
import { say } from '../words/message.js';
import { configOption, shellWord } from '../safe/shell.js';

const { steps } = texts;

/** What to do next: a few words, and what to type. */
export interface SuggestedStep {
  readonly kind: 'evidence' | 'other';
  readonly text: string;
  readonly command: string | null;
}

/** What a step needs to know of a change. */
interface StepChange {
  readonly kind: ChangeKind;
  readonly command: string | null;
}

/** At most three, the most urgent first. */
export function suggestedSteps(
  report: Report,
  all: readonly StepChange[],
  folder: string | null,
): readonly SuggestedStep[] {
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
    command: `chatspec baseline accept ${path}${config}`,
  };
  const unreached = models.some(({ reachable, standing, retired }) => !reachable && standing !== 'gone' && !retired);
  const rerun = {
    kind: 'other',
    text: say(steps.rerun),
    command: `chatspec run --last-failed ${path}${config}`,
  } as const;
  const again = unreached ? [rerun] : [];
  if (run.profile === 'smoke') return changes.length === 0 ? again : [...evidenceSteps(changes), ...again];
  if (isCheck(report)) return [...evidenceSteps(changes), ...again];
  if (hasNoBaseline(report)) return [...again, { ...accept, text: say(steps.acceptFirst) }];
  const open = changes.filter((one) => isDeviating(one) && one.kind !== 'gone');
  if (open.length === 0) return again;
  if (open.every(({ kind }) => kind === 'gained')) return [...again, { ...accept, text: say(steps.acceptGains) }];
  return [...evidenceSteps(changes), ...again, accept];
}

function evidenceSteps(changes: readonly StepChange[]): readonly SuggestedStep[] {
  const command = changes.find((one) => one.command !== null)?.command ?? null;
  return command === null ? [] : [{ kind: 'evidence', text: say(steps.evidence), command }];
}

/** So many patterns a command names. */
const mostPatterns = 12;

/**
 * Accepts these cells and no other deviation; null: nothing of the run can be accepted, or no short command says it.
 */
export function acceptCommand(kind: ChangeKind, keys: readonly string[], report: Report, folder: string | null) {
  const { run } = report;
  if (kind === 'gone' || kind === 'doubt' || kind === 'served' || !isAcceptable(report)) return null;
  const patterns = patternsOf(kind === 'wire' ? keys.slice(0, 1) : keys, report);
  if (patterns.length === 0 || patterns.length > mostPatterns) return null;
  const only = patterns.map((pattern) => ` --only ${shellWord(pattern)}`).join('');
  return `chatspec baseline accept ${shellWord(folder ?? 'RUN')}${only}${configOption(run.config)}`;
}

/** A model or a probe as a whole where nothing else of it deviates, else the cells one by one. */
function patternsOf(keys: readonly string[], report: Report): readonly string[] {
  const wanted = new Set(keys);
  const others = deviationsOf(report).flatMap((one) =>
    'cell' in one && !wanted.has(one.cell.key) ? one.cell.key : [],
  );
  const isFree = (belongs: (key: string) => boolean): boolean => !others.some(belongs);
  return [
    ...new Set(
      keys.map((key) => {
        const { head, model } = splitAtModel(key);
        const ofModel = `@${model ?? ''}`;
        if (isFree((other) => other.endsWith(ofModel))) return `*${ofModel}`;
        const probe = withoutPoint(head);
        const isOfProbe = (other: string) =>
          other.endsWith(ofModel) && withoutPoint(splitAtModel(other).head) === probe;
        return isFree(isOfProbe) ? `${probe}${ofModel}` : key;
      }),
    ),
  ];
}

/** Whether no judged cell is in a baseline. */
export function hasNoBaseline({ cells }: Pick<Report, 'cells'>): boolean {
  const judged = cells.filter(isJudged);
  return judged.length > 0 && judged.every(({ standing }) => standing === 'new');
}
