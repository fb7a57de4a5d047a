import { deviationsOf } from '../../../../src/matrix/standing/deviations.js';
import { diffRuns } from '../../../../src/matrix/diff/diff-reports.js';
import type { ReportCell } from '../../../../src/matrix/report-format.js';
import { wellKnown } from '../../../../src/stats/evidence.js';
import { holds, passRate, type Situation, type WorldModel } from '../model.js';
import type { Night } from '../run-world.js';
import { risenThreshold, type Chapter, type Story } from '../stories.js';
import { noticedBy, plainCells, type PlainCell } from './plain-cells.js';
import { type Mistake, type Score, scoreOf } from './score.js';

/** A cell that the accepted night and a later one asked, with what is true of it on both sides. */
interface Told {
  readonly cell: ReportCell;
  readonly chapter: Chapter;
  readonly before: number;
  readonly after: number;
  /** Nothing about it changed: neither how often it fails nor in which way. */
  readonly same: boolean;
}

/** The truth of every plain cell of a night, before and after. */
function toldBy({ chapters }: Story, night: Night): readonly Told[] {
  const byModel = new Map(chapters.map((chapter) => [`world/${(chapter.before ?? chapter.after)!.id}`, chapter]));
  return plainCells(night).flatMap((plain) => {
    const chapter = byModel.get(plain.cell.model)!;
    const { before, after } = chapter;
    if (before === null || after === null || plain.trials.length === 0) return [];
    return [{ cell: plain.cell, chapter, ...truthOf(plain, before, after) }];
  });
}

function truthOf(
  { ticket, trials }: PlainCell,
  before: WorldModel,
  after: WorldModel,
): Pick<Told, 'before' | 'after' | 'same'> {
  const mean = (model: WorldModel) =>
    trials.reduce((sum, { situation }) => sum + passRate(noticedBy(ticket, model), situation), 0) / trials.length;
  const modes = (model: WorldModel, situation: Situation) =>
    JSON.stringify(
      noticedBy(ticket, model)
        .modes.filter(({ when }) => holds(when, situation))
        .map(({ rate, kind }) => [rate, kind]),
    );
  const same = trials.every(({ situation }) => modes(before, situation) === modes(after, situation));
  return { before: mean(before), after: mean(after), same };
}

/** No deviation of what did not change: cells, wires and models. */
export function falseAlarms(story: Story): Score {
  const cases = story.nights.flatMap((night, index) => {
    const told = new Map(toldBy(story, night).map((one) => [one.cell.key, one]));
    return night.report.cells.map((cell) => ({ cell, index, night, told: told.get(cell.key) }));
  });
  const alarms = new Map(
    story.nights.map((night) => [
      night,
      new Map(deviationsOf(night.report).flatMap((one) => ('cell' in one ? [[one.cell.key, one.kind]] : []))),
    ]),
  );
  const still = new Set(
    story.chapters.filter(({ before, after }) => before === after).map(({ before }) => `world/${before!.id}`),
  );
  return scoreOf('false alarms', cases, ({ cell, index, night, told }) => {
    const kind = alarms.get(night)!.get(cell.key);
    const isSame = told?.same ?? still.has(cell.model);
    if (kind === undefined || !isSame) return null;
    return {
      at: cell.key,
      said: `night ${index + 1}: ${kind}, ${count(cell)}; ${knownText(cell)}`,
      truth: `unchanged, rate ${told?.before ?? '?'}`,
    };
  });
}

/** Deviations that are named as what they are. */
export function kindsOfNews(story: Story): Score {
  const cases = story.nights.flatMap((night, index) => toldBy(story, night).map((told) => ({ told, index })));
  return scoreOf(
    'kinds of news',
    cases.filter(({ told: { cell, same } }) => !same && !cell.unsettled && cell.standing !== null),
    ({ told: { cell, before, after, chapter }, index }) => {
      const truth = `${chapter.change}: ${before} to ${after}`;
      const wrong = { at: cell.key, said: `night ${index + 1}: ${cell.standing ?? ''}, ${count(cell)}`, truth };
      switch (cell.standing) {
        case 'improvement':
          return after < 0.9 ? wrong : null;
        case 'regression':
          return after >= before && before < 1 ? wrong : null;
        case 'changed':
          return after > 0 || before > 0 ? wrong : null;
        case 'new':
        case 'as_expected':
        case null:
          return null;
      }
    },
  );
}

/** What must be news, and in which of the nights at the latest. */
function dueNight({ cell, before, after, same }: Told): number | null {
  const { expected } = cell;
  if (same || expected === null) return null;
  if (expected.verdict === 'pass') {
    if (after === 0) return 1;
    return before >= 0.95 && after <= 0.6 && (expected.trials ?? wellKnown) >= wellKnown ? 3 : null;
  }
  if (after === 1) {
    if (expected.verdict === 'fail') return 1;
    return before <= 0.5 && (expected.trials ?? wellKnown) >= wellKnown ? 3 : null;
  }
  return expected.verdict === 'fail' && before === 0 && after === 0 ? 3 : null;
}

/** Cells that died or healed. */
export function foundFirstNight(story: Story): Score {
  return foundBy(story, 1, 'changes told the first night');
}

/** All other changes that can be told from what was accepted. */
export function foundWithinThree(story: Story): Score {
  return foundBy(story, 3, 'changes told within three nights');
}

function foundBy(story: Story, limit: 1 | 3, subject: string): Score {
  const found = story.nights.map(
    (night) => new Set(deviationsOf(night.report).flatMap((one) => ('cell' in one ? [one.cell.key] : []))),
  );
  const due = toldBy(story, story.nights[0]!).flatMap((told) => {
    const by = dueNight(told);
    return by === limit ? [{ told, by: Math.min(by, story.nights.length) }] : [];
  });
  return scoreOf(subject, due, ({ told: { cell, before, after, chapter }, by }) => {
    if (found.slice(0, by).some((keys) => keys.has(cell.key))) return null;
    const nights = story.nights.slice(0, by).map(({ report }) => {
      const then = report.cells.find(({ key }) => key === cell.key)!;
      return `${then.standing ?? 'not judged'}${then.unsettled ? ' (unsettled)' : ''} ${count(then)}`;
    });
    const truth = `${chapter.change}: ${before} to ${after}, expected ${cell.expected?.verdict ?? ''} from ${cell.expected?.trials ?? '?'}`;
    return { at: cell.key, said: nights.join('; '), truth };
  });
}

/** A threshold that rose and nothing else of its cell. */
export function risenThresholds({ chapters, accepted, nights }: Story): Score {
  const models = chapters.flatMap(({ change, before }) => (change === risenThreshold ? [`world/${before!.id}`] : []));
  const due = accepted.report.cells.filter(
    ({ model, key, verdict }) => models.includes(model) && key.startsWith('world-budget/tools') && verdict === 'pass',
  );
  const told = new Set(deviationsOf(nights[0]!.report).flatMap((one) => ('cell' in one ? [one.cell.key] : [])));
  return scoreOf('thresholds that rose told the first night', due, ({ key, threshold }) => {
    const then = nights[0]!.report.cells.find((cell) => cell.key === key)!;
    const said = `from ${threshold?.value ?? '?'}, then ${then.verdict} from ${then.threshold?.value ?? '?'}`;
    return told.has(key) ? null : { at: key, said, truth: risenThreshold };
  });
}

/** Models that went away and quirks of the wire. */
export function modelsAndWires(story: Story): Score {
  const cases = story.nights.flatMap((night, index) => story.chapters.map((chapter) => ({ night, index, chapter })));
  return scoreOf('models and wires', cases, ({ night, index, chapter: { before, after, change } }) => {
    const id = `world/${(before ?? after)!.id}`;
    const found = deviationsOf(night.report).filter(({ model }) => model === id);
    const gone = found.some(({ kind }) => kind === 'gone');
    const wire = found.some(({ kind }) => kind === 'wire');
    const differs = before !== null && after !== null && JSON.stringify(before.quirks) !== JSON.stringify(after.quirks);
    if (gone === (after === null) && wire === differs) return null;
    return { at: id, said: `night ${index + 1}: ${gone ? 'gone ' : ''}${wire ? 'wire' : ''}`, truth: change };
  });
}

/** `diff` of each night with the one before: what passes less often is never gained, and nothing is lost that is not. */
export function diffsOfNights(story: Story): Score {
  const pairs = story.nights.map((night, index) => ({
    base: story.nights[index - 1] ?? story.accepted,
    head: night,
    index,
  }));
  const mistakes = pairs.flatMap(({ base, head, index }) => {
    const diff = diffRuns(base.report, head.report);
    const [lost, gained] = [diff.lost, diff.gained].map((list) => new Set(list.map(({ cell }) => cell)));
    return toldBy(story, head).map((told) => ({ told, index, lost: lost!, gained: gained!, base }));
  });
  return scoreOf('diff of nights', mistakes, ({ told, index, lost, gained, base }): Mistake | null => {
    const { cell, before, after, same, chapter } = told;
    const moved = index === 0 && !same;
    const was = base.report.cells.find(({ key }) => key === cell.key);
    const [isLost, isGained] = [lost.has(cell.key), gained.has(cell.key)];
    const falsely = (isLost && !(moved && after < before)) || (isGained && !(moved && after > before && after >= 0.9));
    const died =
      moved && before === 1 && after === 0 && was?.verdict === 'pass' && cell.verdict === 'fail' && !cell.unsettled;
    const healed =
      moved && before === 0 && after === 1 && was?.verdict === 'fail' && cell.verdict === 'pass' && !cell.unsettled;
    const missed = (died && !isLost) || (healed && !isGained);
    if (!falsely && !missed) return null;
    const said = `${isLost ? 'lost' : isGained ? 'gained' : 'neither'}, ${was ? count(was) : '?'} -> ${count(cell)}`;
    return {
      at: cell.key,
      said: `night ${index + 1}: ${said}`,
      truth: `${moved ? chapter.change : 'unchanged'}: ${before} to ${after}`,
    };
  });
}

function knownText({ expected, doubt, known }: ReportCell): string {
  const of = expected?.verdict === 'flaky' ? ` ${expected.passed ?? '?'} of ${expected.total ?? '?'}` : '';
  const pool = known === null ? '' : `, known ${known.passed} of ${known.total}`;
  const again = doubt === null ? '' : `, doubt ${doubt.passed} of ${doubt.total}`;
  return `expected ${expected?.verdict ?? 'nothing'}${of} from ${expected?.trials ?? '?'}${pool}${again}`;
}

const count = ({ trials: { passed, total } }: ReportCell): string => `${passed} of ${total}`;

export const storyScores: readonly ((story: Story) => Score)[] = [
  falseAlarms,
  kindsOfNews,
  foundFirstNight,
  foundWithinThree,
  risenThresholds,
  modelsAndWires,
  diffsOfNights,
];
