import { isJudgement } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import { runSummaryOf, verdictIn, type RunSummary } from '../../matrix/run-summary.js';
import type { PastRun, RenderContext } from '../render.js';
import { texts } from '../words/catalogue.js';
import { say, type Plain } from '../words/message.js';
import { askOf, rivalsIn, type AskSection } from './ask.js';
import { type Behaviours, behavioursBehind, changesOf, type Change } from './changes.js';
import { hasNoBaseline, suggestedSteps, type SuggestedStep } from './next-steps.js';
import { matrixOf, type Matrix } from './matrix.js';
import { modelCards, type ModelCard } from './models.js';
import { reportNames, type Names } from './names.js';
import { overviewOf, type Overview } from './overview.js';
import { dayText, timeText } from './run-time.js';
import { acceptedAfter, modelStrip, runMark, type Mark } from './strip.js';
import { usableOf, type UsableTable } from './usable.js';

const { changeTitles, facts } = texts;

/** What a report says, for every format: each only lays it out. */
export interface Sections {
  /** Begins with the verdict. */
  readonly title: string;
  readonly overview: Overview;
  readonly steps: readonly SuggestedStep[];
  /** Deviations, and then what is in doubt. */
  readonly changes: readonly Change[];
  readonly usable: UsableTable;
  readonly matrix: Matrix;
  readonly ask: AskSection;
  /** By model: the other that passes most of what these cells ask. */
  readonly rival: ReturnType<typeof rivalsIn>;
  readonly models: readonly ModelCard[];
  readonly history: readonly HistoryRow[];
  /** Models by runs: how each did in the runs of the history, the oldest first. */
  readonly picture: readonly { readonly name: string; readonly strip: readonly Mark[] }[];
  /** By the place of a run in the picture: the day on which a baseline was accepted after it. */
  readonly accepted: ReadonlyMap<number, string>;
  readonly run: readonly Fact[];
  readonly names: Names;
  readonly behaviours: Behaviours;
  /** Earlier runs and this one, the oldest first. */
  readonly runs: readonly RunSummary[];
}

type SectionContext = Pick<RenderContext, 'folder' | 'history' | 'exit' | 'summary' | 'pages'>;

/**
 * What changed, without the sections around it.
 * @param report as people see it: redacted
 */
export function changesSection(
  report: Report,
  { folder, history, exit, summary }: SectionContext,
): Pick<Sections, 'names' | 'runs' | 'behaviours' | 'changes'> {
  const names = reportNames(report);
  const runs = [...(history?.runs ?? []), summary ?? runSummaryOf(report, exit)];
  const behaviours = behavioursBehind(report);
  return { names, runs, behaviours, changes: changesOf(report, { names, folder, runs }, behaviours) };
}

/** @param report as people see it: redacted */
export function sectionsOf(report: Report, context: SectionContext): Sections {
  const { folder, history, pages } = context;
  const { names, runs, behaviours, changes } = changesSection(report, context);
  const overview = overviewOf(report, changes, runs);
  // On a first run everything is new, which is no change.
  const marked = hasNoBaseline(report) ? changes.filter(({ kind }) => kind !== 'new') : changes;
  const matrix = matrixOf(report, marked, names);
  const usable = usableOf(matrix, names, report);
  return {
    title: `${overview.glyph} ${overview.headline} · chatspec · ${dayText(report.run.started_at)}`,
    overview,
    changes,
    matrix,
    names,
    runs,
    behaviours,
    steps: suggestedSteps(report, changes, folder),
    usable,
    ask: askOf(report, { changes, runs, usable }),
    rival: rivalsIn(report),
    models: modelCards(report, names, runs),
    history: historyRows(runs, report.run.id, pages ?? history?.pages),
    picture: matrix.models.map(({ id, name }) => ({ name, strip: modelStrip(runs, id, runs.length) })),
    accepted: acceptedAfter(report.cells, runs),
    run: runFacts(report),
  };
}

/** One run in the table of runs. */
interface HistoryRow {
  readonly time: string;
  readonly mark: Mark;
  /** "2 worse, 1 gone"; empty: nothing. */
  readonly changes: string;
  readonly passed: number;
  readonly judged: number;
  readonly profile: string;
  readonly requests: number;
  readonly cost: number | null;
  /** Its page beside this one; null: there is none, or it is this run. */
  readonly href: string | null;
}

/** The newest first. */
function historyRows(runs: readonly (RunSummary | PastRun)[], own: string, pages = '../'): readonly HistoryRow[] {
  return runs.map((one) => historyRowOf(one, own, pages)).reverse();
}

function historyRowOf(one: RunSummary | PastRun, own: string, pages: string): HistoryRow {
  const { run, deviations: found } = one;
  const followUps = new Set(one.asked_for);
  const planned = Object.entries(one.cells).flatMap(([key, cell]) => (followUps.has(key) ? [] : verdictIn(cell)));
  const judged = planned.filter(isJudgement);
  const counts = [
    [found.regression, changeTitles.lost],
    [found.gone, changeTitles.gone],
    [found.changed, changeTitles.changed],
    [found.new, changeTitles.new],
    [found.wire, changeTitles.wire],
    [found.improvement, changeTitles.gained],
  ] as const;
  const page = 'page' in one && run.id !== own ? one.page : null;
  return {
    time: timeText(run.started_at),
    mark: runMark(one),
    changes: counts.flatMap(([count, title]) => (count === 0 ? [] : `${count} ${say(title)}`)).join(', '),
    passed: judged.filter((verdict) => verdict === 'pass').length,
    judged: judged.length,
    profile: run.profile,
    requests: run.requests,
    cost: run.cost,
    href: page === null ? null : `${pages}${page.split(/[/\\]/).map(encodeURIComponent).join('/')}`,
  };
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What was asked, when, and what it took. */
function runFacts({ run }: Report): readonly Fact[] {
  const { usage, digests } = run;
  const took = run.finished_at === null ? null : (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
  const filters = Object.entries(run.filters ?? {}).map(([name, value]) => `--${name} ${String(value)}`);
  const all: readonly (readonly [Plain, string | null])[] = [
    [facts.started, run.started_at],
    [facts.took, took === null ? null : say(facts.seconds, { seconds: Math.round(took) })],
    [facts.profile, run.profile],
    [facts.filters, filters.join(' ') || null],
    [facts.requests, run.requests.toLocaleString('en')],
    [facts.tokens, say(facts.tokensOf, { tokens: usage.total_tokens, reasoning: usage.reasoning_tokens })],
    [facts.cost, run.cost === null ? null : run.cost.toFixed(4)],
    [facts.seed, String(run.seed)],
    [facts.tool, `${run.tool.name} ${run.tool.version}`],
    [facts.digests, [digests.config, digests.suites, digests.schemas].map((one) => one.slice(0, 16)).join(', ')],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : { name: say(name), value }));
}
