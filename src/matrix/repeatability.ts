import type { Reason } from '../judge/reasons.js';
import type { ReportCell } from './report-format.js';

/**
 * `rule`: for this reason, a service refuses the same request every time. `repeated`: it failed again and again while a
 * control succeeded, so that the request is the likely cause. `luck`: it depends on the moment, or on what the model wrote.
 */
type Repeatability = 'rule' | 'repeated' | 'luck';

const kinds: Readonly<Record<Reason, Repeatability>> = {
  ...{ auth: 'luck', quota: 'luck', rate_limited: 'luck', overloaded: 'luck', gateway: 'luck' },
  ...{ content_filtered: 'luck', model_output_rejected: 'luck' },
  ...{ model_not_found: 'rule', context_length: 'rule', json_word_required: 'rule', schema_rejected: 'rule' },
  ...{ tool_choice_unsupported: 'rule', tool_choice_thinking: 'rule', response_format_unsupported: 'rule' },
  ...{ parameter_rejected: 'rule', server_error: 'repeated', unknown: 'rule' },
};

type Failure = Pick<ReportCell, 'class' | 'reason' | 'status'>;

/** Whether a request that failed in this way would fail again. */
export function repeatabilityOf({ class: failure, reason, status }: Failure): Repeatability {
  if (reason === null || (failure !== 'http_error' && failure !== 'malformed_response')) return 'luck';
  return reason === 'unknown' && (status ?? 0) >= 500 ? 'repeated' : kinds[reason];
}
