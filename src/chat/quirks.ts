import texts from './quirk-texts.json' with { type: 'json' };

/**
 * Oddities that a careful reader tolerates and a report lists; none is a failure by itself. One that becomes the rule
 * for a model overnight is a deviation, since the client libraries of the users may break on it. Beside each stands in
 * which exchanges it could show: a question about one answer, see `judge/wire/opportunities.ts`.
 */
const quirkOpportunities = {
  arguments_empty: 'call_without_arguments',
  arguments_object: 'call_with_arguments',
  choice_index_missing: 'answer',
  choices_missing_in_chunk: 'streamed',
  content_after_finish_reason: 'streamed',
  content_blocks: 'text',
  content_type_wrong: 'answer',
  content_unreadable: 'text',
  control_tokens_in_content: 'prose',
  created_missing: 'answer',
  cut_after_done: 'answer',
  cut_without_length: 'cut_at_cap',
  data_after_done: 'streamed',
  done_missing: 'streamed',
  duplicate_keys: 'json_asked',
  empty_choices_chunk: 'streamed',
  finish_reason_empty_string: 'answer',
  finish_reason_missing: 'answer',
  finish_reason_repeated: 'streamed',
  finish_reason_stop_with_tool_call: 'finished_call',
  finish_reason_tool_calls_without_call: 'finished_beside_tools',
  id_changes_in_stream: 'streamed',
  id_missing: 'answer',
  integer_beyond_2_53: 'json_asked',
  legacy_function_call: 'call',
  message_in_chunk: 'streamed',
  message_missing: 'plain_cut',
  missing_tool_call_id: 'call',
  model_missing: 'answer',
  null_tool_delta_fields: 'streamed_call',
  object_unexpected: 'answer',
  parallel_tool_calls_ignored: 'call_parallel_off',
  reasoning_blocks: 'reasoning',
  reasoning_field_named_reasoning: 'reasoning',
  role_missing: 'answer',
  role_unexpected: 'answer',
  sse_comments: 'streamed',
  sse_space_missing: 'streamed',
  sse_unknown_lines: 'streamed',
  stream_in_one_piece: 'streamed_late',
  text_damaged: 'beyond_ascii',
  think_tags_in_content: 'prose_with_thoughts',
  tool_call_id_repeated: 'calls_several',
  tool_call_index_drifts: 'streamed_call',
  tool_call_index_missing: 'streamed_call',
  tool_call_index_repeated: 'streamed_calls_several',
  tool_call_markup_in_content: 'prose_beside_tools',
  tool_call_name_repeated: 'streamed_call',
  tool_call_name_split: 'streamed_call',
  tool_call_type_missing: 'call',
  tool_calls_empty_list: 'no_call',
  tool_calls_not_a_list: 'call',
  tool_calls_several: 'call_one_meant',
  unknown_finish_reason: 'finished',
  usage_missing: 'usage_due',
  usage_repeated: 'streamed_usage',
  usage_total_too_small: 'usage',
  usage_without_completion: 'usage_of_answer',
} as const;

/**
 * In which answers a quirk could show although nothing in their request leads to it: these count where they show it, or
 * where there are no others.
 */
const mayShow = {
  duplicate_keys: 'json',
  finish_reason_tool_calls_without_call: 'finished_text',
  integer_beyond_2_53: 'json',
  think_tags_in_content: 'prose',
  tool_call_markup_in_content: 'prose',
} as const satisfies Partial<Record<Quirk, string>>;

export type Quirk = keyof typeof quirkOpportunities;

export type Opportunity = (typeof quirkOpportunities)[Quirk] | (typeof mayShow)[keyof typeof mayShow];

interface QuirkFacts {
  /** The oddity that was seen. */
  readonly means: string;
  /** The damage in clients that do not expect it. */
  readonly breaks: string;
  readonly shows: Opportunity;
  readonly mayShow?: Opportunity;
}

const mayShowAlso: Partial<Record<Quirk, Opportunity>> = mayShow;
const quirkNames = Object.keys(quirkOpportunities) as Quirk[];

export const quirkTable = Object.fromEntries(
  quirkNames.map((name) => {
    const also = mayShowAlso[name];
    return [name, { ...texts[name], shows: quirkOpportunities[name], ...(also !== undefined && { mayShow: also }) }];
  }),
) as Readonly<Record<Quirk, QuirkFacts>>;

/** The explanation of each quirk: what was seen. */
export const quirks = Object.fromEntries(quirkNames.map((name) => [name, texts[name].means])) as Readonly<
  Record<Quirk, string>
>;

/** The facts of a quirk; undefined for a name that this version does not know, as a report of another one may hold. */
export function quirkFacts(name: string): QuirkFacts | undefined {
  return Object.hasOwn(quirkTable, name) ? quirkTable[name as Quirk] : undefined;
}
