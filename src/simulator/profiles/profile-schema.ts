import type { JsonObject } from '../../json/json.js';

const flag = { type: 'boolean' };
const yes = { const: true };
const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const whole = { type: 'integer', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const texts = { type: 'array', items: text };
const anything = {};

function members(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function oneOrMoreOf(...values: string[]): JsonObject {
  return { type: 'array', items: { enum: values }, minItems: 1, uniqueItems: true };
}

function mapOf(values: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: values };
}

const when = members({
  response_format: oneOrMoreOf('none', 'json_object', 'json_schema'),
  strict: flag,
  tools: flag,
  tool_choice: oneOrMoreOf('absent', 'none', 'auto', 'required', 'object'),
  stream: flag,
  thinking: flag,
  max_tokens_below: whole,
  max_tokens_from: whole,
  json_word: flag,
  prompt: { type: 'string', format: 'regex' },
  task: { ...texts, minItems: 1 },
  repeat: flag,
  keywords: { ...texts, minItems: 1 },
  has: { ...texts, minItems: 1 },
  calls_with: oneOrMoreOf('null_content', 'empty_content', 'reasoning', 'no_reasoning'),
  authorization: { enum: ['missing', 'present'] },
  rate: share,
  attempts_below: whole,
});

const event = { data: anything, raw: text };

const actions = {
  respond: members({
    status: { type: 'integer', minimum: 200, maximum: 599 },
    headers: mapOf(text),
    body: anything,
    text,
    replay: text,
  }),
  content: textOrNull,
  refusal: text,
  reasoning: textOrNull,
  prefix: text,
  suffix: text,
  fence: text,
  content_to_reasoning: yes,
  drop_calls: textOrNull,
  empty_calls: textOrNull,
  call_as_text: members({ template: text, in: { enum: ['content', 'reasoning'] } }, ['template', 'in']),
  choose_as: { enum: ['auto', 'none', 'required'] },
  call_tool: yes,
  call: members({ name: text, arguments: anything }, ['name', 'arguments']),
  rename_function: text,
  extra_calls: members({ times: { type: 'integer', minimum: 1 }, same_id: flag }, ['times']),
  other_function: yes,
  cut_document: share,
  double_encode: yes,
  empty_arguments: anything,
  arguments_as_object: yes,
  break_document: { enum: ['drop_member', 'extra_member', 'wrong_type', 'wrong_enum', 'all_strings', 'nested_string'] },
  wrong_values: yes,
  damage_text: { enum: ['latin1', 'windows1252', 'question_marks', 'replaced', 'escapes'] },
  finish_reason: anything,
  usage: { type: ['object', 'null'] },
  legacy_calls: yes,
  set: mapOf(anything),
  unset: texts,
  content_blocks: yes,
  calls_not_a_list: yes,
  comments: text,
  keep_events: whole,
  drop_done: yes,
  drop_finish: yes,
  only_done: yes,
  set_in_chunks: mapOf(anything),
  unset_in_chunks: texts,
  split_names: yes,
  repeat_names: yes,
  insert_event: members({ at: { type: 'integer' }, ...event }, ['at']),
  append_event: members(event),
  null_ids: yes,
  drop_indexes: yes,
  null_fields: yes,
  usage_in_content: yes,
  cut_letters: yes,
  empty_finish: yes,
  duplicate_index: yes,
  drifting_index: yes,
  status: { type: 'integer', minimum: 200, maximum: 599 },
  headers: mapOf(textOrNull),
  delay: members({ before_ms: whole, between_ms: whole }),
  raw_body: members({ text, base64: text }),
  cut_body: share,
  reset: { enum: ['before_headers', 'during_headers', 'during_body', 'after_body'] },
  stall: { enum: ['before_headers', 'during_body'] },
  drip_ms: whole,
  endless: yes,
  huge_body_mb: whole,
  gzip_bomb_mb: whole,
  line_ends: { enum: ['crlf', 'cr'] },
  no_blank: yes,
};

const thinking = members({
  default: { enum: ['on', 'off'] },
  obeys: flag,
  types: texts,
  efforts: texts,
  tokens: mapOf(whole),
  format_tokens: { type: ['integer', 'null'], minimum: 0 },
  field: { enum: ['reasoning_content', 'reasoning', null] },
  counted: { enum: ['details', 'completion', 'total'] },
});

/** JSON Schema of one fault: when, and what. */
export const faultSchema: JsonObject = members({ when, do: { ...members(actions), minProperties: 1 } }, ['do']);

/** JSON Schema (2020-12) of a file of profiles. */
export const profileFileSchema: JsonObject = members(
  {
    profiles: {
      type: 'array',
      minItems: 1,
      items: members(
        {
          id: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:/@-]*$' },
          extends: text,
          summary: { type: 'string', minLength: 1 },
          source: { type: 'string', minLength: 1 },
          demo: flag,
          traits: members({
            thinking,
            ignore_keywords: texts,
            ignore_keywords_in: members({ response_format: texts, tools: texts }),
            ignore_schema: flag,
            repeats: flag,
            repeats_as: mapOf(text),
            obeys_limit: flag,
            cache: { enum: ['request', 'prompt', null] },
          }),
          faults: {
            type: 'array',
            items: faultSchema,
          },
        },
        ['id'],
      ),
    },
  },
  ['profiles'],
);
