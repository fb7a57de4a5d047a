import type { Reason } from '../../judge/reasons.js';
import type { ReportCell } from '../report-format.js';
import { bothSides, type Direction, type JudgedCell, modelOf, type Pair } from './pair.js';

/**
 * `rule`: for this reason, a service refuses the same request every time. `repeated`: it failed again and again while a
 * control succeeded, so that the request is the likely cause. `luck`: it depends on the moment, or on what the model wrote.
 */
type Kind = 'rule' | 'repeated' | 'luck';

const kinds: Readonly<Record<Reason, Kind>> = {
  ...{ auth: 'luck', quota: 'luck', rate_limited: 'luck', overloaded: 'luck', gateway: 'luck' },
  ...{ content_filtered: 'luck', model_output_rejected: 'luck' },
  ...{ model_not_found: 'rule', context_length: 'rule', json_word_required: 'rule', schema_rejected: 'rule' },
  ...{ tool_choice_unsupported: 'rule', tool_choice_thinking: 'rule', response_format_unsupported: 'rule' },
  ...{ parameter_rejected: 'rule', server_error: 'repeated', unknown: 'rule' },
};

type Failure = Pick<ReportCell, 'class' | 'reason' | 'status'>;

function kindOf({ class: failure, reason, status }: Failure): Kind {
  if (reason === null || (failure !== 'http_error' && failure !== 'malformed_response')) return 'luck';
  return reason === 'unknown' && (status ?? 0) >= 500 ? 'repeated' : kinds[reason];
}

/**
 * The pairs in which a request that passed is now refused by rule. Not one of them: a refusal that the baseline or the
 * other side knows as occasional.
 * @param sameModels whether both sides asked the same models; a server error that moves from one cell to another is then
 *   a bad moment of the service
 */
export function refusedByRule(pairs: readonly Pair[], direction: Direction, sameModels: boolean): ReadonlySet<string> {
  const unsteady = new Set(
    pairs.filter((pair) => isUnsteady(pair, sameModels ? direction : null)).map((pair) => modelOf(pair)),
  );
  const refused = pairs.filter((pair) => {
    const { better, worse } = bothSides(pair, direction);
    if (worse.verdict !== 'fail' || better.verdict === 'fail' || isOccasional(worse, better)) return false;
    const kind = kindOf(worse);
    return kind === 'rule' || (kind === 'repeated' && !unsteady.has(modelOf(pair)));
  });
  return new Set(refused.map(({ name }) => name));
}

/** Whether a server error of this cell comes and goes. */
function isUnsteady(pair: Pair, direction: Direction | null): boolean {
  if ([pair.base, pair.head].some((cell) => cell.verdict === 'flaky' && kindOf(cell) === 'repeated')) return true;
  if (direction === null) return false;
  const { better, worse } = bothSides(pair, direction);
  return better.verdict === 'fail' && kindOf(better) === 'repeated' && worse.verdict === 'pass';
}

function isOccasional(worse: JudgedCell, better: JudgedCell): boolean {
  const known = [...(better.verdict === 'flaky' ? [better] : []), worse.expected, better.expected];
  return known.some((one) => one?.verdict === 'flaky' && one.class === worse.class && one.reason === worse.reason);
}
