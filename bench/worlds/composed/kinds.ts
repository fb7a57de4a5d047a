import type { Json } from '../../../src/json/json.js';
import type { Do } from '../../../src/simulator/profiles/profile.js';
import type { FailureKind, FailureMode, Form, ToolChoice } from './model.js';

/** How a kind of failure is made, and what an honest judge may call it. */
export interface KindOfFailure {
  /** Requests on which it can show; on any other form the answer would pass all the same. */
  readonly forms: readonly Form[];
  /** Among requests with tools, those on which it can show; absent: all. */
  readonly toolChoices?: readonly ToolChoice[];
  /** It shows only where a rule of the probe reads the values. */
  readonly needsRules?: true;
  /** The answer is an error, so the control of a model that always gives it would fail as well. */
  readonly isError?: true;
  readonly make: (mode: FailureMode) => Do;
  readonly classes: readonly string[];
  /** Possible reasons; absent: none. */
  readonly reasons?: readonly string[];
  readonly status: number;
}

const anyForm: readonly Form[] = ['text', 'json_object', 'json_schema', 'tools'];
const json: readonly Form[] = ['json_object', 'json_schema'];
const calling: readonly ToolChoice[] = ['required', 'object'];
const schemaForms: Pick<KindOfFailure, 'forms' | 'toolChoices' | 'status'> = {
  forms: ['json_object', 'json_schema', 'tools'],
  toolChoices: calling,
  status: 200,
};

export const kinds: Readonly<Record<FailureKind, KindOfFailure>> = {
  http_500: {
    forms: anyForm,
    isError: true,
    make: () => ({ respond: { status: 500, body: error('Internal server error', 'server_error') } }),
    classes: ['http_error'],
    reasons: ['server_error', 'unknown'],
    status: 500,
  },
  http_400: {
    forms: anyForm,
    isError: true,
    make: (mode) => ({ respond: { status: 400, body: refusalOf(mode) } }),
    classes: ['http_error'],
    reasons: [
      'parameter_rejected',
      'response_format_unsupported',
      'tool_choice_unsupported',
      'tool_choice_thinking',
      'unknown',
    ],
    status: 400,
  },
  empty: {
    forms: anyForm,
    make: () => ({ content: '' }),
    classes: ['empty_content', 'missing_tool_call'],
    status: 200,
  },
  truncated: {
    forms: anyForm,
    make: () => ({ cut_document: 0.5, finish_reason: 'length' }),
    classes: ['truncated'],
    status: 200,
  },
  prose: {
    forms: json,
    make: () => ({ content: 'Of course! The values that you asked for are in the text above.' }),
    classes: ['not_json'],
    status: 200,
  },
  fenced: { forms: json, make: () => ({ fence: 'json' }), classes: ['not_json'], status: 200 },
  missing_member: {
    ...schemaForms,
    make: () => ({ break_document: 'drop_member' }),
    classes: ['schema_violation'],
  },
  wrong_type: {
    ...schemaForms,
    make: () => ({ break_document: 'wrong_type' }),
    classes: ['schema_violation'],
  },
  wrong_value: {
    ...schemaForms,
    needsRules: true,
    make: () => ({ wrong_values: true }),
    classes: ['rule_violation'],
  },
  no_call: {
    forms: ['tools'],
    toolChoices: calling,
    make: () => ({ drop_calls: 'I have noted it.' }),
    classes: ['missing_tool_call'],
    status: 200,
  },
  call_as_text: {
    forms: ['tools'],
    toolChoices: calling,
    make: () => ({ call_as_text: { template: '<tool_call>{name}({arguments})</tool_call>', in: 'content' } }),
    classes: ['missing_tool_call'],
    status: 200,
  },
  wrong_function: {
    forms: ['tools'],
    toolChoices: calling,
    make: () => ({ rename_function: 'some_other_function' }),
    classes: ['wrong_function'],
    status: 200,
  },
};

function error(message: string, type: string, param: string | null = null): Json {
  return { error: { message, type, param, code: null } };
}

/** Worded after what the mode depends on, as services word it. */
function refusalOf({ when }: FailureMode): Json {
  const refused = (message: string, param: string) => error(message, 'invalid_request_error', param);
  if (when.tool_choice?.includes('object') === true && when.thinking === true)
    return refused('tool_choice with a named function is not supported while thinking is enabled.', 'tool_choice');
  if (when.tool_choice !== undefined) return refused('This value of tool_choice is not supported.', 'tool_choice');
  if (when.form?.includes('json_schema') === true || when.form?.includes('json_object') === true)
    return refused('This response_format is not supported by the model.', 'response_format');
  if (when.thinking !== undefined) return refused('Unsupported value for thinking.', 'thinking');
  return refused('Unsupported parameter.', 'stream');
}
