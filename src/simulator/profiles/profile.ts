import type { Json, JsonObject } from '../../json/json.js';

/** How a model thinks, and how many output tokens that costs. */
export interface ThinkingTraits {
  /** Whether it thinks when the request does not say. */
  readonly default: 'on' | 'off';
  /** false: settings are accepted and have no effect. */
  readonly obeys: boolean;
  /** Accepted values of `thinking.type`; others are refused with 400. */
  readonly types: readonly string[];
  /** Accepted values of `reasoning_effort`; others are refused with 400. */
  readonly efforts: readonly string[];
  /** Output tokens spent on thinking, by effort; `default` when no effort is set. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Output tokens spent on thinking when a response_format is set, whatever the effort; null: as without one. */
  readonly format_tokens: number | null;
  /** The member of the message that holds the reasoning; null: reasoning is counted but not shown. */
  readonly field: 'reasoning_content' | 'reasoning' | null;
  /**
   * Where usage counts reasoning: in the completion tokens and their details, in the completion tokens, or only in the
   * total.
   */
  readonly counted: 'details' | 'completion' | 'total';
}

export interface Traits {
  readonly thinking: ThinkingTraits;
  /** Keywords of a schema that are accepted and have no effect. */
  readonly ignore_keywords: readonly string[];
  /** Keywords that are accepted and have no effect where the schema stands in this part of the request only. */
  readonly ignore_keywords_in: Readonly<Partial<Record<SchemaPlace, readonly string[]>>>;
  /** Schemas are accepted and have no effect. */
  readonly ignore_schema: boolean;
  /** false: makes up a text or a document where it is asked to repeat one. */
  readonly repeats: boolean;
  /** Texts that it says instead of those that it is asked to repeat. */
  readonly repeats_as: Readonly<Record<string, string>>;
  /** false: a limit on output tokens is accepted and cuts nothing, so that faults alone say what a limit does. */
  readonly obeys_limit: boolean;
  /** Members of a request that are accepted and have no effect. */
  readonly ignores: readonly string[];
  /** Whether the usage counts tools in the prompt. */
  readonly counts_tools: boolean;
  /** Roles whose messages are accepted and not read. */
  readonly ignores_roles: readonly string[];
  /** The treatment of a picture: it sees it, takes the request as if there were none, or sees another one. */
  readonly pictures: 'seen' | 'ignored' | 'invented';
  /** Whether it keeps the beginnings of long prompts, and says in the usage how much of a prompt it had kept. */
  readonly caches_prompts: boolean;
  /**
   * The key of a cache in front of it: the same body, or the same beginning of the messages; null:
   * there is none.
   */
  readonly cache: 'request' | 'prompt' | null;
}

/** UTF-8 read in another encoding; "?" or U+FFFD for each letter; escapes that stand in the text. */
export type TextDamage = 'latin1' | 'windows1252' | 'question_marks' | 'replaced' | 'escapes';

/** Where a request may carry a schema. */
export type SchemaPlace = 'response_format' | 'tools';

/** Members beside the calls in the last turn of the assistant that called a tool. */
export type CallsWith = 'null_content' | 'empty_content' | 'reasoning' | 'no_reasoning';

/** Conditions on a request; all of those given must hold. */
export interface When {
  readonly response_format?: readonly ('none' | 'json_object' | 'json_schema')[];
  readonly strict?: boolean;
  readonly tools?: boolean;
  readonly tool_choice?: readonly ('absent' | 'none' | 'auto' | 'required' | 'object')[];
  readonly stream?: boolean;
  /** Whether this request makes the model think. */
  readonly thinking?: boolean;
  readonly max_tokens_below?: number;
  readonly max_tokens_from?: number;
  /** Whether any message contains the word json, in any case. */
  readonly json_word?: boolean;
  /** A regular expression, matched against all messages regardless of case. */
  readonly prompt?: string;
  /** The prompt quotes a task from one of these files of `fixtures/samples` (without .jsonl). */
  readonly task?: readonly string[];
  /** The prompt asks to repeat a text. */
  readonly repeat?: boolean;
  /** A schema of the request uses one of these keywords. */
  readonly keywords?: readonly string[];
  /** The body has all these members. */
  readonly has?: readonly string[];
  /** The history holds a call of a tool with one of these. */
  readonly calls_with?: readonly CallsWith[];
  /** A regular expression, matched against the body as JSON without white space, as it was sent. */
  readonly body?: string;
  /** The body has as many characters. */
  readonly body_from?: number;
  /** At least so many requests of the model are being answered, this one included. */
  readonly in_flight_from?: number;
  readonly authorization?: 'missing' | 'present';
  /** In this share of the trials. */
  readonly rate?: number;
  /** Only while the trial has had fewer attempts than this. */
  readonly attempts_below?: number;
}

export interface Respond {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is. */
  readonly text?: string;
  /**
   * File with a recorded answer (status line, headers, body), relative to the profiles; its body is sent byte for byte.
   */
  readonly replay?: string;
}

/** Actions of a fault, in the order of the stages: draft, completion, body or events, response. */
export interface Do {
  readonly respond?: Respond;

  readonly content?: string | null;
  readonly refusal?: string;
  readonly reasoning?: string | null;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly fence?: string;
  readonly content_to_reasoning?: true;
  readonly drop_calls?: string | null;
  readonly empty_calls?: string | null;
  readonly call_as_text?: { readonly template: string; readonly in: 'content' | 'reasoning' };
  /** Decides whether to call as if this had been the request's tool_choice. */
  readonly choose_as?: 'auto' | 'none' | 'required';
  readonly call_tool?: true;
  /** Calls this function with these arguments, whatever the request declares; a text stands as it is. */
  readonly call?: { readonly name: string; readonly arguments: Json };
  readonly rename_function?: string;
  /** Makes every call so many times more, each with an id of its own or all with the same. */
  readonly extra_calls?: { readonly times: number; readonly same_id?: boolean };
  /** Keeps only so many of the calls. */
  readonly keep_calls?: number;
  /** All calls have the id of the first. */
  readonly same_ids?: true;
  readonly other_function?: true;
  readonly cut_document?: number;
  readonly double_encode?: true;
  readonly empty_arguments?: Json;
  readonly arguments_as_object?: true;
  readonly break_document?:
    'drop_member' | 'extra_member' | 'wrong_type' | 'wrong_enum' | 'all_strings' | 'nested_string';
  readonly wrong_values?: true;
  /** Damage to the letters beyond ASCII of the text and of the arguments. */
  readonly damage_text?: TextDamage;

  readonly finish_reason?: Json;
  /** The replacement of each finish_reason; others stay. */
  readonly finish_reasons?: Readonly<Record<string, Json>>;
  readonly usage?: JsonObject | null;
  /** The first call stands in the retired `function_call` instead of `tool_calls`. */
  readonly legacy_calls?: true;

  /** JSON Pointer -> value, in the body of an answer that is not streamed. */
  readonly set?: Readonly<Record<string, Json>>;
  /** JSON Pointers to remove, in the body of an answer that is not streamed. */
  readonly unset?: readonly string[];
  readonly content_blocks?: true;
  /** `tool_calls` is the first call itself instead of a list. */
  readonly calls_not_a_list?: true;

  readonly comments?: string;
  readonly keep_events?: number;
  readonly drop_done?: true;
  readonly drop_finish?: true;
  /** Every chunk with a finish_reason comes twice. */
  readonly repeat_finish?: true;
  /** Where the chunk with the finish_reason stands instead; negative: so many places earlier. */
  readonly finish_at?: number;
  readonly only_done?: true;
  /** JSON Pointer -> value, in every chunk that has the member around it. */
  readonly set_in_chunks?: Readonly<Record<string, Json>>;
  /** JSON Pointers to remove in every chunk. */
  readonly unset_in_chunks?: readonly string[];
  /** The name of a call arrives in two pieces. */
  readonly split_names?: true;
  /** Every fragment of a call repeats its name. */
  readonly repeat_names?: true;
  /** JSON Pointer -> value, in the chunk at this place. */
  readonly set_in_chunk?: { readonly at: number; readonly set: Readonly<Record<string, Json>> };
  /**
   * Inserts an event; a negative place counts from the end. `chunk`: a chunk with the id, model and so on of its
   * neighbour.
   */
  readonly insert_event?: {
    readonly at: number;
    readonly chunk?: JsonObject;
    readonly data?: Json;
    readonly raw?: string;
  };
  readonly append_event?: { readonly data?: Json; readonly raw?: string };
  readonly null_ids?: true;
  readonly drop_indexes?: true;
  readonly null_fields?: true;
  readonly usage_in_content?: true;
  /** Every piece of a stream is cut within its first letter of several bytes, and what comes of that is decoded. */
  readonly cut_letters?: true;
  readonly empty_finish?: true;
  readonly duplicate_index?: true;
  readonly drifting_index?: true;

  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly delay?: { readonly before_ms?: number; readonly between_ms?: number };
  readonly raw_body?: { readonly text?: string; readonly base64?: string };
  readonly cut_body?: number;
  readonly reset?: 'before_headers' | 'during_headers' | 'during_body' | 'after_body';
  readonly stall?: 'before_headers' | 'during_body';
  readonly drip_ms?: number;
  readonly endless?: true;
  readonly huge_body_mb?: number;
  readonly gzip_bomb_mb?: number;
  readonly line_ends?: 'crlf' | 'cr';
  /** Streams have no blank after `data:`. */
  readonly no_blank?: true;
}

export interface Fault {
  readonly when: When;
  readonly do: Do;
}

/** One model of the embedded service. */
export interface Profile {
  readonly id: string;
  /** One sentence for the reader. */
  readonly summary: string;
  /** The sentence of the specification, or the public report, that it imitates. */
  readonly source: string;
  /** Part of the demonstration. */
  readonly demo: boolean;
  readonly traits: Traits;
  readonly faults: readonly Fault[];
}

/** Actions of a stage, each by its name; they are done in the order in which they stand. */
export type ActionsOn<Stage, Context = unknown, Made = Stage> = {
  readonly [K in keyof Do]?: (stage: Stage, value: Exclude<Do[K], undefined>, context: Context) => Made;
};
