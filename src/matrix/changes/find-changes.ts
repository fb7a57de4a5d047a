import { groupBy } from '../../json/group-by.js';
import { writtenJson } from '../../json/json.js';
import type { Report, ReportModel } from '../report-format.js';
import type { RunSummary } from '../run-summary.js';
import { type Deviation, deviationId } from '../standing/deviations.js';
import { acceptPatterns } from './accept-patterns.js';
import { type Behaviours, behavioursBehind } from './behaviours-behind.js';
import { causeOf, remedyOf } from './cause-and-remedy.js';
import { type Change, changeKinds, type ChangeScope, type ChangeSince, isDeviating } from './change.js';
import { deviatesSince } from './deviates-since.js';
import { likenessOf, reasonOf, type Symptom, symptomsIn } from './symptoms.js';

/**
 * All changes of a report, what hurts most first. Every deviation, every doubt and every unreliable cell stands in
 * exactly one.
 * @param runs earlier runs and this one, the oldest first
 */
export function changesOf(report: Report, runs: readonly RunSummary[]): readonly Change[] {
  const all = symptomsIn(report);
  const behaviours = behavioursBehind(report);
  const modelsOf = (group: readonly Symptom[]) => new Set(group.map(({ model }) => model));
  const alike = new Map([...groupBy(all, likenessOf)].map(([likeness, group]) => [likeness, modelsOf(group)]));
  const reached = groupBy(
    report.models.filter(({ reachable }) => reachable),
    ({ target }) => target,
  );
  const groups = groupBy(all, (one) => writtenJson([one.model, reasonOf(one, behaviours)]));
  const merged = groupBy([...groups.values()].flatMap(twoFaults), (group) => alikeKey(group, behaviours));
  return [...merged.values()]
    .map((group) => changeOf(group.flat(), { report, runs, behaviours, alike, reached }))
    .sort(
      (one, other) =>
        changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind) || other.cells.length - one.cells.length,
    );
}

/** Cells of one class, of which some have one flaw and the others another, have two causes. */
function twoFaults(group: readonly Symptom[]): readonly (readonly Symptom[])[] {
  const byFlaw = [...groupBy(group, flawIn)];
  const isTwo = byFlaw.length === 2 && byFlaw.every(([flaw]) => flaw !== undefined);
  return isTwo ? byFlaw.map(([, some]) => some) : [group];
}

const flawIn = (symptom: Symptom): string | undefined =>
  'cell' in symptom && symptom.kind === 'lost' ? symptom.cell.failures[0]?.flaw : undefined;

/** Models that show the same in the same capabilities share a change. */
function alikeKey(group: readonly Symptom[], behaviours: Behaviours): string {
  const [first] = group as readonly [Symptom, ...Symptom[]];
  const capabilities = new Set(group.flatMap((one) => ('cell' in one ? one.cell.capability : [])));
  return writtenJson([reasonOf(first, behaviours), [...capabilities].sort(), flawIn(first) ?? null]);
}

interface Surroundings {
  readonly report: Report;
  readonly runs: readonly RunSummary[];
  readonly behaviours: Behaviours;
  /** By {@link likenessOf}: the models that show it. */
  readonly alike: ReadonlyMap<string, ReadonlySet<string>>;
  /** By target: the models that answered. */
  readonly reached: ReadonlyMap<string, readonly ReportModel[]>;
}

function changeOf(group: readonly Symptom[], surroundings: Surroundings): Change {
  const { report, runs, behaviours } = surroundings;
  const [first] = group as readonly [Symptom, ...Symptom[]];
  const { kind } = first;
  const models = [...new Set(group.map(({ model }) => model))];
  const cells = group.flatMap((one) => ('cell' in one ? one.cell : []));
  const keys = [
    ...cells.map(({ key }) => key),
    ...group.flatMap((one) => ('quirk' in one ? one.quirk.cells : [])),
    ...group.flatMap((one) => ('shared' in one ? Object.keys(one.shared.cells) : [])),
  ];
  const deviations = group.flatMap(({ deviation }) => deviation ?? []);
  const behaviour = cells[0] === undefined || !isDeviating(first) ? undefined : behaviours.get(cells[0].key);
  return {
    kind,
    models,
    cells: keys,
    deviations: deviations.map(deviationId),
    cause: causeOf(first, cells, behaviour),
    remedy: remedyOf(first, cells, behaviour, report),
    since: longestSince(deviations, runs),
    scope: scopeOf(first, models, surroundings),
    detail: cells.find(({ detail }) => detail !== null)?.detail ?? null,
    notes: [...new Set(cells.flatMap(({ expected }) => [expected?.note, expected?.link].flatMap((one) => one ?? [])))],
    example: exampleOf(group, report),
    accept: acceptPatterns(kind, keys, report),
  };
}

function exampleOf(group: readonly Symptom[], report: Report): Change['example'] {
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

/** A request to a model that is gone: the refusal is behind it. */
const refusedCells = (model: string, { cells }: Report) =>
  cells.filter((cell) => cell.model === model && cell.exchanges.length > 0).slice(0, 1);

/** The longest of them. */
function longestSince(deviations: readonly Deviation[], runs: readonly RunSummary[]): ChangeSince | null {
  if (runs.length < 2 || deviations.length === 0) return null;
  const all = deviations.map((one) => deviatesSince(one, runs.slice(0, -1)));
  const longest = all.reduce((found, one) => (one.runs > found.runs ? one : found));
  return { ...longest, isOpen: longest.runs >= runs.length };
}

/** Other models that show the same, also of a target. */
function scopeOf(first: Symptom, models: readonly string[], { alike, reached }: Surroundings): ChangeScope | null {
  const of = [...reached.values()].flat().length;
  if (of < 2 || 'status' in first || first.kind === 'gained') return null;
  const showing = new Set([...models, ...(alike.get(likenessOf(first)) ?? [])]);
  if (showing.size >= of) return { code: 'all' };
  const touched = [...reached].filter(([, own]) => own.some(({ id }) => showing.has(id)));
  const isWhole = touched.every(([, own]) => own.length > 1 && own.every(({ id }) => showing.has(id)));
  if (isWhole && touched.length > 0) return { code: 'target', targets: touched.map(([name]) => name) };
  return showing.size === 1 ? { code: 'one' } : { code: 'some', models: showing.size, of };
}
