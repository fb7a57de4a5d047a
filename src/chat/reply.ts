import type { Json, JsonObject } from '../json/json.js';

export interface ToolCall {
  readonly id: string | null;
  readonly name: string | null;
  /** The arguments as sent; undefined when null or absent. */
  readonly arguments: Json | undefined;
}

/** How a streamed answer ended; `plain` for an answer that was not streamed. */
export type Ending = 'plain' | 'finish_reason_and_done' | 'finish_reason_only' | 'done_only' | 'open';

/** One completion, plain or assembled from chunks: the two must be indistinguishable from here on. */
export interface Reply {
  readonly id: string | null;
  readonly request_id: string | null;
  readonly object: string | null;
  readonly model: string | null;
  readonly system_fingerprint: string | null;
  /** Who answered behind a router, where the router says it. */
  readonly provider?: string;
  readonly role: string | null;
  /** Text parts joined; null when the field is null or absent. */
  readonly content: string | null;
  /** `reasoning_content` or a field of the same meaning. */
  readonly reasoning: string | null;
  readonly refusal: string | null;
  readonly tool_calls: readonly ToolCall[];
  /** null when null, absent or empty. */
  readonly finish_reason: string | null;
  /** The finish reason of the service behind a router, where the router passes it on. */
  readonly native_finish_reason?: string;
  /** Whole, as sent. */
  readonly usage: JsonObject | null;
  readonly choices: number;
  readonly streamed: boolean;
  readonly ending: Ending;
  /** Chunks with an empty `choices` array, which were skipped. */
  readonly empty_chunks: number;
  /** Tolerated oddities seen while reading. */
  readonly quirks: readonly string[];
}

/** The kinds of bodies of a 200. */
export type Reading =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** An error object where a completion was expected, alone or as an event of a stream. */
  | { readonly kind: 'error'; readonly error: Json; readonly partial: Reply | null }
  | {
      readonly kind: 'malformed';
      readonly detail: string;
      readonly partial: Reply | null;
      /** Only a Chat Completions service sends such a body. */
      readonly hasChoices?: true;
    }
  /** chatspec itself failed to read it, which says nothing about the service. */
  | { readonly kind: 'unread'; readonly error: unknown; readonly partial: null };
