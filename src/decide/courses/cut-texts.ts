import type { Count } from '../../stats/count.js';
import { between, doubled, isOverLimit, isRejected, looksGood, prove, type Search } from './axis-search.js';
import type { Asking } from './sample.js';

/**
 * A cap at which one text in many is cut passes the test, and is still too low for that text. A failure at the value is
 * of that kind if its text fails there each time and passes at a larger value, at most twice as large. On a slope, where
 * some smaller value passes at times, it is enough that the cap ended the answer: that is the end of the slope. Elsewhere
 * some answers run on to whatever the cap is, and any other failure may happen at every value, so that neither moves the
 * value found.
 * @returns the smallest value that is enough for these texts and proves reliable; the given one if there is none
 */
export function* raiseForCutTexts(search: Search, value: number): Asking<number> {
  const top = search.counts.values().findLast((x) => x > value && x <= 2 * value) ?? doubled(value, search.spec);
  const texts = yield* cutTexts(search, value, top);
  if (texts.length === 0) return value;
  const enough = yield* leastEnough(search, texts, value, top);
  if (!(yield* prove(search, enough)) || !looksGood(search, enough)) return value;
  return yield* raiseForCutTexts(search, enough);
}

/** By Fisher's exact test, chance lets a text fail so often here and pass so often there in one of 70 comparisons. */
const timesEach = 4;

/** The texts that are cut at the value on a slope, or fail there each time, and pass at the top each time. */
function* cutTexts(search: Search, value: number, top: number): Asking<readonly number[]> {
  const cut: number[] = [];
  const isOnSlope = search.counts.values().some((x) => x < value && isRejected(search, x));
  for (const text of top > value ? search.counts.textsFailingAt(value) : []) {
    // Most failures are chance, which one more trial shows at the top or here.
    const isCut =
      (yield* gives(search, { x: top, text, times: 1, passes: true })) &&
      ((isOnSlope && search.counts.isOnlyCutAt(value, text)) ||
        (yield* gives(search, { x: value, text, times: timesEach, passes: false }))) &&
      (yield* gives(search, { x: top, text, times: timesEach, passes: true }));
    if (isCut) cut.push(text);
  }
  return cut;
}

interface Wanted {
  readonly x: number;
  readonly text: number;
  readonly times: number;
  readonly passes: boolean;
}

/** Whether a text passes (or fails) at a value so many times, and never the other way. Asks as long as it may. */
function* gives(search: Search, { x, text, times, passes }: Wanted): Asking<boolean> {
  const isSo = ({ passed, total }: Count) => passed === (passes ? total : 0);
  for (;;) {
    const seen = search.counts.textAt(x, text);
    if (!isSo(seen)) return false;
    if (seen.total >= times) return true;
    if (isOverLimit(search) || !(yield* search.askText(x, text))) return false;
  }
}

/** Asks with these texts alone: first at the values asked already, then halfway between. */
function* leastEnough(search: Search, texts: readonly number[], value: number, top: number): Asking<number> {
  let [low, high] = [value, top];
  for (const x of search.counts.values().filter((one) => one > value && one < top)) {
    if (yield* areEnough(search, texts, x)) {
      high = x;
      break;
    }
    low = x;
  }
  for (let x = between(low, high, search.spec); x !== null; x = between(low, high, search.spec)) {
    if (yield* areEnough(search, texts, x)) high = x;
    else low = x;
  }
  return high;
}

function* areEnough(search: Search, texts: readonly number[], x: number): Asking<boolean> {
  for (const text of texts) if (!(yield* gives(search, { x, text, times: 1, passes: true }))) return false;
  return true;
}
