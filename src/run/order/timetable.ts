import { sum } from '../../stats/sum.js';

/** What is asked of a model under a limit per minute. */
export interface Progress {
  /** Requests that have begun. */
  readonly begun: number;
  /** Requests that are expected after them. */
  readonly left: number;
  /** Milliseconds that one takes on average. */
  readonly each: number;
}

/** The first opening gets so much less of the quick requests than the others: it has the opening controls of all models. */
const firstLess = 0.2;

/** What of each model is due by the end of the current part of the minute. */
export interface Timetable {
  /** Each of the next requests holds up one of the last minute. */
  readonly isOpening: boolean;
  /** Requests of each model that are due now, in the order in which the models were given; less than 0: it is ahead. */
  readonly due: readonly number[];
}

/**
 * A request of the last minute can follow no sooner than whole minutes after one that opened each minute before. So as
 * many requests as will be left for the last minute open each minute, and they are quick ones; the rest of a minute is for
 * slow ones. Each opening gets the same part of the quick requests of every model, and each rest of the slow ones: if the
 * quickest went first, the last minute would be left with the slowest of them, and if the slowest filled the first minute,
 * the slots would not suffice for it.
 * @param perMinute requests that a minute allows
 * @returns null when no further minute is needed
 */
export function timetableOf(models: readonly Progress[], perMinute: number): Timetable | null {
  const begun = sum(models.map((model) => model.begun));
  const all = begun + sum(models.map(({ left }) => left));
  const minute = Math.floor(begun / perMinute);
  const last = Math.ceil(all / perMinute) - 1;
  if (minute >= last) return null;
  const opening = all - last * perMinute;
  const isOpening = begun - minute * perMinute < opening;
  const openings = (minute + 1 - firstLess) / (last + 1 - firstLess);
  const rests = (isOpening ? minute : minute + 1) / last;
  let quickLeft = (last + 1) * opening;
  const due = new Array<number>(models.length);
  for (const { model, index } of quickestFirst(models)) {
    const total = model.begun + model.left;
    const quick = Math.min(total, quickLeft);
    quickLeft -= quick;
    due[index] = quick * openings + (total - quick) * rests - model.begun;
  }
  return { isOpening, due };
}

const quickestFirst = (models: readonly Progress[]) =>
  models.map((model, index) => ({ model, index })).sort((a, b) => a.model.each - b.model.each);
