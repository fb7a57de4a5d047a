import type { NeedName } from '../report-format.js';

/** A form that can serve a need. */
export interface Form {
  /** Capability id. */
  readonly capability: string;
  /** What to send so that it is this form. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the client must do itself with this form; null: nothing beyond its usual checks. */
  readonly care: string | null;
  /** The capability that measures the form over token budgets. */
  readonly budget: string;
}

const form = (capability: string, settings: Form['settings'] = {}, care: string | null = null): Form => ({
  capability,
  settings,
  care,
  budget: `budget.${capability.startsWith('tool') ? 'tools' : capability}`,
});

const checkName = 'check the returned function name and arguments';

/** The forms for each need, best first, as the service's documentation orders them. */
export const formsFor: Readonly<Record<NeedName, readonly Form[]>> = {
  plain_text: [form('chat')],
  structured: [
    form('json_schema'),
    form(
      'tool_choice.required',
      { tool_choice: 'required' },
      'take the tool arguments as the result and validate them',
    ),
    form('tool_choice.object', { tool_choice: 'object' }, 'take the tool arguments as the result and validate them'),
    form('tools', {}, 'take the tool arguments as the result, validate them and expect that no call may come'),
    form('json_object', {}, 'state the fields in the prompt and validate against the schema in the client'),
  ],
  free_json: [
    form('json_object'),
    form('json_schema', {}, 'send a schema that is as loose as the need'),
    form('tool_choice.required', { tool_choice: 'required' }, 'take the tool arguments as the result'),
  ],
  tool_call: [
    form('tool_choice.required', { tool_choice: 'required' }, checkName),
    form('tool_choice.object', { tool_choice: 'object' }),
    form('tools', {}, checkName),
  ],
};

export const needNames = Object.keys(formsFor) as readonly NeedName[];

/** The needs in words, for people. */
export const needTitles: Readonly<Record<NeedName, string>> = {
  plain_text: 'Plain text',
  structured: 'Fixed fields (a schema)',
  free_json: 'Any JSON object',
  tool_call: 'Tool call',
};
