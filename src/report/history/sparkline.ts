import { count } from '../view/phrases.js';

/** A line of an SVG of 100 by 24 units, the oldest run on the left, and what it says in words. */
export interface Sparkline {
  /** Data of a path, with a line for each unbroken row of values; a single value is a dot. */
  readonly path: string;
  readonly last: { readonly x: number; readonly y: number } | null;
  /** Runs in doubt. */
  readonly doubts: readonly { readonly x: number; readonly y: number }[];
  readonly text: string;
}

/**
 * @param shares 0 to 1 for each run; null where nothing was judged, which leaves a gap
 * @param doubted of each run, whether it is in doubt
 */
export function sparkline(shares: readonly (number | null)[], doubted: readonly boolean[] = []): Sparkline {
  const at = (share: number, index: number) => ({
    x: rounded(shares.length < 2 ? 50 : (index / (shares.length - 1)) * 96 + 2),
    y: rounded(22 - share * 20),
  });
  const lines: string[][] = [[]];
  shares.forEach((share, index) => {
    if (share === null) lines.push([]);
    else {
      const { x, y } = at(share, index);
      lines.at(-1)?.push(`${x},${y}`);
    }
  });
  const judged = shares.flatMap((share, index) => (share === null ? [] : [{ share, index }]));
  const [first, last] = [judged[0], judged.at(-1)];
  const doubts = judged.filter(({ index }) => doubted[index] === true);
  const unbroken = lines.filter((line) => line.length > 0);
  return {
    path: unbroken.map((line) => `M${line.length === 1 ? `${line.join()}h0` : line.join('L')}`).join(''),
    last: last === undefined ? null : at(last.share, last.index),
    doubts: doubts.map(({ share, index }) => at(share, index)),
    text:
      first === undefined || last === undefined
        ? 'never judged'
        : `${percent(last.share)} of the judged cells pass` +
          (first === last ? '' : `; ${percent(first.share)} ${count(last.index - first.index, 'run')} before`) +
          (doubts.length === 0 ? '' : `; ${count(doubts.length, 'run')} in doubt`),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const percent = (share: number): string => `${Math.floor(share * 100)} %`;
