// What bench/engine/engine.mjs prints: a table like those of the other benches, then the ratios.
const columns = {
  'CPU s': ({ cpu }) => cpu.toFixed(2),
  'user s': ({ user }) => user.toFixed(2),
  'system s': ({ system }) => system.toFixed(2),
  'wall s': ({ wall }) => wall.toFixed(2),
  'peak MB': ({ peak }) => peak.toFixed(0),
  'requests a second': ({ rate }) => rate.toFixed(0),
  'CPU µs a request': ({ each }) => each.toFixed(0),
};
const sides = ['chatspec', 'bare'];
const ratios = {
  cpu: { title: 'CPU time, chatspec / bare', of: ({ chatspec, bare }) => chatspec.cpu / bare.cpu },
  rate: { title: 'requests a second, chatspec / bare', of: ({ chatspec, bare }) => chatspec.rate / bare.rate },
};

const line = (fields) => console.log(`| ${fields.join(' | ')} |`);

export function printHead() {
  const head = ['round', 'who', ...Object.keys(columns)];
  line(head);
  line(head.map(() => '---'));
}

export function printRound(name, round) {
  for (const side of sides) line([name, side, ...Object.values(columns).map((text) => text(round[side]))]);
}

/** The median of the ratios within each round, since other load on the machine slows both sides. */
export const middleRatios = (rounds) =>
  Object.fromEntries(Object.entries(ratios).map(([name, { of }]) => [name, median(rounds.map(of))]));

/** The median of each figure, by side. */
export const middleRound = (rounds) => Object.fromEntries(sides.map((side) => [side, middleOf(rounds, side)]));

/** The median of each figure, and of the ratios. */
export function printMiddle(rounds) {
  if (rounds.length > 1) printRound('median', middleRound(rounds));
  console.log();
  const middle = middleRatios(rounds);
  for (const [name, { title }] of Object.entries(ratios)) console.log(`${title}: ${middle[name].toFixed(2)}`);
}

function middleOf(rounds, side) {
  const keys = Object.keys(rounds[0][side]);
  return Object.fromEntries(keys.map((key) => [key, median(rounds.map((round) => round[side][key]))]));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
}
