/** The exit codes that other programs rely on. */
export const exitCodes = {
  ok: 0,
  /** A deviation, or something that was lost. */
  deviation: 1,
  /** Usage, config, suite, baseline, or a missing key: before anything is sent. */
  usage: 2,
  /** Could not measure. */
  unmeasured: 3,
  interrupted: 130,
} as const;
