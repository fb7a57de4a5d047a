import { cpus, loadavg } from 'node:os';

/** The upper one of the two middle values, if there are two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** "Node 20.20.2, 2 cores (AMD EPYC)" */
export const machine = (): string => `Node ${process.versions.node}, ${cores()}`;

export const cores = (): string => `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`;

/** How much else the machine has had to do in the last minute. */
export const load = (): string => `load ${loadavg()[0]?.toFixed(1) ?? 'unknown'}`;

/** Below a table: where it was measured. */
export const measuredOn = (rounds: number): string => `Median of ${rounds} rounds, ${machine()}.`;
