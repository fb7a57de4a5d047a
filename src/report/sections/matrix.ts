import { groupBy } from '../../json/group-by.js';
import { isJudgement } from '../../cell/verdict.js';
import { knownTrials } from '../../matrix/behaviours/behaviours.js';
import { familyOf } from '../../matrix/capability-families.js';
import { hasNoBaseline } from '../../matrix/acceptable.js';
import { type Change, type ChangeKind, isDeviating } from '../../matrix/changes/change.js';
import type { Report, ReportCapability, ReportCell } from '../../matrix/report-format.js';
import { type Count, sumOf } from '../../stats/count.js';
import type { ShownRun } from './shown-run.js';

/** Sign of each verdict, without colour. */
export const signs = {
  pass: '✓',
  partial: '◐',
  flaky: '≈',
  fail: '✗',
  inconclusive: '?',
  blocked: '⊘',
  not_run: '·',
} as const;
type VerdictSign = keyof typeof signs;

/** A capability of a model. */
export interface Field {
  readonly verdict: VerdictSign;
  readonly change: 'worse' | 'better' | 'changed' | 'new' | null;
  /** "only with thinking=disabled", "17/20", "HTTP 500"; empty: the sign says it all. */
  readonly words: string;
  /** Clients of the config that cannot read its answers. */
  readonly breaks: readonly string[];
  readonly cells: readonly string[];
  /** How many of its cells were judged. */
  readonly judged: number;
  /** Judged trials, with what earlier runs showed of the same cells. */
  readonly trials: Count;
}

interface MatrixRow {
  readonly capability: string;
  readonly title: string;
  /** One for each model; null where nothing was planned. */
  readonly fields: readonly (Field | null)[];
}

export interface Matrix {
  /** Changed models first. */
  readonly models: readonly {
    readonly id: string;
    readonly name: string;
    readonly note: 'gone' | 'not reached' | null;
  }[];
  readonly families: readonly { readonly id: string; readonly title: string; readonly rows: readonly MatrixRow[] }[];
}

const fieldChanges: Readonly<Partial<Record<ChangeKind, NonNullable<Field['change']>>>> = {
  lost: 'worse',
  changed: 'changed',
  gained: 'better',
  new: 'new',
};

/** The change of a field whose cells changed in several ways. */
export function strongestChange(changes: ReadonlySet<Field['change']>): Field['change'] {
  return (['worse', 'changed', 'new', 'better'] as const).find((one) => changes.has(one)) ?? null;
}

/** Changed cells, with the kind of change; the first kind in the list wins. */
function fieldChangesByCell(changes: readonly Change[]): ReadonlyMap<string, NonNullable<Field['change']>> {
  const found = new Map<string, NonNullable<Field['change']>>();
  for (const { kind, cells } of [...changes].reverse()) {
    const change = fieldChanges[kind];
    if (change === undefined) {
      continue;
    }
    for (const key of cells) found.set(key, change);
  }
  return found;
}

/** Capabilities by models. */
export function matrixOf({ report, changes: all, names }: ShownRun): Matrix {
  // On a first run everything is new, which is no change.
  const changes = hasNoBaseline(report) ? all.filter(({ kind }) => kind !== 'new') : all;
  const touched = new Set(changes.filter(isDeviating).flatMap(({ models }) => models));
  const models = report.models.toSorted((a, b) => Number(touched.has(b.id)) - Number(touched.has(a.id)));
  const cells = cellsByKey(report.cells);
  const changed = fieldChangesByCell(changes);
  const breaks = brokenClients(report);
  const ofCapability = groupBy(report.capabilities, ({ capability }) => capability);
  const positions = new Map(report.families.map((family, index) => [family, index]));
  const place = (capability: string) => positions.get(familyOf(capability)) ?? positions.size;
  const rows = [...ofCapability]
    .map(([capability, marks]): MatrixRow => {
      const byModel = new Map(marks.map((mark) => [mark.model, mark]));
      const fields = models.map(({ id }) => {
        const mark = byModel.get(id);
        return mark === undefined ? null : fieldOf(mark, cells, changed, breaks);
      });
      return { capability, title: names.capability(capability), fields };
    })
    .sort((a, b) => place(a.capability) - place(b.capability));
  return {
    models: models.map(({ id, standing, reachable }) => ({
      id,
      name: names.model(id),
      note: standing === 'gone' ? 'gone' : reachable ? null : 'not reached',
    })),
    families: [...groupBy(rows, ({ capability }) => familyOf(capability))].map(([id, ofFamily]) => ({
      id,
      title: report.titles.families[id] ?? id,
      rows: ofFamily,
    })),
  };
}

function fieldOf(
  mark: ReportCapability,
  cells: ReadonlyMap<string, ReportCell>,
  changed: ReadonlyMap<string, NonNullable<Field['change']>>,
  breaks: ReadonlyMap<string, readonly string[]>,
): Field {
  const own = mark.cells.flatMap((key) => cells.get(key) ?? []);
  const verdict = shownVerdict(mark, own);
  const changes = new Set<Field['change']>(mark.cells.flatMap((key) => changed.get(key) ?? []));
  const change = strongestChange(changes);
  // Failures come first, since readers open them.
  const keys = own
    .toSorted((a, b) => Number(a.verdict === 'pass') - Number(b.verdict === 'pass'))
    .map(({ key }) => key);
  const broken = [...new Set(mark.cells.flatMap((key) => breaks.get(key) ?? []))];
  return {
    verdict,
    change,
    words: matrixFieldText(mark, own),
    breaks: broken,
    cells: keys,
    judged: own.filter((cell) => isJudgement(cell.verdict)).length,
    trials: sumOf(own.map(knownTrials)),
  };
}

/** By cell: the clients of the config that its answers break. */
function brokenClients({ wire = [] }: Report): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { cells, reads, breaks, standing } of wire) {
    // Without clients in the config, `breaks` speaks of clients at large.
    if (reads === undefined || standing === 'gone') continue;
    for (const key of cells) found.set(key, [...(found.get(key) ?? []), ...breaks]);
  }
  return found;
}

/** Where nothing was asked, the verdict says so, not that it could not be measured. */
function shownVerdict(mark: ReportCapability, own: readonly ReportCell[]): VerdictSign {
  const [only, ...others] = new Set(own.map(({ verdict }) => verdict));
  return others.length === 0 && (only === 'not_run' || only === 'blocked') ? only : mark.verdict;
}

function matrixFieldText(mark: ReportCapability, own: readonly ReportCell[]): string {
  const treatments = new Set(own.flatMap(({ enforcement }) => enforcement ?? []));
  const [treatment] = treatments;
  if (treatments.size === 1 && treatment !== undefined && treatment !== 'enforced') return treatment;
  if (mark.condition !== null) return mark.condition.replaceAll('>=', '≥').replaceAll('<=', '≤');
  if (mark.verdict === 'flaky') return passedOfTotal(own.filter(({ verdict }) => verdict === 'flaky'));
  if (mark.verdict === 'partial') return passingCellsText(own);
  if (mark.verdict === 'pass' && familyOf(mark.capability) === 'cache') return shareText(mark.cached_share);
  if (mark.verdict !== 'fail') return '';
  const faults = new Set(own.filter(({ verdict }) => verdict === 'fail').map(shortFault));
  return faults.size === 1 ? [...faults].join('') : '';
}

const shareText = (share: number | undefined): string => (share === undefined ? '' : `${Math.floor(100 * share)} %`);

function passedOfTotal(cells: readonly ReportCell[]): string {
  const total = cells.reduce((all, { trials }) => all + trials.total, 0);
  return total === 0 ? '' : `${cells.reduce((all, { trials }) => all + trials.passed, 0)}/${total}`;
}

/** Of a capability without a condition: how many of its cells pass. */
function passingCellsText(cells: readonly ReportCell[]): string {
  const judged = cells.filter(({ verdict }) => ['pass', 'flaky', 'fail'].includes(verdict));
  return `${judged.filter(({ verdict }) => verdict === 'pass').length}/${judged.length} checks`;
}

const shortFault = ({ class: kind, status }: ReportCell): string =>
  kind === 'http_error' && status !== null ? `HTTP ${status}` : (kind ?? '').replaceAll('_', ' ');

/** Sign of each kind of change, without colour. */
export const changeGlyphs: Readonly<Record<ChangeKind, string>> = {
  gone: '✖',
  lost: '▼',
  changed: '◆',
  new: '●',
  wire: '⇄',
  gained: '▲',
  served: '↔',
  unreliable: '~',
  doubt: '?',
};

export const changeSigns: Readonly<Record<NonNullable<Field['change']>, string>> = {
  worse: '▼',
  better: '▲',
  changed: '◆',
  new: '●',
};

const cellsByKeyCache = new WeakMap<readonly ReportCell[], ReadonlyMap<string, ReportCell>>();

/** The cells of a report by their keys. Most parts of a page want them, so they are sorted once. */
function cellsByKey(cells: readonly ReportCell[]): ReadonlyMap<string, ReportCell> {
  const before = cellsByKeyCache.get(cells);
  if (before !== undefined) return before;
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  cellsByKeyCache.set(cells, byKey);
  return byKey;
}
