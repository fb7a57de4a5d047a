/** A part of a diff: what changed in one way. */
export interface Section {
  readonly title: string;
  readonly kind: 'lost' | 'gained' | 'other';
  readonly rows: readonly Row[];
}

/** What, and how it changes. */
export type Row = readonly [what: string, ...changes: string[]];
