/** A part of a plan, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Parts of a plan at most. */
export const mostShards = 9999;

/** Whether there can be such a part. */
export const isShard = ({ index, of }: Shard): boolean =>
  Number.isInteger(index) && Number.isInteger(of) && 1 <= index && index <= of && of <= mostShards;
