/** The exit codes that other programs rely on. */
export const exitCodes = {
  ok: 0,
  /** A deviation, or (for diff) something that was lost. */
  deviation: 1,
  /** A mistake in options, config, suites or baseline, or a missing key. Nothing was sent. */
  usage: 2,
  /** Could not measure; run it again. */
  unmeasured: 3,
  interrupted: 130,
} as const;
