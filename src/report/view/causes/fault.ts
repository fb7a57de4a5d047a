import type { CellFailure, ReportCell } from '../../../matrix/report-format.js';
import { typicalFailure } from '../typical-failure.js';

/** What a failing trial says, without what differs from answer to answer. */
export interface Fault {
  /** Without its place: "must be integer"; empty where the class says all. */
  readonly kind: string;
  /** What faults that say it in other words have in common with it: a member may have the wrong one of several types. */
  readonly sort: string;
  /** With its place, and without positions in lists: "/currency must be equal to one of the allowed values". */
  readonly says: string;
  /** As the trial says it. */
  readonly text: string;
  /** Null where no failing trial was kept. */
  readonly failure: CellFailure | null;
}

/** What is said of a value of another type: "must be integer", "must be string,null" */
const ofType = /^must be (?:(?:array|boolean|integer|null|number|object|string)(?:,|$))+$/;

/** What most failing trials of the cell say. */
export function faultOf(cell: ReportCell): Fault {
  const failure = typicalFailure(cell);
  const [own] = failure === null ? [] : faultsOfFailure(failure, cell);
  return own ?? textFault(cell.detail ?? '', failure, cell);
}

/** What a failing trial says; the first is what it failed for. */
export function faultsOfFailure(failure: CellFailure, cell: ReportCell): readonly Fault[] {
  const { violations } = failure;
  if (violations.length === 0) return [textFault(failure.detail ?? '', failure, cell)];
  if (failure.class !== 'schema_violation') {
    return violations.map(({ at, message }) => {
      // Rules are as many as a suite cares to have: one wrong value may break ten of them.
      return { kind: '', sort: '', says: `rule ${at}`, text: `broken rule ${at}: ${message}`, failure };
    });
  }
  return violations.map(({ at, message }) => {
    const said = withoutValues(message);
    const keyword = said.replace(/:.*$/s, '').replace(/ '.*'$/s, '');
    // The probe of a keyword breaks just this keyword.
    const kind = cell.class === 'not_enforced' ? '' : keyword;
    const sort = at !== '' && ofType.test(keyword) ? 'type' : keyword;
    return { kind, sort, says: `${placeOf(at)} ${said}`, text: `${at} ${message}`.trim(), failure };
  });
}

function textFault(text: string, failure: CellFailure | null, { class: outcome, model }: ReportCell): Fault {
  switch (outcome) {
    case 'http_error':
    case 'malformed_response': {
      const says = withoutIds(withoutModel(text, model.slice(model.indexOf('/') + 1)));
      return { kind: says, sort: says, says, text, failure };
    }
    case 'not_json':
    case 'missing_tool_call':
    case 'ineffective': {
      const says = headOf(text);
      return { kind: says, sort: says, says, text, failure };
    }
    default:
      return { kind: '', sort: '', says: headOf(text), text, failure };
  }
}

/** A service may name the model that was asked. */
function withoutModel(text: string, id: string): string {
  const literal = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g'), 'MODEL');
}

const placeOf = (at: string): string => at.replace(/\/\d+(?=\/|$)/g, '/*');

/** "must match format "date"" -> "must match format", "must be >= 1" -> "must be >= #" */
function withoutValues(message: string): string {
  return withoutIds(message.replace(/ "[^"]*"$/s, '').replace(/: \[.*$/s, ''));
}

/** Without numbers, and without words that hold one and are as long as an id. */
function withoutIds(text: string): string {
  return text.replace(/(?<![\w-])(?=[\w-]*\d)[\w-]{8,}/g, '#').replace(/\d+(?:\.\d+)?/g, '#');
}

/** '"create_order": the arguments are JSON that breaks off before its end: Unexpected end' -> "JSON that breaks off before its end" */
function headOf(text: string): string {
  const own = text.replace(/^(?:"[^"]*": |[^ ]+: )?the (?:content|arguments) (?:is|are) /, '');
  return withoutIds(own.replace(/(?:: | \().*$/s, ''));
}
