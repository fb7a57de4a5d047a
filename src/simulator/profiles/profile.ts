import type { Json, JsonObject } from '../../json/json.js';

/** How a model thinks, and what it costs in output tokens. */
export interface ThinkingTraits {
  /** What happens when the request says nothing. */
  readonly default: 'on' | 'off';
  /** `false`: settings are accepted and change nothing. */
  readonly obeys: boolean;
  /** Accepted values of `thinking.type`; others are refused with 400. */
  readonly types: readonly string[];
  /** Accepted values of `reasoning_effort`; others are refused with 400. */
  readonly efforts: readonly string[];
  /** Output tokens of a thought, by effort; `default` when no effort is set. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Output tokens of a thought when a response_format is set, whatever the effort; null: as above. */
  readonly format_tokens: number | null;
  /** The field that shows the thought; null: it is not shown, only counted. */
  readonly field: 'reasoning_content' | 'reasoning' | null;
  /** Where usage shows the thought: apart and among the completion tokens, only there, or in the total alone. */
  readonly counted: 'details' | 'completion' | 'total';
}

export interface Traits {
  readonly thinking: ThinkingTraits;
  /** Keywords of a schema that are accepted and have no effect. */
  readonly ignore_keywords: readonly string[];
  /** No constraint at all follows from a schema. */
  readonly ignore_schema: boolean;
}

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
  /** Whether any message holds the word json, in any case. */
  readonly json_word?: boolean;
  /** A regular expression over all messages, without regard to case. */
  readonly prompt?: string;
  /** The prompt quotes a task from one of these files of `fixtures/samples` (without .jsonl). */
  readonly task?: readonly string[];
  /** The prompt asks to repeat a text. */
  readonly repeat?: boolean;
  /** A schema of the request holds one of these keywords. */
  readonly keywords?: readonly string[];
  /** The body holds all these members. */
  readonly has?: readonly string[];
  readonly authorization?: 'missing' | 'present';
  /** In this share of the trials. */
  readonly rate?: number;
  /** Only while a trial has been tried fewer times than this. */
  readonly attempts_below?: number;
}

export interface Respond {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is. */
  readonly text?: string;
  /** A recorded answer (status line, headers, body), beside the profiles; its body is sent byte for byte. */
  readonly replay?: string;
}

/** What a fault does, in the order of the stages: draft, completion, body or events, wire. */
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
  /** Decides on a call as if this had been the request's tool_choice. */
  readonly choose_as?: 'auto' | 'none' | 'required';
  readonly call_tool?: true;
  readonly rename_function?: string;
  readonly other_function?: true;
  readonly cut_document?: number;
  readonly double_encode?: true;
  readonly empty_arguments?: Json;
  readonly arguments_as_object?: true;
  readonly break_document?:
    'drop_member' | 'extra_member' | 'wrong_type' | 'wrong_enum' | 'all_strings' | 'nested_string';
  readonly wrong_values?: true;

  readonly finish_reason?: Json;
  readonly usage?: JsonObject | null;

  /** JSON Pointer -> value, in the body of an answer that is no stream. */
  readonly set?: Readonly<Record<string, Json>>;
  /** JSON Pointers to remove, in the body of an answer that is no stream. */
  readonly unset?: readonly string[];
  readonly content_blocks?: true;

  readonly comments?: string;
  readonly keep_events?: number;
  readonly drop_done?: true;
  readonly drop_finish?: true;
  readonly only_done?: true;
  readonly insert_event?: { readonly at: number; readonly data?: Json; readonly raw?: string };
  readonly append_event?: { readonly data?: Json; readonly raw?: string };
  readonly null_ids?: true;
  readonly drop_indexes?: true;
  readonly null_fields?: true;
  readonly usage_in_content?: true;
  readonly empty_finish?: true;
  readonly duplicate_index?: true;
  readonly drifting_index?: true;

  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly delay?: { readonly before_ms?: number; readonly between_ms?: number };
  readonly raw_body?: { readonly text?: string; readonly base64?: string };
  readonly cut_body?: number;
  readonly reset?: 'before_headers' | 'during_headers' | 'during_body';
  readonly stall?: 'before_headers' | 'during_body';
  readonly drip_ms?: number;
  readonly endless?: true;
  readonly huge_body_mb?: number;
  readonly gzip_bomb_mb?: number;
  readonly line_ends?: 'crlf' | 'cr';
}

export interface Fault {
  readonly when: When;
  readonly do: Do;
}

/** One model of the embedded service. */
export interface Profile {
  readonly id: string;
  /** What a reader should know about it, in one sentence. */
  readonly summary: string;
  /** The sentence of the specification, or the public report, that it acts out. */
  readonly source: string;
  /** Part of the demonstration. */
  readonly demo: boolean;
  readonly traits: Traits;
  readonly faults: readonly Fault[];
}
