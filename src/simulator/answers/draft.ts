import type { Json, JsonObject } from '../../json/json.js';

export interface DraftCall {
  readonly id: string | null;
  readonly name: string | null;
  /** JSON as text; faults may put any value here. */
  readonly arguments: Json;
}

/** What the model is about to answer, before the token limit is applied. */
export interface Draft {
  readonly content: string | null;
  /** null: the model does not think, or does not show its reasoning. */
  readonly reasoning: string | null;
  readonly refusal: string | null;
  /** null: the field is absent. */
  readonly toolCalls: readonly DraftCall[] | null;
}

/** A draft after the token limit, with its usage. */
export interface Completion extends Draft {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly finishReason: Json;
  /** null: the field is absent. */
  readonly usage: JsonObject | null;
}

/** The text that the client parses: the first call's arguments, else the content. */
export function documentText(draft: Draft): string | null {
  const call = draft.toolCalls?.[0];
  if (call !== undefined) return typeof call.arguments === 'string' ? call.arguments : null;
  return draft.content;
}

/** The same draft with another document text. */
export function withDocumentText<T extends Draft>(draft: T, text: string): T {
  const [call, ...others] = draft.toolCalls ?? [];
  return call === undefined
    ? { ...draft, content: text }
    : { ...draft, toolCalls: [{ ...call, arguments: text }, ...others] };
}
