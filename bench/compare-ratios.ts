import { benchOf, type Ratio } from './tracked-ratios.js';

/** The ratios of bench/ratios.json by name. */
export type TrackedRatios = Readonly<Record<string, number>>;

export interface Comparison {
  /** Name, tracked, now, change: sorted by name. */
  readonly rows: readonly (readonly [string, string, string, string])[];
  /** A sentence for each ratio that is lost or was not measured. */
  readonly problems: readonly string[];
}

/** Less is what a machine with other work does by itself. */
const mostLost = 0.2;

/** Compares what the benches in `ran` measured with what is tracked of them. */
export function compareRatios(
  tracked: TrackedRatios,
  now: ReadonlyMap<string, Ratio>,
  ran: readonly string[],
): Comparison {
  const due = Object.keys(tracked).filter((name) => ran.includes(benchOf(name)));
  const names = [...new Set([...due, ...now.keys()])].sort();
  const compared = names.map((name) => compareOne(name, tracked[name], now.get(name)));
  return {
    rows: compared.map(({ row }) => row),
    problems: compared.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  };
}

interface One {
  readonly row: Comparison['rows'][number];
  readonly problem?: string;
}

function compareOne(name: string, before: number | undefined, now: Ratio | undefined): One {
  if (now === undefined) {
    const problem = `${name} is tracked, but the bench "${benchOf(name)}" did not measure it: if it is gone on purpose, run that bench with --write.`;
    return { row: [name, shown(before), '', 'not measured'], problem };
  }
  if (before === undefined) return { row: [name, '', shown(now.ratio), 'new: --write tracks it'] };
  const gain = (now.better === 'higher is better' ? 1 : -1) * (now.ratio / before - 1);
  const percent = `${Math.abs(100 * gain).toFixed(0)} %`;
  const row: One['row'] = [name, shown(before), shown(now.ratio), `${percent} ${gain < 0 ? 'worse' : 'better'}`];
  if (gain >= -mostLost - Number.EPSILON) return { row };
  const problem = `${name} is ${percent} worse: ${shown(now.ratio)}, tracked ${shown(before)} (${now.better}; at most ${100 * mostLost} % may be lost).`;
  return { row, problem };
}

const shown = (ratio: number | undefined): string => (ratio === undefined ? '' : String(rounded(ratio)));
const rounded = (ratio: number): number => Number(ratio.toPrecision(3));

/** The tracked ratios after the benches in `ran` measured theirs; those of other benches stay. Sorted by name. */
export function updatedRatios(
  tracked: TrackedRatios,
  now: ReadonlyMap<string, Ratio>,
  ran: readonly string[],
): TrackedRatios {
  const kept = Object.entries(tracked).filter(([name]) => !ran.includes(benchOf(name)));
  const fresh = [...now].map(([name, { ratio }]): [string, number] => [name, rounded(ratio)]);
  return Object.fromEntries([...kept, ...fresh].sort(([a], [b]) => (a < b ? -1 : 1)));
}
