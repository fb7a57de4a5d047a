/** What came of the requests of one kind to a model, first attempts and later ones. */
export interface KindSeen {
  readonly first: { answered: number; refused: number };
  readonly later: { answered: number; refused: number };
  /** Other kinds were answered after its first refusal. */
  othersAnswered: boolean;
  refusedAsSuch: boolean;
}
