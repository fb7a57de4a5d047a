import type { Clue } from '../judge/clue.js';
import type { OutcomeClass, Reason } from '../judge/outcome.js';
import type { Count } from '../stats/count.js';
import { familyOf } from './capability-families.js';
import type { Recommendation, Report, ReportCell } from './report-format.js';

/** What to do about a failure. Reports have a sentence for each. */
export type AdviceCode =
  | OutcomeClass
  | Reason
  | 'configure'
  | 'call_as_text'
  | 'repetition'
  | 'white_space'
  | 'reasoning'
  | 'short_of_cap'
  | 'no_tools'
  | 'send_required'
  | 'thinking_off'
  | 'other_form'
  | 'other_request'
  | 'hopeless'
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
}

/** A failure as an advice sees it. */
export interface AdvisedFailure {
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly clue?: Clue | undefined;
  /** null: it belongs to none. */
  readonly capability: string | null;
  readonly trials: Count;
}

interface FailingCell extends Pick<ReportCell, 'class' | 'reason' | 'status'> {
  readonly failures: readonly Pick<ReportCell['failures'][number], 'class' | 'reason' | 'status' | 'clue'>[];
}

/** The clue of the failures that a cell is named for. */
export function clueOfCell({ class: kind, reason, status, failures }: FailingCell): Clue | undefined {
  return failures.find((one) => one.class === kind && one.reason === reason && one.status === status)?.clue;
}

/** What is known of the model besides; empty where nothing is. */
export interface AdviceSources {
  readonly model: string;
  readonly recommendations: Report['recommendations'];
  readonly columns: Report['columns'];
}

/** What a row may ask: everything that it names must hold. */
interface AdviceRow {
  readonly class?: readonly OutcomeClass[];
  readonly reason?: readonly Reason[];
  readonly clue?: readonly Clue['kind'][];
  /** Some trials passed. */
  readonly passes?: boolean;
  /** So many that were asked and all failed. */
  readonly allOf?: number;
  /** It came back in a run that knows what else the model can do. */
  readonly judged?: true;
  /** The failure is one of tools, and a form of tools is known to work, or none. */
  readonly tools?: 'work' | 'fail';
  readonly advice: AdviceCode | 'own';
}

/** After fewer failures, another try may well succeed. */
const hopelessFrom = 3;
const repeatable = ['not_json', 'schema_violation', 'missing_tool_call', 'empty_content'] as const;
const refusedForms = [
  'parameter_rejected',
  'response_format_unsupported',
  'tool_choice_unsupported',
  'unknown',
] as const;

/** The first row that fits decides; `own`: the advice of the reason, or of the class where there is none. */
export const adviceRows: readonly AdviceRow[] = [
  { clue: ['rename', 'set'], advice: 'configure' },
  { class: ['truncated'], clue: ['call_as_text'], advice: 'call_as_text' },
  { class: ['truncated'], clue: ['repetition'], advice: 'repetition' },
  { class: ['truncated'], clue: ['white_space'], advice: 'white_space' },
  { class: ['truncated'], clue: ['reasoning'], advice: 'reasoning' },
  { class: ['truncated'], clue: ['short_of_cap'], advice: 'short_of_cap' },
  { class: ['http_error'], reason: ['tool_choice_thinking'], tools: 'work', advice: 'send_required' },
  { class: ['http_error'], reason: ['tool_choice_thinking'], advice: 'thinking_off' },
  { class: ['http_error'], reason: ['tool_choice_unsupported'], tools: 'work', advice: 'send_required' },
  { class: ['http_error'], reason: refusedForms, tools: 'fail', advice: 'no_tools' },
  {
    class: ['http_error'],
    reason: ['response_format_unsupported', 'tool_choice_unsupported'],
    judged: true,
    advice: 'other_form',
  },
  { class: ['http_error'], reason: ['server_error'], judged: true, advice: 'other_request' },
  { class: repeatable, allOf: hopelessFrom, advice: 'hopeless' },
  { class: ['not_json', 'schema_violation'], advice: 'retry' },
  { class: ['empty_content'], passes: true, advice: 'retry' },
  { advice: 'own' },
];

/** What to do about answers like these, by what failed and what else the model can do; null where nothing failed. */
export function adviceFor(failure: AdvisedFailure, sources: AdviceSources | null): Advice | null {
  const { class: kind, reason, clue = null, capability, trials } = failure;
  if (kind === null) return null;
  const column = capability === null || sources === null ? null : columnIn(capability, sources);
  const other = sources === null || capability === null ? null : otherWay(capability, column, sources);
  const tools = column === 'tools' && sources !== null ? toolsOf(sources) : null;
  const fitting = adviceRows.filter(({ judged }) => judged !== true || sources !== null);
  const row = fitting.find((one) => fits(one, failure, tools));
  const code = row === undefined || row.advice === 'own' ? (reason ?? kind) : row.advice;
  return { code, clue, counts: { passed: trials.passed, total: trials.total }, other };
}

function fits(row: AdviceRow, { class: kind, reason, clue, trials }: AdvisedFailure, tools: AdviceRow['tools'] | null) {
  if (row.class !== undefined && (kind === null || !row.class.includes(kind))) return false;
  if (row.reason !== undefined && (reason === null || !row.reason.includes(reason))) return false;
  if (row.clue !== undefined && (clue === undefined || !row.clue.includes(clue.kind))) return false;
  if (row.passes === true && trials.passed === 0) return false;
  if (row.allOf !== undefined && (trials.passed > 0 || trials.total < row.allOf)) return false;
  return row.tools === undefined || row.tools === tools;
}

/** Which needs a form serves, by the column of its capabilities, the nearest first. */
const needsOfColumn: Readonly<Record<string, readonly Recommendation['need'][]>> = {
  chat: ['plain_text'],
  json_schema: ['structured'],
  json_object: ['free_json', 'structured'],
  tools: ['tool_call', 'structured'],
};

/** `stream.tools` is a matter of tools, whatever the column of streams is. */
function columnIn(capability: string, { columns }: AdviceSources): string | null {
  const columnOf = (family: string) => columns.find(({ families }) => families.includes(family))?.id;
  const own = columnOf(familyOf(capability));
  if (own !== undefined && Object.hasOwn(needsOfColumn, own)) return own;
  const [, rest = ''] = /^[^.]*\.(.*)$/.exec(capability) ?? [];
  const inner = columnOf(familyOf(rest));
  return inner !== undefined && Object.hasOwn(needsOfColumn, inner) ? inner : null;
}

/** Whether a form of tools works; null: none was judged. */
function toolsOf(sources: AdviceSources): AdviceRow['tools'] | null {
  const { model, recommendations } = sources;
  if (!recommendations.some((one) => one.model === model && one.need === 'tool_call')) return null;
  return usable('tool_call', sources) === null ? 'fail' : 'work';
}

function usable(need: Recommendation['need'], { model, recommendations }: AdviceSources): Recommendation | null {
  return recommendations.find((one) => one.model === model && one.need === need && one.form !== null) ?? null;
}

/** The form that is recommended for the same need, unless it is the very form that fails. */
function otherWay(capability: string, column: string | null, sources: AdviceSources): OtherWay | null {
  for (const need of column === null ? [] : (needsOfColumn[column] ?? [])) {
    const one = usable(need, sources);
    const form = one?.form ?? null;
    if (one === null || form === null || one.trials === undefined || one.trials.passed === 0) continue;
    if (form === capability) continue;
    const { passed, total } = one.trials;
    return { form, members: one.settings, passed, total };
  }
  return null;
}
