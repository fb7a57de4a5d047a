/** Answers of a model that repeat an earlier answer of the run, id and all, as a cache gives them. */
export interface RepeatedAnswers {
  readonly repeated: number;
  /** Whole answers of the model that carry an id. */
  readonly of: number;
  /** Those among the repeated that answer another request than the answer that they repeat. */
  readonly of_others: number;
  /** Ids of two exchanges: one that repeats an answer, and the first with that answer. */
  readonly example: { readonly exchange: string; readonly repeats: string };
}
