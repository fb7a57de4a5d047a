import { withoutModel } from '../../cell/cell-key.js';
import { isJudgement } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import { isListedChange } from '../../matrix/changes/change.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { type RunSummary, verdictIn } from '../../matrix/run-summary.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import type { ShownRun } from './shown-run.js';
import type { UsableTable } from './usable.js';

const { askTexts } = texts;

/** Questions that a reader can ask of the matrix. */
export interface AskSection {
  readonly chips: readonly AskChip[];
  /** By `TARGET/MODEL`. */
  readonly models: Readonly<Record<string, AskedModel>>;
  /** By question: the keys of the cells that answer it. */
  readonly answers: Readonly<Record<Question, readonly string[]>>;
}

/** A need, a setting or a question to choose. */
export interface AskChip {
  /** Stands in the address. */
  readonly id: string;
  readonly group: 'need' | 'setting' | 'question';
  readonly title: string;
  /** A condition that rules a need out; null: none. */
  readonly rule: SettingRule | null;
  /** The models that stay; null: others decide. */
  readonly models: readonly string[] | null;
}

/** A setting may be at most this number, or not have this label. */
type SettingRule = { readonly name: string } & ({ readonly most: number } | { readonly not: string });

interface AskedModel {
  /** Per million tokens of prompt and of completion, in the currency of the prices; null: no price is configured. */
  readonly price: { readonly prompt: number; readonly completion: number } | null;
  /** By need that the model serves: the settings without which requests were seen to fail. */
  readonly needs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const questions = ['alone', 'worse', 'flaky'] as const;
type Question = (typeof questions)[number];

/** Caps that clients are often bound to. */
const offeredCaps = [256, 1024, 4096];

export function askOf(
  { report, changes, runs }: Pick<ShownRun, 'report' | 'changes' | 'runs'>,
  usable: UsableTable,
): AskSection {
  const needs = usable.columns.map(({ id, title }): AskChip => ({
    ...chip(id, 'need', title),
    rule: id === 'stream' ? notStreamed : null,
  }));
  const changed = [...new Set(changes.filter(isListedChange).flatMap(({ models }) => models))];
  const worse = new Set(changes.flatMap(({ kind, cells }) => (kind === 'lost' ? cells : [])));
  const keysOf = (cells: readonly ReportCell[]) => cells.map(({ key }) => key);
  return {
    chips: [
      ...needs,
      ...settingChips(usable),
      ...questions.map((id) => chip(id, 'question', say(askTexts[id]))),
      { ...chip('changed', 'question', say(askTexts.changed)), models: changed },
    ],
    models: Object.fromEntries(
      usable.rows.map(({ model: { id }, fields }) => [
        id,
        { price: report.latency?.find(({ model }) => model === id)?.price ?? null, needs: servedNeeds(usable, fields) },
      ]),
    ),
    answers: {
      alone: keysOf(failingAlone(report.cells)),
      worse: keysOf(report.cells.filter(({ key }) => worse.has(key))),
      flaky: keysOf(report.cells.filter(({ key }) => isFlakyLately(key, runs))),
    },
  };
}

const chip = (id: string, group: AskChip['group'], title: string): AskChip => {
  return { id, group, title, rule: null, models: null };
};

const notStreamed: SettingRule = { name: 'stream', not: 'false' };

/** Caps, and each setting that some need of some model is bound to. */
function settingChips({ rows }: UsableTable): readonly AskChip[] {
  const bounds = rows.flatMap(({ fields }) => fields.flatMap(({ settings }) => Object.entries(settings)));
  const labels = new Map(
    bounds.flatMap(([name, label]) => (name === 'max_tokens' ? [] : [[`${name}=${label}`, { name, label }]])),
  );
  return [
    ...offeredCaps.map((most): AskChip => ({
      ...chip(`max_tokens<=${most}`, 'setting', `max_tokens ≤ ${most}`),
      rule: { name: 'max_tokens', most },
    })),
    ...[...labels].map(([id, { name, label }]): AskChip => ({
      ...chip(`not ${id}`, 'setting', say(askTexts.without, { setting: `${name}: ${label}` })),
      rule: { name, not: label },
    })),
  ];
}

function servedNeeds({ columns }: UsableTable, fields: UsableTable['rows'][number]['fields']): AskedModel['needs'] {
  return Object.fromEntries(
    columns.flatMap(({ id }, at) => {
      const field = fields[at];
      const isServed = field !== undefined && field.state !== 'unusable' && field.state !== 'unknown';
      return isServed ? [[id, field.settings]] : [];
    }),
  );
}

/** Checks that fail on one model and pass on all others that were judged. */
function failingAlone(cells: readonly ReportCell[]): readonly ReportCell[] {
  const judged = cells.filter(({ verdict }) => isJudgement(verdict));
  return [...groupBy(judged, ({ key }) => withoutModel(key)).values()].flatMap((alike) => {
    const [first, ...others] = alike.filter(({ verdict }) => verdict !== 'pass');
    const isAlone = first?.verdict === 'fail' && others.length === 0 && alike.length > 1;
    return isAlone ? first : [];
  });
}

/** So many runs count as lately. */
const latelyRuns = 10;

/** Whether a cell was flaky in one of the last runs, or turned from one verdict to the other and back. */
export function isFlakyLately(key: string, runs: readonly RunSummary[]): boolean {
  const verdicts = runs.slice(-latelyRuns).flatMap(({ cells }) => {
    const cell = cells[key];
    return cell === undefined ? [] : verdictIn(cell);
  });
  const judged = verdicts.filter(isJudgement);
  const turns = judged.filter((verdict, at) => at > 0 && verdict !== judged[at - 1]).length;
  return judged.includes('flaky') || turns > 1;
}

/**
 * Finds for a model the other one that passes most of what some cells ask, for a comparison.
 * @returns null: there is no other
 */
export function rivalsIn({ models, cells }: Pick<Report, 'models' | 'cells'>) {
  const passing = groupBy(
    cells.filter(({ verdict }) => verdict === 'pass'),
    ({ key }) => withoutModel(key),
  );
  return (model: string, keys: readonly string[]): string | null => {
    const counts = new Map<string, number>();
    for (const one of new Set(keys.map(withoutModel))) {
      for (const { model: id } of passing.get(one) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const others = models.flatMap(({ id }) => (id === model ? [] : id));
    const [best] = others.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
    return best ?? null;
  };
}
