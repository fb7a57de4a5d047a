/** Passes among trials. */
export interface Count {
  readonly passed: number;
  readonly total: number;
}

/** All trials together; 0 of 0 where there are none. */
export function sumOf(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    total: counts.reduce((sum, { total }) => sum + total, 0),
  };
}
