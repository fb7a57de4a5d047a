/**
 * Oddities that a careful reader tolerates and a report lists; none is a failure by itself.
 * The explanation says what was seen and which readers it breaks.
 */
export const quirks = {
  arguments_empty:
    'A call without arguments carries an empty string or null instead of {}; plain JSON parsing fails on it.',
  arguments_object: 'The arguments of a call are a JSON object instead of a string that contains one.',
  choices_missing_in_chunk: 'A chunk has no `choices` array at all; readers that index into it fail.',
  content_after_finish_reason: 'Text or call fragments followed the chunk that carried the finish_reason.',
  content_blocks: 'The content is a list of typed blocks; a reader that expects a string sees nothing.',
  content_type_wrong: 'The content-type header does not match the body.',
  content_unreadable: 'The content is neither text, null nor a list of blocks; it was read as null.',
  cut_after_done: 'The connection broke after [DONE]; nothing was lost.',
  data_after_done: 'Events followed [DONE]; they were not read.',
  done_missing: 'The stream ended with a finish_reason but without [DONE].',
  duplicate_keys: 'A JSON object names a member twice; parsers disagree on which one counts.',
  empty_choices_chunk: 'A chunk has an empty `choices` array; it was skipped.',
  finish_reason_empty_string:
    'A finish_reason is an empty string, read as null; readers that stop at any non-null value cut the answer.',
  finish_reason_missing: 'The answer ended without any finish_reason.',
  finish_reason_stop_with_tool_call: 'The finish_reason is `stop` although a tool call was made.',
  finish_reason_tool_calls_without_call: 'The finish_reason announces tool calls, but none came.',
  id_missing: 'The answer carries no `id`, so support cannot find the request.',
  integer_beyond_2_53: 'A JSON integer is too large for a double; common parsers change its value.',
  legacy_function_call: 'The message carries the retired `function_call` field.',
  message_in_chunk: 'A chunk carries `message` where `delta` belongs.',
  message_missing: 'The choice has a finish_reason but no message.',
  missing_tool_call_id: 'A tool call has no id, so its result cannot be sent back.',
  model_missing: 'The answer does not name the model that wrote it.',
  null_tool_delta_fields:
    'Continuation fragments of a call carry null fields, which must not overwrite earlier values.',
  object_unexpected: '`object` is neither chat.completion nor, in a stream, chat.completion.chunk.',
  reasoning_blocks: 'The reasoning is a list of typed blocks.',
  reasoning_field_named_reasoning: 'The reasoning is in a field named `reasoning` instead of `reasoning_content`.',
  role_missing: 'The message has no `role`.',
  role_unexpected: 'The role of the message is not `assistant`.',
  sse_comments: 'The stream has comment lines between its events.',
  sse_unknown_lines: 'The stream has lines that are not fields of an event; they were skipped.',
  think_tags_in_content: 'The text carries a <think> block that belongs in the reasoning field.',
  tool_call_index_drifts: 'Fragments of one call arrive under another index without id or name.',
  tool_call_index_missing: 'Fragments of a call carry no index.',
  tool_call_index_repeated: 'Two calls of a stream share one index.',
  tool_call_markup_in_content: 'The text carries tool-call markup although no call was expected.',
  tool_call_name_repeated: 'The name of a call is sent more than once.',
  tool_call_name_split: 'The name of a call arrives in pieces.',
  tool_calls_not_a_list: '`tool_calls` is not an array.',
  unknown_finish_reason: 'The finish_reason is not one of stop, length, tool_calls, content_filter.',
  usage_missing: 'The answer carries no `usage` although it should.',
} as const;

export type Quirk = keyof typeof quirks;
