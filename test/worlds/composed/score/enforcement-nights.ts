import { diffRuns } from '../../../../src/matrix/diff/diff-reports.js';
import type { ReportCell } from '../../../../src/matrix/report-format.js';
import { deviationsOf } from '../../../../src/matrix/standing/deviations.js';
import type { Enforcement, WorldModel } from '../model.js';
import { acceptNight, rememberedOf, runNight, type Night } from '../run-world.js';
import { scoreOf, type Mistake, type StoryScorer } from './score.js';

type Treatment = Enforcement['how'] | 'enforced';

/** How a keyword is treated in one channel before and after the night that is accepted. */
interface Change {
  readonly from: Treatment;
  readonly to: Treatment;
}

const changes: readonly Change[] = [
  { from: 'enforced', to: 'ignored' },
  { from: 'ignored', to: 'enforced' },
  { from: 'enforced', to: 'refused' },
  { from: 'refused', to: 'enforced' },
  { from: 'enforced', to: 'broken' },
  { from: 'ignored', to: 'refused' },
];
/** One for each change. No other probe uses them, so that the keyword alone changes. */
const keywords = ['minimum', 'maxLength', 'pattern', 'format', 'const', 'minItems'] as const;
const channels = ['response_format', 'tools'] as const;

/** Each is asked twice in each night: as it is, and with every change. */
const few = 4;
const nightsAfter = 3;
const only = ['world-keywords/*'];
/** Most changes show the first night. */
const shareLater = 0.2;

interface Chapter {
  readonly before: WorldModel;
  readonly after: WorldModel;
  /** By channel and keyword. */
  readonly changed: ReadonlyMap<string, Change>;
}

/**
 * What a night after the accepted one says of each keyword: nothing new as long as the service treats it as before, and
 * within three nights the change, if the accepted night knew how it was treated.
 */
export const enforcementNights: StoryScorer = async ({ models, suites }) => {
  const chapters = models.slice(0, few).flatMap((model, index) => [unchanged(model), withChanges(model, index)]);
  const present = (side: 'before' | 'after') => chapters.map((chapter) => chapter[side]);
  const accepted = await runNight(present('before'), suites, { only });
  const baseline = await acceptNight(accepted);
  const nights: Night[] = [];
  while (nights.length < nightsAfter) {
    const previous = rememberedOf(nights.at(-1) ?? accepted);
    nights.push(await runNight(present('after'), suites, { night: nights.length + 1, baseline, previous, only }));
  }
  const cases = casesOf(chapters, accepted, nights);
  const found = cases.filter(({ change, told }) => change !== null && told.some(Boolean));
  const later = found.filter(({ told }) => told[0] === false).length;
  const score = {
    ...scoreOf('enforcement nights', cases, mistakeIn),
    figures: { 'share of changed keywords told later': { sum: later, of: found.length, most: shareLater } },
  };
  return [score];
};

const unchanged = (model: WorldModel): Chapter => ({ before: model, after: model, changed: new Map() });

/** A model that repeats documents, without modes where keywords are asked: what is seen follows from the change. */
function withChanges(model: WorldModel, index: number): Chapter {
  const habit = model.habit === 'corrects' || model.habit === 'unrelated' ? 'repeats' : model.habit;
  const modes = model.modes.filter(({ when }) => when.form?.some((form) => form === 'text' || form === 'json_object'));
  const plan = changes.map((change, nth) => ({
    change,
    keyword: keywords[(nth + index) % keywords.length]!,
    channel: channels[(nth + Math.floor(index / 2)) % channels.length]!,
  }));
  const treated = (side: keyof Change): WorldModel => ({
    ...{ ...model, id: `${model.id}-changed`, habit, modes },
    enforcement: [
      ...model.enforcement.filter(({ keyword }) => !keywords.some((one) => one === keyword)),
      ...plan.flatMap(({ change, keyword, channel }) => {
        const how = change[side];
        return how === 'enforced' ? [] : [{ keyword, channel, how }];
      }),
    ],
  });
  const changed = new Map(plan.map(({ change, keyword, channel }) => [`${channel} ${keyword}`, change]));
  return { before: treated('from'), after: treated('to'), changed };
}

/** One cell in all nights. */
interface Case {
  readonly cells: readonly ReportCell[];
  readonly known: ReportCell;
  readonly change: Change | null;
  /** Whether each night tells something new of it. */
  readonly told: readonly boolean[];
  /** What `diff` says of the accepted night and each later one. */
  readonly diffs: readonly ('lost' | 'gained' | null)[];
}

function casesOf(chapters: readonly Chapter[], accepted: Night, nights: readonly Night[]): readonly Case[] {
  const keywordOf = new Map(
    accepted.plan.tickets.map(({ cell }) => [
      cell.key,
      `${cell.point['channel']} ${cell.probe.enforce?.keyword ?? ''}`,
    ]),
  );
  const byModel = new Map(chapters.map((chapter) => [`world/${chapter.before.id}`, chapter]));
  const seen = nights.map((night) => {
    const { lost, gained } = diffRuns(accepted.report, night.report);
    return {
      cells: new Map(night.report.cells.map((cell) => [cell.key, cell])),
      told: new Set(deviationsOf(night.report).flatMap((one) => ('cell' in one ? [one.cell.key] : []))),
      lost: new Set(lost.map(({ cell }) => cell)),
      gained: new Set(gained.map(({ cell }) => cell)),
    };
  });
  return accepted.report.cells.map((known) => ({
    known,
    cells: seen.map(({ cells }) => cells.get(known.key)!),
    change: byModel.get(known.model)?.changed.get(keywordOf.get(known.key) ?? '') ?? null,
    told: seen.map(({ told }) => told.has(known.key)),
    diffs: seen.map(({ lost, gained }) => (lost.has(known.key) ? 'lost' : gained.has(known.key) ? 'gained' : null)),
  }));
}

function mistakeIn({ known, cells, change, told, diffs }: Case): Mistake | null {
  const nights = cells.map((cell, index) => {
    const diff = diffs[index] ?? null;
    return `${textOf(cell)}${told[index] === true ? ', told' : ''}${diff === null ? '' : `, ${diff}`}`;
  });
  const said = [`accepted: ${textOf(known)}`, ...nights].join('; ');
  const wrong = { at: known.key, said, truth: change === null ? 'unchanged' : `${change.from}, then ${change.to}` };
  if (change === null) return told.some(Boolean) || diffs.some((diff) => diff !== null) ? wrong : null;
  const falsely = cells.some(({ enforcement }) => enforcement !== 'unclear' && enforcement !== change.to);
  const misnamed = diffs.some((diff) =>
    diff === 'lost' ? change.from !== 'enforced' : diff === 'gained' && change.to !== 'enforced',
  );
  const missed = known.enforcement === change.from && !told.some(Boolean);
  return falsely || misnamed || missed ? wrong : null;
}

function textOf({ enforcement, trials: { passed, total }, standing, unsettled, doubt }: ReportCell): string {
  const again = doubt === null ? '' : ` (doubt ${doubt.passed} of ${doubt.total})`;
  return `${enforcement ?? ''} ${passed} of ${total}${again} ${standing ?? ''}${unsettled ? ' unsettled' : ''}`;
}
