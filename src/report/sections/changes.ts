import { groupBy } from '../../json/group-by.js';
import type { Report, ReportBehaviour, ReportCell, ReportQuirk } from '../../matrix/report-format.js';
import { type Deviation, deviationId, deviationsOf } from '../../matrix/standing/deviations.js';
import { deviatesSince, type DeviatingSince } from '../../matrix/changes/deviates-since.js';
import type { RunSummary } from '../../matrix/run-summary.js';
import type { SharedFailure } from '../../decide/course.js';
import { isAcceptable } from '../../matrix/acceptable.js';
import { failureOfCells } from '../../matrix/advice.js';
import { doubtCount, knownCount } from '../../matrix/cell-evidence.js';
import type { ServedChange } from '../../matrix/served-by.js';
import { sumOf } from '../../stats/count.js';
import { quirkTable } from '../../chat/quirks.js';
import { type ChangeKind, changeKinds, isDeviating } from '../words/catalogue/changes.js';
import { texts } from '../words/catalogue.js';
import { adviceText } from '../words/advice-text.js';
import { say } from '../words/message.js';
import { configOption, shellWord } from '../safe/shell.js';
import { acceptCommand } from './next-steps.js';
import { capabilitiesText, faultsText, faultText, joinedNames, type Names } from './names.js';
import { dayText } from './run-time.js';
import { type Mark, stripOf, wireStrip } from './strip.js';
import { writtenJson } from '../../json/json.js';

const { changes, scopes, sinceTexts, todos } = texts;

/** Deviations, or doubts, with one explanation. */
export interface Change {
  readonly kind: ChangeKind;
  /** `TARGET/MODEL` of each model that shows it. */
  readonly models: readonly string[];
  /** As people call them. */
  readonly names: string;
  /** What changed, in one sentence. */
  readonly what: string;
  /** What to do about it. */
  readonly todo: string;
  /** How long it has been so, with the number of runs; empty where no earlier run is known. */
  readonly since: string;
  /** The same where a strip shows the runs. */
  readonly sinceDay: string;
  /** Whether other models show the same; empty where there is no other. */
  readonly scope: string;
  /** No run before this one shows it, as far as is known. */
  readonly isFresh: boolean;
  /** How its cells did in the last runs, this one last; empty where none is known. */
  readonly strip: readonly Mark[];
  /** Keys of its cells. */
  readonly cells: readonly string[];
  /** Of its deviations; empty: it is none. */
  readonly deviations: readonly string[];
  /** What the service said, in its own words. */
  readonly detail: string | null;
  /** Notes and links of the baseline's entries. */
  readonly notes: readonly string[];
  /** The cell that stands for it, and the exchange to look at. */
  readonly example: { readonly cell: string; readonly exchange: string | null } | null;
  /** Shows the evidence. */
  readonly command: string | null;
  /** Accepts just this; null: it cannot be accepted. */
  readonly accept: string | null;
}

interface ChangeContext {
  readonly names: Names;
  readonly folder: string | null;
  /** The runs before, the oldest first, and this one last; empty: none is known. */
  readonly runs: readonly RunSummary[];
}

type One = { readonly kind: ChangeKind; readonly model: string; readonly deviation?: Deviation } & (
  | { readonly cell: ReportCell }
  | { readonly quirk: ReportQuirk }
  | { readonly status: number | null }
  | { readonly shared: SharedFailure }
  | { readonly served: ServedChange }
);

/**
 * All changes of a report, what hurts most first. Every deviation, every doubt and every unreliable cell stands in
 * exactly one.
 */
export function changesOf(report: Report, context: ChangeContext, behaviours: Behaviours): readonly Change[] {
  const deviations = deviationsOf(report);
  const doubts = report.cells.filter(({ unsettled }) => unsettled);
  const together = report.models.flatMap(({ id, shared_failures: found = [] }) =>
    found.flatMap((shared): One[] => (shared.alarm ? [] : [{ kind: 'doubt', model: id, shared }])),
  );
  const all = [
    ...deviations.map((deviation) => ({ ...singleChange(deviation), deviation })),
    ...doubts.map((cell): One => ({ kind: 'doubt', model: cell.model, cell })),
    ...report.cells.flatMap((cell): One[] =>
      cell.standing === 'unreliable' ? [{ kind: 'unreliable', model: cell.model, cell }] : [],
    ),
    ...together,
    ...report.models.flatMap(({ id, served_changes: found = [] }) =>
      found.map((served): One => ({ kind: 'served', model: id, served })),
    ),
  ];
  const alike = new Map(
    [...groupBy(all, kindReason)].map(([reason, some]) => [reason, new Set(some.map(({ model }) => model))]),
  );
  const asked = groupBy(
    report.models.filter(({ reachable }) => reachable),
    ({ target }) => target,
  );
  const groups = groupBy(all, (one) => changeGroupKey(one, behaviours));
  const merged = groupBy([...groups.values()].flatMap(twoFaults), (group) => alikeKey(group, behaviours));
  return [...merged.values()]
    .map((group) => changeOfGroup(group.flat(), report, { ...context, behaviours, alike, asked }))
    .sort(
      (one, other) =>
        changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind) ||
        changedCellCount(other) - changedCellCount(one),
    );
}

/** By cell: the behaviour that explains it. Other cells of the model that fail in the same way have the same cause. */
export function behavioursBehind({ behaviours, cells }: Pick<Report, 'behaviours' | 'cells'>): Behaviours {
  const behind = new Map(behaviours.flatMap((one) => one.cells.map((key) => [key, one] as const)).reverse());
  const failing = cells.filter(({ verdict }) => verdict === 'fail');
  const faultOf = ({ model, class: kind, reason, status }: ReportCell) => writtenJson([model, kind, reason, status]);
  const byFault = new Map(
    failing.flatMap((cell) => {
      const behaviour = behind.get(cell.key);
      return behaviour === undefined ? [] : [[faultOf(cell), behaviour] as const];
    }),
  );
  for (const cell of failing) {
    const behaviour = byFault.get(faultOf(cell));
    if (behaviour !== undefined && !behind.has(cell.key)) behind.set(cell.key, behaviour);
  }
  return behind;
}

const changedCellCount = ({ cells }: Change): number => cells.length;

function singleChange(deviation: Deviation): One {
  const { model } = deviation;
  switch (deviation.kind) {
    case 'gone':
      return { kind: 'gone', model, status: deviation.gone.unreachable?.status ?? null };
    case 'wire':
      return { kind: 'wire', model, quirk: deviation.quirk };
    case 'regression':
      return { kind: 'lost', model, cell: deviation.cell };
    case 'improvement':
      return { kind: 'gained', model, cell: deviation.cell };
    case 'changed':
    case 'new':
      return { kind: deviation.kind, model, cell: deviation.cell };
  }
}

/** By cell. */
export type Behaviours = ReadonlyMap<string, Report['behaviours'][number]>;

/** What one model shows for one reason. */
function changeGroupKey(one: One, behaviours: Behaviours): string {
  return writtenJson([one.model, changeReason(one, behaviours)]);
}

function changeReason(one: One, behaviours: Behaviours): readonly (string | number | null)[] {
  if ('status' in one) return ['gone', one.status];
  if ('quirk' in one) return ['wire', one.quirk.quirk, one.quirk.standing];
  if ('shared' in one) return ['together', one.shared.class, one.shared.reason, one.shared.failed, one.shared.total];
  if ('served' in one) return ['served', one.served.field, ...one.served.before, '', ...one.served.now];
  const { kind, cell } = one;
  if (kind === 'gained') return [kind, movedThreshold(cell) ? cell.key : null];
  const behaviour = isDeviating(one) ? behaviours.get(cell.key) : undefined;
  if (behaviour !== undefined && kind !== 'changed') return [kind, behaviour.id];
  // A keyword that is not enforced is a schema that is not kept.
  const fault = cell.class === 'not_enforced' ? 'schema_violation' : cell.class;
  const what = [fault, cell.reason, cell.status];
  if (kind === 'changed') return [kind, ...what, ...expectedFault(cell)];
  return [kind, ...what, movedThreshold(cell) ? cell.key : null];
}

/** Cells of one class, of which some have one flaw and the others another, have two causes. */
function twoFaults(group: readonly One[]): readonly (readonly One[])[] {
  const byFlaw = [...groupBy(group, flawIn)];
  const isTwo = byFlaw.length === 2 && byFlaw.every(([flaw]) => flaw !== undefined);
  return isTwo ? byFlaw.map(([, some]) => some) : [group];
}

const flawIn = (one: One): string | undefined =>
  'cell' in one && one.kind === 'lost' ? one.cell.failures[0]?.flaw : undefined;

const expectedFault = ({ expected }: ReportCell) =>
  expected === null ? [] : [expected.class, expected.reason, expected.status];

/** Models that show the same in the same capabilities share a change. */
function alikeKey(group: readonly One[], behaviours: Behaviours): string {
  const [first] = group;
  if (first === undefined) return '';
  const capabilities = new Set(group.flatMap((one) => ('cell' in one ? one.cell.capability : [])));
  return writtenJson([changeReason(first, behaviours), [...capabilities].sort(), flawIn(first) ?? null]);
}

interface Around extends ChangeContext {
  readonly behaviours: Behaviours;
  /** By {@link kindReason}: the models that show it. */
  readonly alike: ReadonlyMap<string, ReadonlySet<string>>;
  /** By target: the models that answered. */
  readonly asked: ReadonlyMap<string, Report['models']>;
}

function changeOfGroup(group: readonly One[], report: Report, around: Around): Change {
  const { names, folder, runs, behaviours } = around;
  const [first] = group as readonly [One, ...One[]];
  const models = [...new Set(group.map(({ model }) => model))];
  const cells = group.flatMap((one) => ('cell' in one ? one.cell : []));
  const keys = [
    ...cells.map(({ key }) => key),
    ...group.flatMap((one) => ('quirk' in one ? one.quirk.cells : [])),
    ...group.flatMap((one) => ('shared' in one ? Object.keys(one.shared.cells) : [])),
  ];
  const deviations = group.flatMap(({ deviation }) => deviation ?? []);
  const behaviour = cells[0] === undefined || !isDeviating(first) ? undefined : behaviours.get(cells[0].key);
  const example = exampleOf(group, report);
  const since = longestSince(deviations, runs);
  const options = configOption(report.run.config);
  const run = shellWord(folder ?? 'RUN');
  return {
    kind: first.kind,
    models,
    names: joinedNames(models.map(names.model), 2),
    what: whatOf(group, cells, behaviour, names),
    todo: todoOf(first, cells, behaviour, report),
    ...(isDeviating(first) ? sinceTextsOf(since, runs) : { since: '', sinceDay: '' }),
    scope: scopeText(first, models, around, since?.at ?? null),
    isFresh: since === null || since.at === null,
    strip:
      first.kind === 'wire'
        ? wireStrip(runs, deviations.map(deviationId), models)
        : stripOf(runs, { models, cells: keys, gone: first.kind === 'gone' }),
    cells: keys,
    deviations: deviations.map(deviationId),
    detail: cells.find(({ detail }) => detail !== null)?.detail ?? null,
    notes: [...new Set(cells.flatMap(({ expected }) => [expected?.note, expected?.link].flatMap((one) => one ?? [])))],
    example,
    command:
      example === null || first.kind === 'gone'
        ? null
        : `chatspec evidence ${run} ${shellWord(example.cell)}${options}`,
    accept: acceptCommand(first.kind, keys, report, folder),
  };
}

function exampleOf(group: readonly One[], report: Pick<Report, 'cells'>): Change['example'] {
  for (const one of group) {
    if ('quirk' in one && one.quirk.cells[0] !== undefined) {
      return { cell: one.quirk.cells[0], exchange: one.quirk.exchange };
    }
  }
  const refused = group.flatMap((one) => ('status' in one ? refusedCells(one.model, report) : []));
  const cells = group.flatMap((one) => ('cell' in one ? one.cell : refused));
  const cell = cells.find(({ failures }) => failures.some(({ exchange }) => exchange !== null)) ?? cells[0];
  if (cell === undefined) return null;
  const failing = cell.failures.find(({ exchange }) => exchange !== null)?.exchange;
  return { cell: cell.key, exchange: failing ?? cell.exchanges[0] ?? null };
}

/** What was asked of a model that is gone: the refusal is behind it. */
const refusedCells = (model: string, { cells }: Pick<Report, 'cells'>) =>
  cells.filter((cell) => cell.model === model && cell.exchanges.length > 0).slice(0, 1);

function whatOf(
  group: readonly One[],
  cells: readonly ReportCell[],
  behaviour: Report['behaviours'][number] | undefined,
  names: Names,
): string {
  const [one] = group as readonly [One, ...One[]];
  if ('status' in one) return say(changes.gone, { status: one.status === null ? 'none' : String(one.status) });
  if ('quirk' in one) {
    const meaning = Object.hasOwn(quirkTable, one.quirk.quirk)
      ? quirkTable[one.quirk.quirk as keyof typeof quirkTable].means
      : one.quirk.quirk;
    return say(one.quirk.standing === 'gone' ? changes.wireGone : changes.wireNew, { quirk: meaning });
  }
  if ('shared' in one) {
    const { class: outcome, reason, failed, total, before } = one.shared;
    const fault = faultText({ class: outcome, reason, status: null });
    return say(changes.together, { fault, failed, total, before: before.failed, of: before.total });
  }
  if ('served' in one) {
    const { field, before, now } = one.served;
    return say(changes.served, { field, before: joinedNames(before, 3), now: joinedNames(now, 3) });
  }
  const { kind, cell } = one;
  const what = capabilitiesText(
    cells.map(({ capability }) => capability),
    names,
  );
  const { passed, total } = sumOf(cells.map(({ trials }) => trials));
  const fault = faultsText(cells);
  const moved = movedThreshold(cell);
  if (moved !== null) return movedText(what, moved);
  const before = cell.expected?.verdict === 'flaky' ? cell.expected : null;
  if (before !== null && before.total !== null && kind !== 'changed' && isDeviating(one)) {
    return say(changes.rate, {
      what,
      passed,
      total,
      before: before.passed ?? 0,
      of: before.total,
      fault: fault || 'none',
    });
  }
  switch (kind) {
    case 'doubt': {
      const doubt = sumOf(cells.map((own) => doubtCount(own) ?? own.trials));
      const known = sumOf(cells.flatMap((own) => knownCount(own) ?? []));
      const { passed: ofDoubt, total: all } = doubt;
      const before = { known: known.passed, of: known.total };
      return say(changes.doubt, { what, fault: fault || 'none', passed: ofDoubt, total: all, ...before });
    }
    case 'unreliable': {
      const known = sumOf(cells.flatMap((own) => knownCount(own) ?? []));
      return say(changes.unreliable, { what, fault: fault || 'none', passed: known.passed, total: known.total });
    }
    case 'gained':
      return say(changes.gained, { what, passed, total });
    case 'changed':
      return say(changes.changed, { what, fault, before: cell.expected === null ? '' : faultText(cell.expected) });
    default:
      if (behaviour !== undefined) return say(changes.behaviour, { title: behaviour.title });
      return say(changes.lost, { what, fault: fault || '–', passed, total });
  }
}

interface MovedThreshold {
  /** null: no value passes. */
  readonly value: number | null;
  readonly before: number;
  /** The values up to it pass, not those from it on. */
  readonly isLargest: boolean;
}

function movedThreshold({ threshold, expected }: ReportCell): MovedThreshold | null {
  const [value, before] = [threshold?.value ?? null, expected?.threshold ?? null];
  if (threshold === null || before === null || value === before) return null;
  return { value, before, isLargest: threshold.largest === true };
}

function movedText(what: string, { value, before, isLargest }: MovedThreshold): string {
  if (value === null) return say(changes.worksAtNone, { what, before });
  if (isLargest) return say(changes.worksUpTo, { what, value, before });
  return say(value > before ? changes.needsMore : changes.needsLess, { what, value, before });
}

function todoOf(
  one: One,
  cells: readonly ReportCell[],
  behaviour: Report['behaviours'][number] | undefined,
  report: Report,
): string {
  const { kind } = one;
  const canAccept = isAcceptable(report);
  if (kind === 'gained' && !canAccept) return say(todos.gainedUnaccepted);
  if (kind === 'unreliable' && !canAccept) return say(todos.unreliableUnaccepted);
  if (kind === 'gone' || kind === 'gained' || kind === 'served' || kind === 'unreliable' || kind === 'doubt') {
    return say(todos[kind]);
  }
  if ('quirk' in one) {
    const { breaks } = one.quirk;
    return breaks.length === 0 ? say(todos.wire) : say(todos.wireBreaks, { clients: breaks.join('; ') });
  }
  if (behaviour !== undefined) return behaviour.advice;
  return cellAdvice(cells, report);
}

/** What to do about the answers of a cell: what a behaviour says is about its own cells. */
export function adviceOnCell(cell: ReportCell, behaviour: ReportBehaviour | undefined, report: AdviceReport): string {
  if (cell.verdict !== 'fail' && cell.verdict !== 'flaky') return '';
  return behaviour?.cells.includes(cell.key) === true ? behaviour.advice : cellAdvice([cell], report);
}

/** What to do about the answers of cells that fail alike. */
function cellAdvice(cells: readonly ReportCell[], { recommendations, columns }: AdviceReport): string {
  const [first, ...others] = cells;
  if (first === undefined) return '';
  return adviceText(failureOfCells([first, ...others]), {
    models: [...new Set(cells.map(({ model }) => model))],
    recommendations,
    columns,
  });
}

type AdviceReport = Pick<Report, 'recommendations' | 'columns'>;

/** The longest of them; null where no earlier run is known. */
function longestSince(deviations: readonly Deviation[], runs: readonly RunSummary[]): DeviatingSince | null {
  if (runs.length < 2 || deviations.length === 0) {
    return null;
  }
  const earlier = runs.slice(0, -1);
  const all = deviations.map((one) => deviatesSince(one, earlier));
  return all.reduce((longest, one) => (one.runs > longest.runs ? one : longest));
}

function sinceTextsOf(
  since: DeviatingSince | null,
  { length }: readonly RunSummary[],
): Pick<Change, 'since' | 'sinceDay'> {
  if (since === null) {
    return { since: '', sinceDay: '' };
  }
  if (since.at === null) {
    return { since: say(sinceTexts.now), sinceDay: say(sinceTexts.now) };
  }
  const { runs } = since;
  const day = dayText(since.at);
  const isOpen = runs >= length;
  return {
    since: say(isOpen ? sinceTexts.atLeast : sinceTexts.since, { day, runs }),
    sinceDay: say(isOpen ? sinceTexts.dayAtLeast : sinceTexts.day, { day }),
  };
}

/** Who else shows the same: only this model, some of them, or all, also of a target, since the same run. */
function scopeText(one: One, models: readonly string[], { alike, asked }: Around, at: string | null): string {
  const of = [...asked.values()].flat().length;
  if (of < 2 || 'status' in one || one.kind === 'gained') return '';
  const all = new Set([...models, ...(alike.get(kindReason(one)) ?? [])]);
  const day = at === null ? 'now' : dayText(at);
  if (all.size >= of) return say(scopes.all, { day });
  const showing = [...asked].filter(([, own]) => own.some(({ id }) => all.has(id)));
  const isWhole = showing.every(([, own]) => own.length > 1 && own.every(({ id }) => all.has(id)));
  const targets = showing.map(([name]) => name);
  if (isWhole && targets.length > 0) return say(scopes.target, { targets: joinedNames(targets, 2), day });
  return all.size === 1 ? say(scopes.one) : say(scopes.some, { models: all.size, of });
}

/** What two models show alike, whatever it is of. */
function kindReason(one: One): string {
  if ('cell' in one) {
    return writtenJson([one.kind, one.cell.capability, one.cell.class, one.cell.reason]);
  }
  return writtenJson(changeReason(one, new Map()));
}
