/** Hours that a night takes; the plan is asked in order. */
const hours = 8;
/** One night in ten has a bad hour. */
const badNights = 0.1;

/**
 * Draws whether one night has a bad hour, and when. A fresh sample follows right after the trials that led to it, so it
 * is asked in the same hour.
 * @param spoilt the share of answers that would have been right and are wrong in a bad hour
 */
export function badHours(random: () => number, cells: number, spoilt: number): (rate: number, index: number) => number {
  if (random() >= badNights) return (rate) => rate;
  const bad = Math.floor(random() * hours);
  return (rate, index) => (Math.floor((index * hours) / cells) === bad ? rate * (1 - spoilt) : rate);
}
