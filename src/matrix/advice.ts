import type { Point } from '../cell/cell-key.js';
import type { Clue } from '../judge/clue.js';
import type { OutcomeClass, Reason } from '../judge/outcome.js';
import { writtenJson } from '../json/json.js';
import { type Count, sumOf } from '../stats/count.js';
import { familyOf } from './capability-families.js';
import type { Recommendation, Report, ReportCell, RequestForm } from './report-format.js';

/** Advice about a failure. Reports have a sentence for each. */
export type AdviceCode =
  | OutcomeClass
  | Reason
  | 'configure'
  | 'leave_out'
  | 'call_as_text'
  | 'repetition'
  | 'white_space'
  | 'reasoning'
  | 'short_of_cap'
  | 'no_cap'
  | 'no_tools'
  | 'no_choice'
  | 'without_tools'
  | 'send_required'
  | 'thinking_off'
  | 'other_form'
  | 'other_request'
  | 'hopeless'
  | 'seldom'
  | 'retry';

/** Another way to the same on this model, as it was measured. */
export interface OtherWay extends Count {
  readonly form: string;
  /** Members of a request body. */
  readonly members: Readonly<Record<string, string>>;
}

export interface Advice {
  readonly code: AdviceCode;
  readonly clue: Clue | null;
  readonly counts: Count;
  /** null: none is known. */
  readonly other: OtherWay | null;
  /** The largest value of a search of which none passes; null: there was no such search. */
  readonly most: number | null;
}

/** A failure as an advice sees it. */
export interface AdvisedFailure {
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly clue?: Clue | undefined;
  /** Requests of the cells that fail so; empty: a plain request. */
  readonly asked: readonly AskedFor[];
  readonly trials: Count;
  /** As {@link Advice}; absent: null. */
  readonly most?: number | null;
}

interface AskedFor {
  readonly capability: string;
  /** Labels by axis; absent: not known. */
  readonly point?: Point;
  /** Absent: not known, and the capability says what it can. */
  readonly sent?: RequestForm | undefined;
}

interface FailingCell extends Pick<ReportCell, 'class' | 'reason' | 'status'> {
  readonly failures: readonly Pick<ReportCell['failures'][number], 'class' | 'reason' | 'status' | 'clue'>[];
}

/** The clue of the failures that a cell is named for. */
export function clueOfCell({ class: kind, reason, status, failures }: FailingCell): Clue | undefined {
  return failures.find((one) => one.class === kind && one.reason === reason && one.status === status)?.clue;
}

type AdvisedCell = FailingCell & Pick<ReportCell, 'capability' | 'trials' | 'point' | 'threshold' | 'sent'>;

/** The failure of cells that fail alike, the first of them as their example. */
export function failureOfCells(cells: readonly [AdvisedCell, ...AdvisedCell[]]): AdvisedFailure {
  const [first] = cells;
  const { class: kind, reason, threshold } = first;
  const curve = threshold?.value === null && threshold.largest !== true ? threshold.curve.map(([value]) => value) : [];
  return {
    class: kind,
    reason,
    clue: clueOfCell(first),
    asked: cells.map(({ capability, point, sent }) => ({ capability, point, sent })),
    trials: sumOf(cells.map(({ trials }) => trials)),
    most: curve.length === 0 ? null : curve.reduce((most, one) => Math.max(most, one)),
  };
}

/** Further knowledge of the models; empty: none. */
export interface AdviceSources {
  /** Models that fail alike: only a way that works for each of them is advised. */
  readonly models: readonly string[];
  readonly recommendations: Report['recommendations'];
  readonly columns: Report['columns'];
}

/** Conditions of a row: all that it names must hold. */
interface AdviceRow {
  readonly class?: readonly OutcomeClass[];
  readonly reason?: readonly Reason[];
  readonly clue?: readonly Clue['kind'][];
  /** The field that the refusal names. */
  readonly field?: readonly string[];
  /** Some trials passed. */
  readonly passes?: true;
  /** At most this share of so many trials passed. */
  readonly atMost?: number;
  readonly of?: number;
  /** A search tried larger values, and none passes. */
  readonly searched?: true;
  /** Whether the failure came back in a run that knows what else the model can do. */
  readonly judged?: true;
  /** The failure is one of tools, and a form of tools is known to work; `none`: none ever passed. */
  readonly tools?: 'work' | 'none';
  /** The `tool_choice` that was sent. */
  readonly choice?: 'required' | 'none';
  readonly code: AdviceCode | 'own';
}

/** After fewer failures, another try may well succeed. */
const hopelessFrom = 3;
/** Of what passes more seldom than once in five, a few tries more give nothing. */
const seldomShare = 0.2;
const repeatable = ['not_json', 'schema_violation', 'missing_tool_call', 'wrong_function', 'empty_content'] as const;
const refusedForms = [
  'parameter_rejected',
  'response_format_unsupported',
  'tool_choice_unsupported',
  'unknown',
] as const;
const refusedChoices = ['tool_choice_unsupported', 'tool_choice_thinking'] as const;
const toolFields = ['tools', 'functions'] as const;

/** The first row that fits decides; `own`: the advice of the reason, or of the class where there is none. */
export const adviceRows: readonly AdviceRow[] = [
  { clue: ['rename', 'set'], code: 'configure' },
  { class: ['truncated'], clue: ['call_as_text'], code: 'call_as_text' },
  { class: ['truncated'], clue: ['repetition'], code: 'repetition' },
  { class: ['truncated'], clue: ['white_space'], code: 'white_space' },
  { class: ['truncated'], clue: ['short_of_cap'], code: 'short_of_cap' },
  { class: ['truncated'], searched: true, code: 'no_cap' },
  { class: ['truncated'], clue: ['reasoning'], code: 'reasoning' },
  { reason: refusedChoices, choice: 'none', code: 'without_tools' },
  { field: toolFields, tools: 'work', code: 'other_form' },
  { field: toolFields, code: 'no_tools' },
  { field: ['response_format'], code: 'other_form' },
  { reason: refusedForms, tools: 'none', code: 'no_tools' },
  { reason: refusedChoices, choice: 'required', code: 'no_choice' },
  { reason: refusedChoices, tools: 'work', code: 'send_required' },
  { reason: ['tool_choice_thinking'], code: 'thinking_off' },
  {
    reason: ['response_format_unsupported', 'tool_choice_unsupported'],
    judged: true,
    code: 'other_form',
  },
  { reason: ['parameter_rejected'], clue: ['unsupported'], code: 'leave_out' },
  { reason: ['server_error'], judged: true, code: 'other_request' },
  { reason: ['server_error'], atMost: 0, of: hopelessFrom, code: 'other_request' },
  { reason: ['model_output_rejected'], atMost: 0, of: hopelessFrom, code: 'hopeless' },
  { class: repeatable, atMost: 0, of: hopelessFrom, code: 'hopeless' },
  { class: repeatable, passes: true, atMost: seldomShare, of: hopelessFrom, code: 'seldom' },
  { class: ['not_json', 'schema_violation'], code: 'retry' },
  { class: ['empty_content'], passes: true, code: 'retry' },
  { code: 'own' },
];

/** Advice about answers like these, by the failure and by what else the model can do; null where nothing failed. */
export function adviceFor(failure: AdvisedFailure, sources: AdviceSources | null): Advice | null {
  const { class: kind, reason, clue = null, trials, most = null } = failure;
  if (kind === null) return null;
  const known = sources === null ? nothingKnown : whatElseWorks(failure, sources);
  const row = adviceRows.find((one) => fits(one, failure, known));
  const code = row === undefined || row.code === 'own' ? (reason ?? kind) : row.code;
  return { code, clue, counts: { passed: trials.passed, total: trials.total }, other: known.other, most };
}

interface KnownBesides {
  readonly isJudged: boolean;
  readonly tools: AdviceRow['tools'] | null;
  readonly other: OtherWay | null;
}

const nothingKnown: KnownBesides = { isJudged: false, tools: null, other: null };

function whatElseWorks(failure: AdvisedFailure, sources: AdviceSources): KnownBesides {
  const sent = failure.asked.flatMap((one) => sentFormOf(one, sources, failure.class) ?? []);
  const isOfTools = sent.length > 0 && sent.every(({ column }) => column === 'tools');
  return { isJudged: true, tools: isOfTools ? toolsOf(sources) : null, other: otherWay(failure, sent, sources) };
}

function fits(row: AdviceRow, failure: AdvisedFailure, { isJudged, tools }: KnownBesides): boolean {
  const { class: kind, reason, clue, asked, most = null } = failure;
  if (row.class !== undefined && (kind === null || !row.class.includes(kind))) return false;
  if (row.reason !== undefined && (reason === null || !row.reason.includes(reason))) return false;
  if (row.clue !== undefined && (clue === undefined || !row.clue.includes(clue.kind))) return false;
  if (row.field !== undefined && (clue?.kind !== 'unsupported' || !row.field.includes(clue.field))) return false;
  if (row.judged === true && !isJudged) return false;
  if (row.searched === true && most === null) return false;
  if (row.choice !== undefined && !asked.some((one) => choiceIn(one) === row.choice)) return false;
  return hasCounts(row, failure.trials) && (row.tools === undefined || row.tools === tools);
}

function choiceIn({ capability, sent }: AskedFor): string | null {
  if (sent !== undefined) return sent.choice;
  return familyOf(capability) === 'tool_choice' ? capability.slice('tool_choice.'.length) : null;
}

function hasCounts({ passes, atMost = 1, of = 0 }: AdviceRow, { passed, total }: Count): boolean {
  if (passes === true && passed === 0) return false;
  return total >= of && passed <= atMost * total;
}

/** Needs that a form serves, by the column of its capabilities, the nearest first. */
const needsOfColumn: Readonly<Record<string, readonly Recommendation['need'][]>> = {
  chat: ['plain_text'],
  json_schema: ['structured', 'tool_call'],
  json_object: ['free_json', 'structured'],
  tools: ['tool_call', 'structured'],
};

/** Request of a capability: the column of its form, and whether its answer is streamed. */
interface SentForm {
  readonly column: string;
  readonly form: string;
  readonly isStreamed: boolean;
  readonly point: Point | null;
}

/** Knowledge of the form of a request; null: none. */
function sentFormOf(one: AskedFor, sources: AdviceSources, failed: OutcomeClass | null): SentForm | null {
  const { point = null, sent } = one;
  if (sent === undefined) return formInName(one.capability, point, sources);
  const isStreamed = sent.stream;
  switch (sent.form) {
    case 'tools':
      return { column: 'tools', form: callForm(sent.choice ?? 'auto'), isStreamed, point };
    case 'json_schema':
    case 'json_object':
      return { column: sent.form, form: sent.form, isStreamed, point };
    case 'text':
      // A document that only the prompt asks for is served by any form of JSON.
      return failed === 'not_json' || failed === 'schema_violation'
        ? { column: 'json_object', form: 'text', isStreamed, point }
        : { column: 'chat', form: 'chat', isStreamed, point };
  }
}

/** The capability of tools without a choice, or with this one. */
const callForm = (choice: string): string => (choice === 'auto' ? 'tools' : `tool_choice.${choice}`);

/**
 * Meaning of a capability's name: `stream.tools` is a matter of tools, whatever the column of streams is, and
 * `budget.json_object` one of its form.
 */
function formInName(capability: string, point: Point | null, { columns }: AdviceSources): SentForm | null {
  const needColumnOf = (id: string): string | null => {
    const family = familyOf(id);
    const column = columns.find(({ families }) => families.includes(family))?.id ?? family;
    if (column === 'tool_choice') return 'tools';
    return Object.hasOwn(needsOfColumn, column) ? column : null;
  };
  const family = familyOf(capability);
  const inner = capability.slice(family.length + 1);
  const ofInner = inner === '' ? null : needColumnOf(inner);
  if (ofInner !== null) return { column: ofInner, form: inner, isStreamed: family === 'stream', point };
  const column = needColumnOf(capability);
  return column === null ? null : { column, form: capability, isStreamed: false, point };
}

/** Whether a form of tools works; null: none was judged, one passes at times, or models differ. */
function toolsOf({ models, recommendations }: AdviceSources): AdviceRow['tools'] | null {
  const found = new Set(models.map((model) => toolsOfModel(model, recommendations)));
  const [first = null] = found;
  return found.size === 1 ? first : null;
}

function toolsOfModel(model: string, recommendations: Report['recommendations']): AdviceRow['tools'] | null {
  const one = recommendations.find(({ model: of, need }) => of === model && need === 'tool_call');
  if (one === undefined) return null;
  if (one.form !== null) return 'work';
  return (one.rejected ?? []).every(({ passed }) => passed === 0) ? 'none' : null;
}

/** The form that is recommended for the same need, unless a request that fails is sent in this very way. */
function otherWay(failure: AdvisedFailure, sent: readonly SentForm[], sources: AdviceSources): OtherWay | null {
  const needs = new Set(sent.flatMap(({ column }) => needsOfColumn[column] ?? []));
  for (const need of needs) {
    const way = wayOfAll(need, sources);
    if (way !== null && isBetter(way, failure.trials) && !sent.some((own) => isSentAlready(way, own, sources))) {
      return way;
    }
  }
  return null;
}

/** A recommendation for a need that all of the models share, with the counts of all. */
function wayOfAll(need: Recommendation['need'], { models, recommendations }: AdviceSources): OtherWay | null {
  const all = models.map((model) => recommendations.find((one) => one.model === model && one.need === need));
  const [first] = all;
  const isShared = ({ form, settings }: Recommendation): boolean =>
    form === first?.form && writtenJson(settings) === writtenJson(first.settings);
  const counts = all.flatMap((one) => (one?.trials !== undefined && isShared(one) ? [one.trials] : []));
  const form = first?.form ?? null;
  if (form === null || counts.length < models.length) return null;
  return { ...sumOf(counts), form, members: first?.settings ?? {} };
}

const isBetter = (one: Count, than: Count): boolean =>
  one.passed > 0 && (than.total === 0 || one.passed / one.total > than.passed / than.total);

function isSentAlready({ form, members }: OtherWay, sent: SentForm, sources: AdviceSources): boolean {
  if (sent.isStreamed && members['stream'] !== 'true') return false;
  const column = formInName(form, null, sources)?.column ?? null;
  // The families of tools are forms of their own; the others say more of one form.
  const isSameForm = sent.column === 'tools' ? sent.form === form : column === sent.column && sent.form !== 'text';
  return isSameForm && (sent.point === null || isAskedWith(members, sent.point));
}

/**
 * Whether nothing that a cell asks contradicts the settings. A larger cap is as good as the one that is needed, but a
 * cell that names none was asked with one of its own, which may be lower.
 */
export function isAskedWith(settings: Readonly<Record<string, string>>, point: Point): boolean {
  return Object.entries(settings).every(([name, value]) => {
    const label = point[name];
    if (name === 'max_tokens') return label !== undefined && Number(label) >= Number(value);
    return label === undefined || label === value;
  });
}
