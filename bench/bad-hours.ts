/** Hours that a night takes; the plan is asked in order. */
const hours = 8;
/** One night in ten has a bad hour. */
const badNights = 0.1;

/**
 * Draws the weather of one night. A fresh sample is asked right after what surprised, so in the same hour.
 * @param spoilt the share of answers that would have been right and are wrong in a bad hour
 */
export function badHours(random: () => number, cells: number, spoilt: number): (rate: number, index: number) => number {
  if (random() >= badNights) return (rate) => rate;
  const bad = Math.floor(random() * hours);
  return (rate, index) => (Math.floor((index * hours) / cells) === bad ? rate * (1 - spoilt) : rate);
}
