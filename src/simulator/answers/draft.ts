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

/** A draft after stop texts and the token limit. */
export interface Choice extends Draft {
  readonly finishReason: Json;
}

/** The first choice, with the others and what holds for the whole answer. */
export interface Completion extends Choice {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly others: readonly Choice[];
  /** How calls and reasoning are written. */
  readonly form: AnswerForm;
  /** null: the field is absent. */
  readonly usage: JsonObject | null;
}

export interface AnswerForm {
  /** The member that holds the reasoning. */
  readonly reasoningField: string;
  /** The first call is `function_call`. */
  readonly legacyCalls: boolean;
}
