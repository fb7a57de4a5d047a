/**
 * How a meaning is recognised: by the codes and types of an error, by the field it names, or by its words. The patterns
 * contain no vendor's whole sentences. Services echo field names in every language; words are given in several.
 */
export interface ErrorPattern {
  /** Matched against each code and type; one match is enough. */
  readonly codes?: readonly RegExp[];
  /** Matched against each name of a refused field. */
  readonly params?: RegExp;
  /** Matched against the messages; one match is enough. */
  readonly words?: readonly RegExp[];
}
