import { retryAfterOfAnswer } from '../../chat/errors/retry-after.js';
import { isLoadStatus, type Answer } from '../../chat/exchange.js';
import { itemsOrEmpty, memberOf, objectOf, own } from '../../chat/fields.js';
import { requestKind } from '../../chat/request-kind.js';
import { outputCap, tokenUse } from '../../chat/tokens.js';
import type { JsonObject } from '../../json/json.js';
import { outcomeProse, isFinalError, reasonProse, type OutcomeClass, type Reason, type Outcome } from '../outcome.js';
import { endedBelowCap } from '../rungs/presence.js';
import table from './next-steps.json' with { type: 'json' };

/** Steps to take after an answer. */
export const nextSteps = [
  /** Nothing: the answer can be used. */
  'none',
  /** Ask the same again. */
  'retry',
  /** Ask the same again with less randomness. */
  'lower_temperature',
  /** Ask the same again with room for more output. */
  'larger_max_tokens',
  /** Mend the request. */
  'change_request',
  /** Ask for the same in another request form. */
  'other_form',
  /** Asking again gives the same, or nobody waits for it: the application aborted the request. */
  'never',
] as const;
export type NextStep = (typeof nextSteps)[number];

/** The structured request forms. */
export type RequestForm = 'json_schema' | 'json_object' | 'tool_call';

export interface RetryAdvice {
  readonly step: NextStep;
  /** Whether the same request with `changes` is worth sending again, a limited number of times. */
  readonly again: boolean;
  /** Seconds that the service asks to wait; null: it does not say, and your own back-off applies. */
  readonly after_seconds: number | null;
  /** Members to set in the request before it is sent again; null removes one (RFC 7396). */
  readonly changes: JsonObject;
  /** Where `step` is `other_form`: the forms to try, the best first. */
  readonly other_forms: readonly RequestForm[];
  /** For people. */
  readonly advice: string;
}

type PlannedStep = Pick<RetryAdvice, 'step'> & { readonly changes?: JsonObject };

interface Case {
  readonly request: JsonObject;
  readonly outcome: Outcome;
}

/** @param now the present in milliseconds since the epoch */
export function retryAdvice(request: JsonObject, answer: Answer, outcome: Outcome, now: number): RetryAdvice {
  if (!outcome.passed && answer.failure?.kind === 'interrupted') return aborted;
  const { step, changes = {} } = retryPlanFor({ request, outcome });
  const changed = Object.keys(changes).length > 0;
  const again = step === 'retry' || (changed && step !== 'other_form');
  const other_forms = step === 'other_form' ? otherForms[requestFormOf(request)] : [];
  const advice = adviceOf({ step, changes, other_forms }, outcome);
  return { step, again, after_seconds: again ? retryAfterOfAnswer(answer, now) : null, changes, other_forms, advice };
}

/** Nobody waits for the answer of a request that was aborted, as when a page was closed. */
const aborted: RetryAdvice = {
  step: 'never',
  again: false,
  after_seconds: null,
  changes: {},
  other_forms: [],
  advice: 'Nothing to do: the application itself aborted the request.',
};

function retryPlanFor(of: Case): PlannedStep {
  const { passed, class: name, reason, status } = of.outcome;
  if (passed) return { step: 'none' };
  if (name === null || isFinalError({ reason, status })) return { step: 'never' };
  if (isLoadStatus(status)) return { step: 'retry' };
  const isOfReason = reason !== null && (name === 'http_error' || name === 'malformed_response');
  const plan = plans[planNames[isOfReason ? reason : name]] ?? never;
  return plan(of);
}

const never = (): PlannedStep => ({ step: 'never' });
const retry = (): PlannedStep => ({ step: 'retry' });
const changeByHand = (): PlannedStep => ({ step: 'change_request' });

/** The specification: the same input and schema with lower randomness. Where there is none left, another form. */
function lessRandom({ request }: Case): PlannedStep {
  if (own(request, 'temperature') !== 0) return { step: 'lower_temperature', changes: { temperature: 0 } };
  return requestFormOf(request) === 'text' ? { step: 'never' } : { step: 'other_form' };
}

/**
 * Where the refusal names the field and what it wants, that; a form or the tools that it does not take, another form.
 */
function afterRefusedParameter({ request, outcome: { clue } }: Case): PlannedStep {
  switch (clue?.kind) {
    case 'rename':
      return { step: 'change_request', changes: { [clue.from]: null, [clue.to]: own(request, clue.from) ?? null } };
    case 'set':
      return { step: 'change_request', changes: clue.members };
    case 'unsupported':
      if (!formFields.has(clue.field)) return { step: 'change_request', changes: { [clue.field]: null } };
      return requestFormOf(request) === 'text' ? changeByHand() : { step: 'other_form' };
    default:
      return changeByHand();
  }
}

/** Without these, a request asks for something else. */
const formFields: ReadonlySet<string> = new Set(['messages', 'model', 'response_format', 'tools', 'functions']);

/** Where the context window is full, or the answer would never end, a larger cap helps nothing. */
function afterCut(of: Case): PlannedStep {
  const { clue } = of.outcome;
  if (clue?.kind === 'call_as_text') return insistOnCall(of);
  if (clue?.kind === 'repetition' || clue?.kind === 'white_space') return lessRandom(of);
  return endedBelowCap(tokenUse(of.outcome.reply), outputCap(of.request)) ? changeByHand() : moreRoom(of);
}

function moreRoom({ request, outcome }: Case): PlannedStep {
  const name = own(request, 'max_completion_tokens') === undefined ? 'max_tokens' : 'max_completion_tokens';
  const cap = own(request, name);
  const used = typeof cap === 'number' && cap > 0 ? cap : tokenUse(outcome.reply).completion;
  if (used === null || used <= 0) return { step: 'larger_max_tokens' };
  return { step: 'larger_max_tokens', changes: { [name]: 2 * used } };
}

/** Reasoning may have taken the tokens; otherwise the form is accepted and not served. */
function afterEmpty(of: Case): PlannedStep {
  const { reply } = of.outcome;
  if ((reply?.reasoning ?? '') !== '' || (tokenUse(reply).reasoning ?? 0) > 0) return moreRoom(of);
  return objectOf(own(of.request, 'response_format')) === null ? lessRandom(of) : { step: 'other_form' };
}

/** The string `required` in place of the object, with only the function that the object names. */
function requiredInstead({ request }: Case): PlannedStep {
  const choice = objectOf(own(request, 'tool_choice'));
  if (own(request, 'tool_choice') === 'none') return dropTools();
  if (choice === null) return { step: 'other_form' };
  const name = memberOf(own(choice, 'function'), 'name');
  const named = itemsOrEmpty(own(request, 'tools')).filter(
    (tool) => memberOf(memberOf(tool, 'function'), 'name') === name,
  );
  return {
    step: 'change_request',
    changes: { tool_choice: 'required', ...(named.length > 0 && { tools: named }) },
  };
}

function insistOnCall({ request, outcome }: Case): PlannedStep {
  const choice = own(request, 'tool_choice');
  if (choice !== undefined && choice !== 'auto') return lessRandom({ request, outcome });
  return { step: 'change_request', changes: { tool_choice: 'required' } };
}

const dropTools = (): PlannedStep => ({ step: 'change_request', changes: { tools: null, tool_choice: null } });

function sayJson({ request }: Case): PlannedStep {
  const system = { role: 'system', content: 'Return only JSON that matches the requested schema.' };
  return { step: 'change_request', changes: { messages: [system, ...itemsOrEmpty(own(request, 'messages'))] } };
}

/** By the names that stand in `next-steps.json`. */
const plans: Readonly<Record<string, (of: Case) => PlannedStep>> = {
  never,
  retry,
  less_random: lessRandom,
  // Another form does not mend values.
  less_random_in_same_form: (of) => (own(of.request, 'temperature') === 0 ? never() : lessRandom(of)),
  other_form: () => ({ step: 'other_form' }),
  change_by_hand: changeByHand,
  after_cut: afterCut,
  after_empty: afterEmpty,
  after_refused_parameter: afterRefusedParameter,
  drop_tools: dropTools,
  insist_on_call: insistOnCall,
  required_instead: requiredInstead,
  say_json: sayJson,
};
const planNames: Readonly<Record<OutcomeClass | Reason, string>> = table.plans;

const otherForms: Readonly<Record<RequestForm | 'text', readonly RequestForm[]>> = {
  json_schema: ['tool_call', 'json_object'],
  tool_call: ['json_schema', 'json_object'],
  json_object: ['json_schema', 'tool_call'],
  text: [],
};

function requestFormOf(request: JsonObject): RequestForm | 'text' {
  const { format, choice } = requestKind(request);
  if (format === 'json_schema' || format === 'json_object') return format;
  return choice === 'required' || choice === 'object' ? 'tool_call' : 'text';
}

/** The step first of all; then the advice of the class or the reason, unless that names another step. */
function adviceOf(
  { step, changes, other_forms: forms }: Pick<RetryAdvice, 'step' | 'changes' | 'other_forms'>,
  { passed, class: name, reason, detail, clue }: Outcome,
): string {
  if (passed) return 'Use the value.';
  if (name === null) return detail ?? '';
  const meaning = reason ?? name;
  const prose = reason === null ? outcomeProse[name] : reasonProse[reason];
  const sentence = nextStepSentences[step]({ changes, forms });
  const isNamed = (reason === 'parameter_rejected' && clue !== undefined) || changes['tools'] === null;
  return !isNamed && (stepsNamed[meaning] ?? [step]).includes(step) ? `${sentence} ${prose.advice}` : sentence;
}

interface Given {
  readonly changes: RetryAdvice['changes'];
  readonly forms: RetryAdvice['other_forms'];
}

const nextStepSentences: Readonly<Record<NextStep, (of: Given) => string>> = {
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
const stepsNamed: Readonly<Partial<Record<OutcomeClass | Reason, readonly string[]>>> = table.fits;
