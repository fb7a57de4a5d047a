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
  /** The same by cell, so that two models are compared by the same requests; absent of `thinking.LABEL`, and in reports of older versions. */
  readonly cells?: readonly CellTimes[];
}

/** The answers of one cell to one kind of request. */
export interface CellTimes {
  /** Its key. */
  readonly cell: string;
  readonly answers: number;
  /** Milliseconds until the answers' headers, as in `spread`; empty where none of them tells. */
  readonly first_byte_ms: readonly number[];
  /** Milliseconds until the end of the answers, as in `spread`. */
  readonly total_ms: readonly number[];
  /** The mean of the answers that report their usage, to two digits; null: none does. */
  readonly tokens: AnswerTimes['tokens'];
}

/** What half of the values, and 95 of 100, do not exceed; within 1 %. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  /**
   * Values to draw, the smallest first: one for each answer, or 20 that each stand for as many answers; absent in reports
   * of older versions.
   */
  readonly spread?: readonly number[];
}
