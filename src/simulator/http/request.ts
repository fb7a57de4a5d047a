import type { Json, JsonObject } from '../../json/json.js';

export interface Message {
  readonly role: string;
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

export type ToolChoice =
  { readonly kind: 'absent' | 'none' | 'auto' | 'required' } | { readonly kind: 'object'; readonly name: string };

export type ResponseFormat =
  | { readonly kind: 'text' | 'json_object' }
  | { readonly kind: 'json_schema'; readonly name: string; readonly strict: boolean; readonly schema: Json };

/** A request as far as it can be understood; what is malformed reads as absent. */
export interface ChatRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat;
  readonly stream: boolean;
  /** Smallest of `max_tokens` and `max_completion_tokens`; null without either. */
  readonly maxTokens: number | null;
  /** Value of the authorization header; null without one. */
  readonly authorization: string | null;
}
