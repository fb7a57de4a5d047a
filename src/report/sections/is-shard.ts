import type { Report } from '../../matrix/report-format.js';

/** Whether a report is that of a shard, which only a note says. */
export function isShard({ run }: Pick<Report, 'run'>): boolean {
  return run.notes.some((note) => /^shard \d+ of \d+: join /.test(note));
}
