import type { Report } from '../../src/index.js';

/** The parts of a report that must be the same on one machine and on several. */
export function lasting({ models: asked, cells, capabilities, behaviours, recommendations, spend, wire, run }: Report) {
  const { requests, usage, complete, profile, seed, digests } = run;
  return {
    ...{
      asked,
      spend,
      wire: wire?.map((quirk) => ({ ...quirk, exchange: null })),
      capabilities,
      behaviours,
      recommendations,
      requests,
      usage,
      complete,
      profile,
      seed,
      digests,
    },
    cells: cells.map((cell) => ({
      ...cell,
      // The run before this one may differ.
      runs_in_a_row: null,
      exchanges: cell.exchanges.length,
      failures: cell.failures.map((failure) => ({
        ...{ ...failure, exchange: null, exchanges: failure.exchanges.length },
        ...{ traceresponse: null, response_id: null },
      })),
    })),
  };
}
