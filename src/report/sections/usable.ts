import { familyOf } from '../../matrix/capability-families.js';
import type { Recommendation, Report } from '../../matrix/report-format.js';
import { type Count, sumOf } from '../../stats/count.js';
import { wellKnown } from '../../stats/evidence.js';
import { texts } from '../words/catalogue.js';
import type { NeedState } from '../words/catalogue/overview.js';
import { mendTexts } from '../words/advice-text.js';
import { say } from '../words/message.js';
import { type Field, type Matrix, strongestChange } from './matrix.js';
import type { Names } from './names.js';

const { formWords, labels, needs } = texts;

type NeedId = Recommendation['need'];

/** The needs that have columns, in order, each with the column of capabilities that it stands for. */
const needColumns: readonly { readonly need: NeedId; readonly column: string }[] = [
  { need: 'plain_text', column: 'chat' },
  { need: 'structured', column: 'json_schema' },
  { need: 'free_json', column: 'json_object' },
  { need: 'tool_call', column: 'tools' },
];

/** Uses of a model. */
export interface Usable {
  readonly state: NeedState;
  /** Text of the sign: "✓", or "3 of 3" where little is known. */
  readonly sign: string;
  /** The same where there is little room: "3/3". */
  readonly shortSign: string;
  /** The way, in a word: "schema, max_tokens ≥ 2048", "via tool call", "no"; empty: the sign says it all. */
  readonly words: string;
  /** The settings without which requests were seen to fail. */
  readonly settings: Readonly<Record<string, string>>;
  readonly change: Field['change'];
  readonly breaks: readonly string[];
  /** Why this way; empty where no recommendation stands behind it. */
  readonly because: string;
  /** The capabilities behind it. */
  readonly parts: readonly FieldPart[];
}

interface FieldPart {
  readonly capability: string;
  readonly title: string;
  readonly field: Field;
}

export interface UsableTable {
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly {
    readonly model: Matrix['models'][number];
    readonly fields: readonly Usable[];
  }[];
}

interface UsableColumn {
  readonly id: string;
  readonly title: string;
  readonly families: readonly string[];
  readonly need: NeedId | null;
}

/** The first screen: a row a model, a column a need, and then the other columns of the suites. */
export function usableOf(
  matrix: Matrix,
  names: Names,
  { recommendations }: Pick<Report, 'recommendations'>,
): UsableTable {
  const rows = matrix.families.flatMap((family) => family.rows);
  const advice = new Map(recommendations.map((one) => [`${one.need} ${one.model}`, one]));
  const columns = columnsFor(matrix, names, recommendations);
  return {
    columns: columns.map(({ id, title }) => ({ id, title })),
    rows: matrix.models.map((model, index) => ({
      model,
      fields: columns.map(({ id, families, need }) => {
        const parts = rows.flatMap(({ capability, title, fields }): readonly FieldPart[] => {
          const field = fields[index];
          return families.includes(familyOf(capability)) && field ? [{ capability, title, field }] : [];
        });
        const one = need === null ? undefined : advice.get(`${need} ${model.id}`);
        return one === undefined ? byFamily(id, parts) : byNeed(one, parts, model.note !== null);
      }),
    })),
  };
}

function columnsFor(matrix: Matrix, names: Names, recommendations: Report['recommendations']): readonly UsableColumn[] {
  const asked = new Set(recommendations.map(({ need }) => need));
  const byNeedColumn = needColumns.flatMap(({ need, column }): readonly UsableColumn[] => {
    const families = names.columns.find(({ id }) => id === column)?.families ?? [column];
    return asked.has(need) ? [{ id: need, title: say(needs[need]), families, need }] : [];
  });
  const taken = new Set(byNeedColumn.flatMap(({ need }) => needColumns.find((one) => one.need === need)?.column ?? []));
  const others = names.columns.filter(
    ({ id, families }) => !taken.has(id) && matrix.families.some((family) => families.includes(family.id)),
  );
  return [...byNeedColumn, ...others.map((one) => ({ ...one, need: null }))];
}

const isJudgedField = ({ field }: FieldPart): boolean => ['pass', 'partial', 'flaky', 'fail'].includes(field.verdict);

/** The recommendation decides; the capabilities behind it only add changes. */
function byNeed(one: Recommendation, parts: readonly FieldPart[], isUnreached: boolean): Usable {
  const settings = one.form === null ? {} : bounds(one, one.form);
  const shown = { ...fieldChanges(parts), parts, settings, because: one.because };
  if (one.mend !== undefined) {
    return { ...shown, ...stateOf('unknown'), words: say(formWords.mend, { config: mendTexts(one.mend).config }) };
  }
  if (one.form === null) {
    const isOpen = isUnreached || !parts.some(isJudgedField);
    return isOpen
      ? { ...shown, ...stateOf('unknown'), words: '' }
      : { ...shown, ...stateOf('unusable'), words: say(formWords.none) };
  }
  const { trials = null } = one;
  const isSure = trials === null || trials.passed === trials.total;
  const isFree = Object.keys(settings).length === 0;
  const found = isSure && isFree ? reliableOr(trials) : stateOf('conditions');
  return { ...shown, ...found, words: wayText(one) };
}

type ShownState = Pick<Usable, 'state' | 'sign' | 'shortSign'>;

function stateOf(state: NeedState): ShownState {
  const sign = stateSigns[state];
  return { state, sign, shortSign: sign };
}

/** Cells that always passed are reliable only where enough is known; fewer trials are shown with their number. */
function reliableOr(trials: Count | null): ShownState {
  if (trials === null || trials.total >= wellKnown) {
    return stateOf('reliable');
  }
  const { passed, total: of } = trials;
  return { state: 'few', sign: say(labels.passed, { passed, of }), shortSign: `${passed}/${of}` };
}

/** The settings that the form's name does not say already, and without which requests were seen to fail. */
function bounds({ settings, conditions }: Recommendation, form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, label]) => form !== `${name}.${label}` && (conditions?.includes(name) ?? true),
    ),
  );
}

/** How a need is served, in a word: "schema", "via tool call", "schema, max_tokens ≥ 2048", "no". */
export function wayText(one: Recommendation): string {
  const { form, need } = one;
  if (form === null) {
    return say(formWords.none);
  }
  const rest = Object.entries(bounds(one, form)).map(([name, label]) =>
    name === 'max_tokens' ? `${name} ≥ ${label}` : `${name}: ${label}`,
  );
  return [formWord(form, need), ...rest].filter((part) => part !== '').join(', ');
}

function formWord(form: string, need: NeedId): string {
  const isCall = form === 'tools' || familyOf(form) === 'tool_choice';
  if (isCall && need !== 'tool_call') {
    return say(formWords.viaCall);
  }
  switch (form) {
    case 'chat':
    case 'tools':
      return '';
    case 'json_schema':
      return say(formWords.schema);
    default:
      return form.slice(form.lastIndexOf('.') + 1);
  }
}

const fieldChanges = (parts: readonly FieldPart[]): Pick<Usable, 'change' | 'breaks'> => ({
  change: strongestChange(new Set(parts.map(({ field }) => field.change))),
  breaks: [...new Set(parts.flatMap(({ field }) => field.breaks))],
});

/** The column's own family decides whether it can be used at all; the others only add conditions. */
function byFamily(own: string, parts: readonly FieldPart[]): Usable {
  const judged = parts.filter(isJudgedField);
  const mains = judged.filter(({ capability }) => familyOf(capability) === own);
  const deciding = mains.length > 0 ? mains : judged;
  const shown = { ...fieldChanges(parts), settings: {}, because: '', parts };
  if (deciding.length === 0) {
    return { ...shown, ...stateOf('unknown'), words: '' };
  }
  if (deciding.every(({ field }) => field.verdict === 'fail')) {
    return { ...shown, ...stateOf('unusable'), words: '' };
  }
  if (!judged.every(({ field }) => field.verdict === 'pass')) {
    return { ...shown, ...stateOf('conditions'), words: '' };
  }
  const planned = totalOf(parts, ({ cells }) => cells.length);
  const measured = totalOf(parts, (field) => field.judged);
  return measured < planned
    ? { ...shown, ...stateOf('part'), words: say(labels.measured, { measured, of: planned }) }
    : { ...shown, ...reliableOr(sumOf(judged.map(({ field }) => field.trials))), words: '' };
}

function totalOf(parts: readonly FieldPart[], of: (field: Field) => number): number {
  return parts.reduce((sum, { field }) => sum + of(field), 0);
}

/** Each state without colour, as a key shows it. */
export const stateSigns: Readonly<Record<NeedState, string>> = {
  reliable: '✓',
  few: 'n of n',
  conditions: '◐',
  part: '◔',
  unusable: '✗',
  unknown: '–',
};

/** The same where there is little room. */
export const shortStateSigns: typeof stateSigns = { ...stateSigns, few: 'n/n' };
