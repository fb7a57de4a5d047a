/** How long the answers of a model to one kind of request took, and how many tokens they are. */
export interface AnswerTimes {
  /** The form that was asked for; `thinking.LABEL`: all answers of cells with this label, whatever their form. */
  readonly kind: 'text' | 'json_schema' | 'json_object' | 'tools' | `thinking.${string}`;
  /** null: streamed or not. */
  readonly stream: boolean | null;
  readonly answers: number;
  /** Milliseconds until the answer's headers; null where none of the answers tells. */
  readonly first_byte_ms: Quantiles | null;
  /** Milliseconds until the end of the answer. */
  readonly total_ms: Quantiles | null;
  /** Tokens of the answer by its seconds, the time until the first included; null without usage. */
  readonly tokens_per_second: Quantiles | null;
  /** The mean of the answers that report their usage; null: none does. */
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly reasoning: number } | null;
}

/** What half of the values, and 95 of 100, do not exceed; within 1 %. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}
