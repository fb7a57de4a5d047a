import { familyOf } from '../../matrix/capability-families.js';

/** What the capability families of the built-in suites are about; a family that is not listed is shown by its id. */
const families: Readonly<Record<string, string>> = {
  chat: 'Plain chat',
  json_schema: 'Structured output: a JSON Schema in response_format',
  json_object: 'Any JSON object in response_format',
  tools: 'Tool calls',
  tool_choice: 'Choosing whether and which tool is called',
  stream: 'Streamed answers',
  thinking: 'Thinking switched on and off',
  reasoning_effort: 'Reasoning effort',
  budget: 'Token budgets',
  strict: 'Strict schema against a conflicting prompt',
  flow: 'Several steps in a row',
  json_word: 'The word "json" in the prompt',
  schema: 'Schema keywords in response_format',
  tool_schema: 'Schema keywords in tool parameters',
};

const capabilities: Readonly<Record<string, string>> = {
  chat: 'A plain question',
  json_schema: 'Output that a schema constrains',
  json_object: 'Any JSON object',
  tools: 'Calls a function with the right arguments',
  'tool_choice.none': 'Told to call nothing',
  'tool_choice.auto': 'Free to call or not',
  'tool_choice.required': 'Told to call some tool',
  'tool_choice.object': 'Told to call one named tool',
  'stream.chat': 'Plain text, streamed',
  'stream.json_schema': 'Schema output, streamed',
  'stream.json_object': 'JSON object, streamed',
  'stream.tools': 'Tool call, streamed',
  'strict.conflict': 'Schema wins over the prompt',
  'flow.tool_then_summary': 'Tool call, result, then a summary',
  json_word: 'With and without the word',
};

export const familyTitle = (family: string): string => own(families, family) ?? family;

/** "Told to call one named tool"; for what nobody described, the id without its family. */
export function capabilityTitle(capability: string): string {
  const known = own(capabilities, capability);
  if (known !== null) return known;
  const family = familyOf(capability);
  const rest = capability.slice(family.length + 1);
  return rest === '' ? capability : rest.replaceAll('_', ' ');
}

function own(table: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
