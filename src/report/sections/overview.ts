import { isJudged } from '../../cell/verdict.js';
import { hasNoBaseline, isAcceptable } from '../../matrix/acceptable.js';
import { type Change, isDeviating } from '../../matrix/changes/change.js';
import { doubtCount, knownCount } from '../../matrix/cell-evidence.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { sumOf, type Count } from '../../stats/count.js';
import { unmeasured, usualConditions, silentParts } from '../../matrix/run-exit-code.js';
import { groupBy } from '../../json/group-by.js';
import { unreachedAdvice } from '../words/connection-advice.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { stopText } from '../words/facts.js';
import type { ShownRun } from './shown-run.js';
import { type Mark, runMark, shownRuns } from './strip.js';
import { faultText, joinedNames, unreachedText } from './names.js';
import { timeText } from './run-time.js';

const { contexts, headlines, notes } = texts;

/** `bad`: look at it; `good`: only gains; `open`: not all is known; `quiet`: nothing to do. */
type Tone = 'bad' | 'good' | 'open' | 'quiet';

export interface Overview {
  readonly tone: Tone;
  readonly glyph: string;
  readonly headline: string;
  /** One line: what else holds, and what was asked when. */
  readonly context: string;
  /** The same without counts of what {@link named} names. */
  readonly brief: string;
  /** How the last runs ended, this one last. */
  readonly strip: readonly Mark[];
  /** Cells that are in doubt, unreliable or not measured. */
  readonly named: readonly NamedCells[];
  /** Reasons of a stop, and models that were not reached; {@link Report.run} has further notes. */
  readonly notes: readonly string[];
}

/** So many cells are shown by name. */
export interface NamedCells {
  readonly text: string;
  /** The key of a cell, or the name of a model, and its counts, or why; null: how many more there are. */
  readonly names: readonly { readonly name: string | null; readonly note: string }[];
}

const toneGlyphs: Readonly<Record<Tone, string>> = { bad: '▼', good: '▲', open: '○', quiet: '✓' };

export function overviewOf({ report, changes, runs }: Pick<ShownRun, 'report' | 'changes' | 'runs'>): Overview {
  const { tone, headline } = headlineOf(report, changes);
  return {
    tone,
    glyph: toneGlyphs[tone],
    headline,
    context: contextOf(report, changes).join(' '),
    brief: contextOf(report, changes, true).join(' '),
    strip: runs.length < 2 ? [] : runs.slice(-shownRuns).map(runMark),
    named: namedCells(report),
    notes: notesOf(report),
  };
}

function headlineOf(report: Report, changes: readonly Change[]): { readonly tone: Tone; readonly headline: string } {
  const { run, cells, models } = report;
  const of = (...kinds: readonly Change['kind'][]): number =>
    new Set(changes.filter(({ kind }) => kinds.includes(kind)).flatMap((one) => one.models)).size;
  const [worse, gone, changed, gained] = [of('lost'), of('gone'), of('changed', 'wire'), of('gained')];
  if (worse > 0 && gone > 0) return { tone: 'bad', headline: say(headlines.worseAndGone, { models: worse, gone }) };
  if (worse > 0) return { tone: 'bad', headline: say(headlines.worse, { models: worse }) };
  if (gone > 0) return { tone: 'bad', headline: say(headlines.gone, { models: gone }) };
  if (!cells.some(isJudged) && cells.length > 0) return { tone: 'bad', headline: say(headlines.nothing) };
  if (run.stops.some(({ kind }) => kind === 'interrupted')) {
    return { tone: 'open', headline: say(headlines.interrupted) };
  }
  if (!run.complete || run.stops.length > 0) return { tone: 'open', headline: say(headlines.stopped) };
  if (changed > 0) return { tone: 'bad', headline: say(headlines.changed, { models: changed }) };
  if (hasNoBaseline(report)) return { tone: 'open', headline: say(headlines.first, { models: models.length }) };
  const fresh = of('new');
  if (fresh > 0) return { tone: 'bad', headline: say(headlines.new, { models: fresh }) };
  const silent = new Set(silentParts(report).map(({ model }) => model));
  if (unmeasured(report) > usualConditions.maxUnmeasured || silent.size > 0) {
    const unreached = models.filter(({ id, reachable, retired }) => (!reachable && !retired) || silent.has(id)).length;
    return { tone: 'open', headline: say(headlines.unmeasured, { models: unreached }) };
  }
  if (gained > 0) return { tone: 'good', headline: say(headlines.better, { models: gained }) };
  return quietHeadline(report);
}

/** Nothing deviates, which does not mean that all is as it was accepted. */
function quietHeadline({ cells, models }: Report): { readonly tone: Tone; readonly headline: string } {
  const unreliable = cells.filter(({ standing }) => standing === 'unreliable');
  if (unreliable.length > 0) {
    const { passed, total } = sumOf(unreliable.flatMap((cell) => knownCount(cell) ?? []));
    return { tone: 'open', headline: say(headlines.unreliable, { cells: unreliable.length, passed, total }) };
  }
  const failing = cells.filter(isFailingUnexpectedly).length;
  if (failing > 0) return { tone: 'open', headline: say(headlines.failing, { cells: failing }) };
  const inDoubt = modelsInDoubt(cells, models).size;
  if (inDoubt > 0) return { tone: 'open', headline: say(headlines.doubt, { models: inDoubt }) };
  return { tone: 'quiet', headline: say(headlines.quiet, { models: models.length }) };
}

const isFailingUnexpectedly = ({ verdict, expected }: ReportCell): boolean =>
  verdict === 'fail' && expected?.verdict === 'pass';

/** Models of which something passed more often before, by too little to prove it. */
function modelsInDoubt(cells: Report['cells'], models: Report['models']): ReadonlySet<string> {
  const doubtful = cells.filter(({ unsettled, standing }) => unsettled && standing !== 'improvement');
  const shared = models.filter((model) => model.shared_failures?.some(({ alarm }) => !alarm) === true);
  return new Set([...doubtful.map(({ model }) => model), ...shared.map(({ id }) => id)]);
}

/** So many are named. */
const mostNamedCells = 3;

function namedCells({ cells, models }: Report): readonly NamedCells[] {
  const counts = ({ passed, total }: Count): string => say(contexts.counts, { passed, total });
  const wholes = models.flatMap(({ id, shared_failures: found = [] }) =>
    found.flatMap(({ alarm, failed, total }) =>
      alarm ? [] : [{ name: id, note: counts({ passed: total - failed, total }) }],
    ),
  );
  const doubts = cells
    .filter(({ unsettled }) => unsettled)
    .map((cell) => ({ name: cell.key, note: inDoubtText(doubtCount(cell) ?? cell.trials, knownCount(cell)) }));
  const unreliable = cells
    .filter(({ standing }) => standing === 'unreliable')
    .map((cell) => ({ name: cell.key, note: counts(knownCount(cell) ?? cell.trials) }));
  return [
    { text: say(contexts.unreliable), names: unreliable },
    { text: say(contexts.inDoubt), names: [...wholes, ...doubts] },
    { text: say(contexts.notMeasured), names: notMeasured(cells, models) },
  ].flatMap(({ text, names }) => {
    const more = names.length - mostNamedCells;
    if (names.length === 0) return [];
    if (more <= 0) return [{ text, names }];
    const rest = { name: null, note: say(contexts.andMore, { more }) };
    return [{ text, names: [...names.slice(0, mostNamedCells), rest] }];
  });
}

function inDoubtText({ passed, total }: Count, known: Count | null): string {
  return known === null
    ? say(contexts.counts, { passed, total })
    : say(contexts.countsAndKnown, { passed, total, before: known.passed, of: known.total });
}

/** All that was to be asked about a keyword may be answered, and prove nothing about it. */
const isUnmeasured = ({ verdict, enforcement, trials }: ReportCell): boolean =>
  verdict === 'inconclusive' && !(enforcement === 'unclear' && trials.needed === 0);

/** Where a model answered nothing, a note says so once. */
function notMeasured(cells: Report['cells'], models: Report['models']): NamedCells['names'] {
  const reached = new Set(models.flatMap(({ id, reachable }) => (reachable ? id : [])));
  return cells
    .filter((cell) => isUnmeasured(cell) && reached.has(cell.model))
    .map((cell) => ({ name: cell.key, note: faultText(cell) }));
}

function contextOf(report: Report, changes: readonly Change[], isNamed = false): readonly string[] {
  const { run, cells, models } = report;
  const modelsOf = (kind: Change['kind']) =>
    new Set(changes.filter((one) => one.kind === kind).flatMap((one) => one.models));
  const gained = modelsOf('gained').size;
  const isBad = changes.some((one) => one.kind !== 'gained' && isDeviating(one));
  const doubt = doubtfulChecks(changes);
  const gone = new Set(models.filter(({ standing }) => standing === 'gone').map(({ id }) => id));
  const missed = cells.filter((cell) => isUnmeasured(cell) && !gone.has(cell.model)).length;
  const asked = cells.filter(isPlanned).length;
  return [
    ...(run.last_failed === undefined ? [] : partialRunLines(report, asked)),
    ...(gained > 0 && isBad ? [say(contexts.better, { models: gained })] : []),
    ...baselineLines(report, changes),
    ...(doubt > 0 && !isNamed ? [say(contexts.doubt, { cells: doubt })] : []),
    ...(missed > 0 && !isNamed ? [say(contexts.unmeasured, { cells: missed })] : []),
    say(contexts.size, { models: models.length, time: timeText(run.started_at) }),
  ];
}

function baselineLines(report: Report, changes: readonly Change[]): readonly string[] {
  if (hasNoBaseline(report)) return [say(isAcceptable(report) ? contexts.uncovered : contexts.noBaseline)];
  return report.cells.some(isJudged) && isRestAsAccepted(report, changes) ? [say(contexts.rest)] : [];
}

const doubtfulChecks = (changes: readonly Change[]): number =>
  changes.filter(({ kind }) => kind === 'doubt').reduce((all, one) => all + one.cells.length, 0);

/** Something is listed, and all else does what was accepted. */
function isRestAsAccepted({ cells }: Report, changes: readonly Change[]): boolean {
  const listed = new Set(changes.flatMap((change) => change.cells));
  return changes.length > 0 && !cells.some((cell) => isFailingUnexpectedly(cell) && !listed.has(cell.key));
}

/** Not one that the run asked of its own accord, to explain others. */
const isPlanned = ({ asked_for: reason }: Report['cells'][number]): boolean => reason === undefined;

function partialRunLines({ run, cells }: Report, asked: number): readonly string[] {
  const judged = cells.filter((cell) => isJudged(cell) && isPlanned(cell));
  const recovered = judged.filter(({ verdict, standing }) => verdict === 'pass' && standing !== 'improvement').length;
  return [say(contexts.part, { asked, of: run.last_failed?.of ?? asked, passed: recovered })];
}

/** Reasons of a stop, and models that were not reached with things to check: each reason once. */
function notesOf({ run, models }: Report): readonly string[] {
  const unreached = models.filter(({ reachable, standing }) => !reachable && standing !== 'gone');
  const byReason = groupBy(unreached, (model) => {
    const { unreachable, client, standing } = model;
    if (unreachable === null) return '';
    const advice = unreachedAdvice(unreachable, client?.base_url ?? null, standing === 'known');
    // Of a connection, the advice says what failed.
    const said = unreachable.class === 'transport' && advice !== '' ? '' : (unreachable.detail ?? unreachedText(model));
    return [said.replace(/\.$/, ''), advice].filter((text) => text !== '').join('. ');
  });
  // Why a model was not reached says more than that it answered nothing.
  const silent = new Set(unreached.map(({ id }) => id));
  const stops = run.stops.filter((stop) => stop.kind !== 'unanswered' || !silent.has(stop.answered_by));
  return [
    ...new Set(stops.map(stopText)),
    ...[...byReason].map(([why, some]) =>
      say(notes.unreached, {
        models: joinedNames(
          some.map(({ id }) => id),
          3,
        ),
        why,
      }),
    ),
  ];
}
