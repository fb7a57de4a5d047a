import { outcomeProse, type OutcomeClass } from '../outcome-classes.js';
import type { Outcome } from '../outcome.js';
import { reasonProse, type Reason } from '../reasons.js';
import type { NextStep, RetryAdvice } from './next-steps.js';

/** What to do, first of all; then what the class or the reason says, unless that names another step. */
export function adviceOf(
  { step, changes, other_forms: forms }: Pick<RetryAdvice, 'step' | 'changes' | 'other_forms'>,
  { passed, class: name, reason, detail }: Outcome,
): string {
  if (passed) return 'Use the value.';
  if (name === null) return detail ?? '';
  const meaning = reason !== null && name !== 'filtered' ? reason : name;
  const prose = Object.hasOwn(reasonProse, meaning) ? reasonProse[meaning as Reason] : outcomeProse[name];
  const sentence = sentences[step]({ changes, forms });
  return (stepsNamed[meaning] ?? [step]).includes(step) ? `${sentence} ${prose.advice}` : sentence;
}

interface Given {
  readonly changes: RetryAdvice['changes'];
  readonly forms: RetryAdvice['other_forms'];
}

const sentences: Readonly<Record<NextStep, (of: Given) => string>> = {
  none: () => 'Use the value.',
  retry: () => 'Send the same request again, a limited number of times.',
  lower_temperature: () => 'Send the request again with temperature 0, a limited number of times.',
  larger_max_tokens: () => 'Send the request again with room for more output.',
  change_request: ({ changes }) =>
    Object.keys(changes).length > 0
      ? `Send the request again with other values of ${Object.keys(changes).join(' and ')}.`
      : 'Mend the request: as it is, it gives the same again.',
  other_form: ({ forms }) =>
    `Ask for the same in another request form${forms.length > 0 ? `: ${forms.join(', else ')}` : ''}.`,
  never: () => 'Do not send the same request again: it gives the same.',
};

/** The steps that the advice of a class or a reason fits; absent: any, since it names none. */
const stepsNamed: Readonly<Partial<Record<OutcomeClass | Reason, readonly NextStep[]>>> = {
  ...{
    transport: ['retry'],
    gateway: ['retry'],
    rate_limited: ['retry'],
    overloaded: ['retry'],
    server_error: ['retry'],
  },
  ...{ truncated: ['larger_max_tokens'], empty_content: [], missing_tool_call: ['change_request'] },
  ...{
    not_json: [],
    model_output_rejected: ['lower_temperature'],
    schema_violation: ['other_form'],
  },
  ...{ tool_choice_unsupported: ['change_request'], tool_choice_thinking: ['change_request'] },
  ...{ json_word_required: ['change_request'], schema_rejected: ['change_request'] },
  response_format_unsupported: ['other_form'],
};
