import type { Change } from '../../matrix/changes/change.js';
import { changesOf } from '../../matrix/changes/find-changes.js';
import type { Report } from '../../matrix/report-format.js';
import { type RunSummary, runSummaryOf } from '../../matrix/run-summary.js';
import type { RenderContext } from '../render.js';
import { type Names, reportNames } from './names.js';

/** The facts of which a format makes the sections that it prints. */
export interface ShownRun {
  /** As people see it: redacted. */
  readonly report: Report;
  readonly names: Names;
  /** Earlier runs and this one, the oldest first. */
  readonly runs: readonly RunSummary[];
  readonly changes: readonly Change[];
  readonly folder: string | null;
}

/** @param report as people see it: redacted */
export function shownRun(
  report: Report,
  { folder = null, history, exit, summary }: Partial<Pick<RenderContext, 'folder' | 'history' | 'exit' | 'summary'>>,
): ShownRun {
  const runs = [...(history?.runs ?? []), summary ?? runSummaryOf(report, exit)];
  return { report, names: reportNames(report), runs, changes: changesOf(report, runs), folder };
}
