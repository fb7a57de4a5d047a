/** In which exchanges a quirk could show: each name is a question about one answer, see `judge/wire/opportunities.ts`. */
export type Opportunity =
  | 'answer'
  | 'plain'
  | 'plain_cut'
  | 'cut_at_cap'
  | 'streamed'
  | 'finished'
  | 'finished_text'
  | 'finished_call'
  | 'finished_beside_tools'
  | 'no_call'
  | 'text'
  | 'prose'
  | 'prose_beside_tools'
  | 'prose_with_thoughts'
  | 'reasoning'
  | 'json'
  | 'json_asked'
  | 'beyond_ascii'
  | 'call'
  | 'call_with_arguments'
  | 'call_without_arguments'
  | 'call_one_meant'
  | 'call_parallel_off'
  | 'calls_several'
  | 'streamed_call'
  | 'streamed_calls_several'
  | 'usage'
  | 'usage_of_answer'
  | 'usage_due'
  | 'streamed_usage';

export interface QuirkFacts {
  /** What was seen. */
  readonly means: string;
  readonly shows: Opportunity;
  /**
   * In which answers it could show although nothing in their request leads to it: these count where they show it, or where
   * there are no others.
   */
  readonly mayShow?: Opportunity;
  /** What goes wrong in clients that do not expect it. */
  readonly breaks: string;
}

/**
 * Oddities that a careful reader tolerates and a report lists; none is a failure by itself. One that becomes the rule for
 * a model overnight is a deviation, since the client libraries of the users may break on it.
 */
export const quirkTable = {
  arguments_empty: {
    means: 'A call without arguments carries an empty string or null instead of {}.',
    shows: 'call_without_arguments',
    breaks: 'clients that parse the arguments as JSON throw',
  },
  arguments_object: {
    means: 'The arguments of a call are a JSON object instead of a string that contains one.',
    shows: 'call_with_arguments',
    breaks: 'clients that parse the arguments as a string throw, and typed clients reject the answer',
  },
  choice_index_missing: {
    means: 'A choice carries no index.',
    shows: 'answer',
    breaks: 'clients that collect choices by index find none',
  },
  choices_missing_in_chunk: {
    means: 'A chunk has no `choices` array at all.',
    shows: 'streamed',
    breaks: 'clients that read the first choice of every chunk throw',
  },
  content_after_finish_reason: {
    means: 'Text or call fragments followed the chunk that carried the finish_reason.',
    shows: 'streamed',
    breaks: 'clients that stop at the finish_reason lose the end of the answer',
  },
  content_blocks: {
    means: 'The content is a list of typed blocks.',
    shows: 'text',
    breaks: 'clients that expect a string show nothing, throw, or print [object Object]',
  },
  content_type_wrong: {
    means: 'The content-type header does not match the body.',
    shows: 'answer',
    breaks: 'clients that choose their parser by the content type do not read the body',
  },
  content_unreadable: {
    means: 'The content is neither text, null nor a list of blocks; it was read as null.',
    shows: 'text',
    breaks: 'clients that expect a string throw or show nothing',
  },
  created_missing: {
    means: '`created` is missing, or is no whole number.',
    shows: 'answer',
    breaks: 'typed clients (Go, Rust, Java) reject the answer',
  },
  cut_after_done: {
    means: 'The connection broke after the end of the answer; nothing was lost.',
    shows: 'answer',
    breaks: 'clients that read the body to its end throw although the answer was complete',
  },
  cut_without_length: {
    means: 'The answer was cut at its cap of tokens, but the finish_reason is not `length`.',
    shows: 'cut_at_cap',
    breaks: 'clients that trust the finish_reason store half an answer as a whole one',
  },
  data_after_done: {
    means: 'Events followed [DONE]; they were not read.',
    shows: 'streamed',
    breaks: 'clients that read on after [DONE] take the rest for part of the answer',
  },
  done_missing: {
    means: 'The stream ended with a finish_reason but without [DONE].',
    shows: 'streamed',
    breaks: 'clients that wait for [DONE] hang until a time-out or report a cut stream',
  },
  duplicate_keys: {
    means: 'A JSON object names a member twice.',
    shows: 'json_asked',
    mayShow: 'json',
    breaks: 'parsers disagree on which of the two values counts',
  },
  empty_choices_chunk: {
    means: 'A chunk has an empty `choices` array and no `usage`; it was skipped.',
    shows: 'streamed',
    breaks: 'clients that read the first choice of every chunk throw',
  },
  finish_reason_empty_string: {
    means: 'A finish_reason is an empty string, read as null.',
    shows: 'answer',
    breaks: 'clients that stop at any finish_reason that is not null cut the answer',
  },
  finish_reason_missing: {
    means: 'The answer ended without any finish_reason.',
    shows: 'answer',
    breaks: 'clients that wait for a finish_reason throw, or never see the end of the answer',
  },
  finish_reason_repeated: {
    means: 'More than one chunk carries a finish_reason.',
    shows: 'streamed',
    breaks: 'clients that act on every finish_reason run a tool or close the answer twice',
  },
  finish_reason_stop_with_tool_call: {
    means: 'The finish_reason is `stop` although a tool call was made.',
    shows: 'finished_call',
    breaks: 'agents that look for the finish_reason tool_calls never run the tool',
  },
  finish_reason_tool_calls_without_call: {
    means: 'The finish_reason announces tool calls, but none came.',
    shows: 'finished_beside_tools',
    mayShow: 'finished_text',
    breaks: 'agents that trust the finish_reason fail on the missing call, or ask again without end',
  },
  id_changes_in_stream: {
    means: 'The chunks of one stream carry different ids.',
    shows: 'streamed',
    breaks: 'clients that collect chunks by id split one answer into several',
  },
  id_missing: {
    means: 'The answer carries no `id`.',
    shows: 'answer',
    breaks: 'typed clients reject the answer, and support cannot find the request',
  },
  integer_beyond_2_53: {
    means: 'A JSON integer is too large for a double.',
    shows: 'json_asked',
    mayShow: 'json',
    breaks: 'common parsers change its value',
  },
  legacy_function_call: {
    means: 'The message carries the retired `function_call` field.',
    shows: 'call',
    breaks: 'clients that read tool_calls never see the call',
  },
  message_in_chunk: {
    means: 'A chunk carries `message` where `delta` belongs.',
    shows: 'streamed',
    breaks: 'clients that join deltas show nothing, or throw',
  },
  message_missing: {
    means: 'The choice has a finish_reason but no message.',
    shows: 'plain_cut',
    breaks: 'clients that read the message throw instead of seeing the finish_reason',
  },
  missing_tool_call_id: {
    means: 'A tool call has no id.',
    shows: 'call',
    breaks: 'the result of the call cannot be sent back, so agents stop after the first call',
  },
  model_missing: {
    means: 'The answer does not name the model that wrote it.',
    shows: 'answer',
    breaks: 'typed clients reject the answer, and logs and bills lack the model',
  },
  null_tool_delta_fields: {
    means: 'Continuation fragments of a call carry null fields.',
    shows: 'streamed_call',
    breaks: 'clients that copy every field overwrite the name or id of the call with null',
  },
  object_unexpected: {
    means: '`object` is neither chat.completion nor, in a stream, chat.completion.chunk.',
    shows: 'answer',
    breaks: 'clients that tell answers from chunks by this field reject them',
  },
  parallel_tool_calls_ignored: {
    means: 'Several calls came although the request had `parallel_tool_calls: false`.',
    shows: 'call_parallel_off',
    breaks: 'agents that run one tool at a time drop the other calls, or run steps out of order',
  },
  reasoning_blocks: {
    means: 'The reasoning is a list of typed blocks.',
    shows: 'reasoning',
    breaks: 'clients that expect a string show no reasoning, or throw',
  },
  reasoning_field_named_reasoning: {
    means: 'The reasoning is in a field named `reasoning` instead of `reasoning_content`.',
    shows: 'reasoning',
    breaks: 'clients that read reasoning_content show no reasoning and do not send it back',
  },
  role_missing: {
    means: 'The message has no `role`.',
    shows: 'answer',
    breaks: 'typed clients reject the answer, and a message sent back as history is refused',
  },
  role_unexpected: {
    means: 'The role of the message is not `assistant`.',
    shows: 'answer',
    breaks: 'typed clients reject the answer, and a message sent back as history is refused or misread',
  },
  sse_comments: {
    means: 'The stream has comment lines between its events.',
    shows: 'streamed',
    breaks: 'hand-written stream readers that expect `data:` on every line throw',
  },
  sse_space_missing: {
    means: 'The lines of the stream have no blank after `data:`.',
    shows: 'streamed',
    breaks: 'hand-written stream readers that look for `data: ` with a blank read nothing',
  },
  sse_unknown_lines: {
    means: 'The stream has lines that are not fields of an event; they were skipped.',
    shows: 'streamed',
    breaks: 'hand-written stream readers throw',
  },
  text_damaged: {
    means: 'Letters beyond ASCII came back damaged: read in a wrong encoding, lost to ? or U+FFFD, or left as escapes.',
    shows: 'beyond_ascii',
    breaks: 'clients show and store names and texts that nobody can read',
  },
  think_tags_in_content: {
    means: 'The text carries a <think> block that belongs in the reasoning field.',
    shows: 'prose_with_thoughts',
    mayShow: 'prose',
    breaks: 'users see the thoughts of the model, and parsers of the text fail',
  },
  tool_call_id_repeated: {
    means: 'Two calls of one answer share an id.',
    shows: 'calls_several',
    breaks: 'results are matched to the wrong call, and the next request is refused',
  },
  tool_call_index_drifts: {
    means: 'Fragments of one call arrive under another index without id or name.',
    shows: 'streamed_call',
    breaks: 'clients that concatenate by index see a second call without a name, and cut arguments',
  },
  tool_call_index_missing: {
    means: 'Fragments of a call carry no index.',
    shows: 'streamed_call',
    breaks: 'clients that concatenate by index throw or lose the arguments',
  },
  tool_call_index_repeated: {
    means: 'Two calls of a stream share one index.',
    shows: 'streamed_calls_several',
    breaks: 'clients that concatenate by index mix the arguments of both calls',
  },
  tool_call_markup_in_content: {
    means: 'The text carries tool-call markup although no call was expected.',
    shows: 'prose_beside_tools',
    mayShow: 'prose',
    breaks: 'users see the markup, and no tool runs',
  },
  tool_call_name_repeated: {
    means: 'The name of a call is sent more than once.',
    shows: 'streamed_call',
    breaks: 'clients that concatenate names call a function that does not exist',
  },
  tool_call_name_split: {
    means: 'The name of a call arrives in pieces.',
    shows: 'streamed_call',
    breaks: 'clients that take the first piece call a function that does not exist',
  },
  tool_call_type_missing: {
    means: 'A call does not say that its `type` is function.',
    shows: 'call',
    breaks: 'typed clients reject the answer or skip the call',
  },
  tool_calls_empty_list: {
    means: 'An answer without calls carries an empty list of `tool_calls`.',
    shows: 'no_call',
    breaks:
      'clients that only look whether the field is there run no tool and show no text; sent back as history, it is refused',
  },
  tool_calls_not_a_list: {
    means: '`tool_calls` is not an array.',
    shows: 'call',
    breaks: 'clients that iterate over the calls throw',
  },
  tool_calls_several: {
    means: 'Several calls came where one was meant, because the request or the probe names one function.',
    shows: 'call_one_meant',
    breaks: 'clients that read the first call drop the others, and agents run the same step twice',
  },
  unknown_finish_reason: {
    means: 'The finish_reason is not one of stop, length, tool_calls, content_filter.',
    shows: 'finished',
    breaks: 'typed clients reject the answer, and others treat it as not finished',
  },
  usage_missing: {
    means: 'The answer carries no `usage` although it should.',
    shows: 'usage_due',
    breaks: 'clients that count tokens throw, and budgets and bills lack the request',
  },
  usage_repeated: {
    means: 'More than one chunk of a stream carries `usage`.',
    shows: 'streamed_usage',
    breaks: 'clients that add up the usage of the chunks count tokens several times',
  },
  usage_total_too_small: {
    means: 'The `total_tokens` of the usage is less than its parts together.',
    shows: 'usage',
    breaks: 'budgets and bills that use the total count too little',
  },
  usage_without_completion: {
    means: 'The usage counts no completion tokens, although text or a call came.',
    shows: 'usage_of_answer',
    breaks: 'budgets and bills count the answer as free',
  },
} as const satisfies Readonly<Record<string, QuirkFacts>>;

export type Quirk = keyof typeof quirkTable;

/** The explanation of each quirk: what was seen. */
export const quirks = Object.fromEntries(
  Object.entries(quirkTable).map(([name, { means }]) => [name, means]),
) as Readonly<Record<Quirk, string>>;

/** The facts of a quirk; undefined for a name that this version does not know, as a report of another one may hold. */
export function factsOf(name: string): QuirkFacts | undefined {
  return Object.hasOwn(quirkTable, name) ? quirkTable[name as Quirk] : undefined;
}
