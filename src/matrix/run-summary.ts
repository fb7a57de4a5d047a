import { verdicts, type Verdict } from '../cell/verdict.js';
import type { RecordedMemory } from '../journal/event.js';
import { memoryOf } from './remembered.js';
import type { Report, ReportModel } from './report-format.js';
import { exitCode, silentParts, type ExitConditions } from './run-exit-code.js';
import { deviationId, deviationsOf, type Deviation } from './standing/deviations.js';

/**
 * Facts of a run for later reports: the public format `chatspec-summary/1`, the content of summary.json. It is a
 * hundredth of a report, so that a page can show thirty runs, and it stays when the rest of an old run folder is
 * thinned out.
 */
export interface RunSummary {
  readonly format: 'chatspec-summary/1';
  readonly run: {
    readonly id: string;
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly complete: boolean;
    readonly profile: string;
    readonly requests: number;
    readonly total_tokens: number;
    /** In the currency of the configured prices; null when no price is configured. */
    readonly cost: number | null;
    /** A part of a run, which `chatspec merge` joins with the others. */
    readonly shard: boolean;
    /** Only what an earlier run left open was asked; absent: whatever the filters let through. */
    readonly partial?: true;
    /** As in report.json; absent: none, or a summary of an older version. */
    readonly filters?: NonNullable<Report['run']['filters']>;
  };
  /** null: not known, because the run was made by an earlier version. */
  readonly exit_code: 0 | 1 | 3 | 130 | null;
  /** How many there were of each kind. */
  readonly deviations: Readonly<Record<Deviation['kind'], number>>;
  /**
   * Each of them: its kind, and the cell, the model, or `QUIRK@TARGET/MODEL`; absent in summaries of older versions.
   */
  readonly deviating?: readonly string[];
  /** Cells that were never answered, by more than a bad moment; absent: none, or a summary of an older version. */
  readonly unmeasured?: readonly string[];
  /** By `TARGET/MODEL`. */
  readonly models: Readonly<Record<string, ModelSummary>>;
  /** By behaviour: the models that showed it. */
  readonly behaviours: Readonly<Record<string, readonly string[]>>;
  /** By cell key: "pass 3/3", the verdict with how many of the judged trials passed. */
  readonly cells: Readonly<Record<string, CellSummary>>;
  /** Cells that the run asked of its own accord, to explain others; absent: none. */
  readonly asked_for?: readonly string[];
  /** Knowledge for the next run: that of each cell, and the open doubts. */
  readonly memory: RecordedMemory;
}

export interface ModelSummary {
  readonly reachable: boolean;
  /**
   * More of its answers failed than chance explains, which is no alarm yet; absent: no, or a summary of an older
   * version.
   */
  readonly in_doubt?: true;
  /** Time of one of its answers; absent: none was seen, or the summary is of an older version. */
  readonly answer_ms?: number;
}

export type CellSummary = `${Verdict} ${number}/${number}`;

/** @param exit the conditions under which the run ended; undefined: not known */
export function runSummaryOf(report: Report, exit: ExitConditions | undefined): RunSummary {
  const { run, models, cells, behaviours } = report;
  const counts = { regression: 0, changed: 0, improvement: 0, new: 0, gone: 0, wire: 0 };
  const found = deviationsOf(report);
  const askedFor = cells.flatMap(({ key, asked_for: reason }) => (reason === undefined ? [] : key));
  const unmeasured = silentParts(report).flatMap((part) => part.cells.map(({ key }) => key));
  for (const { kind } of found) counts[kind] += 1;
  const shownBy: Record<string, string[]> = {};
  for (const { id, model } of behaviours) (shownBy[id] ??= []).push(model);
  return {
    format: 'chatspec-summary/1',
    run: {
      id: run.id,
      started_at: run.started_at,
      finished_at: run.finished_at,
      complete: run.complete,
      profile: run.profile,
      requests: run.requests,
      total_tokens: run.usage.total_tokens,
      cost: run.cost,
      shard: run.shard !== undefined,
      ...(run.last_failed && { partial: true }),
      ...(run.filters !== undefined && { filters: run.filters }),
    },
    exit_code: exit === undefined ? null : exitCode(report, exit),
    deviations: counts,
    deviating: found.map(deviationId).sort(),
    ...(unmeasured.length > 0 && { unmeasured }),
    models: Object.fromEntries(models.map((model) => [model.id, modelSummary(model, report.latency ?? [])])),
    behaviours: shownBy,
    cells: Object.fromEntries(
      cells.map(({ key, verdict, trials }): [string, CellSummary] => [
        key,
        `${verdict} ${trials.passed}/${trials.total}`,
      ]),
    ),
    ...(askedFor.length > 0 && { asked_for: askedFor }),
    memory: memoryOf(report),
  };
}

function modelSummary(
  { id, reachable, shared_failures: found = [] }: ReportModel,
  latency: NonNullable<Report['latency']>,
): ModelSummary {
  const answer_ms = usualAnswerMs(latency.filter(({ model }) => model === id));
  return {
    reachable,
    ...(found.some(({ alarm }) => !alarm) && { in_doubt: true }),
    ...(answer_ms !== null && { answer_ms }),
  };
}

/** The medians of all forms, each weighed by its answers; null: no answer was seen. */
function usualAnswerMs(latency: NonNullable<Report['latency']>): number | null {
  // The answers of a thinking label are those of the forms once more.
  const forms = latency.flatMap(({ kind, answers, total_ms: took }) =>
    kind.startsWith('thinking.') || took === null ? [] : [{ answers, median: took.p50 }],
  );
  const answers = forms.reduce((sum, one) => sum + one.answers, 0);
  if (answers === 0) return null;
  return Math.round(forms.reduce((sum, one) => sum + one.answers * one.median, 0) / answers);
}

/** A name that the JSON Schema of summaries allows. */
export function verdictIn(cell: CellSummary): Verdict {
  return verdicts.find((verdict) => cell.startsWith(`${verdict} `)) ?? 'not_run';
}

/** "3/3": the counts of such a cell. */
export const passedOfTotalIn = (cell: CellSummary): string => cell.slice(cell.indexOf(' ') + 1);

/** The runs that say what deviated: none of older versions, and no shards. */
export function comparable<Run extends RunSummary>(earlier: readonly Run[]): readonly Run[] {
  return earlier.filter((run) => !run.run.shard && run.deviating !== undefined);
}
