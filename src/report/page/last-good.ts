import { join } from 'node:path';
import { groupBy } from '../../json/group-by.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Change } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import { verdictIn } from '../../matrix/run-summary.js';
import type { PastRun, RenderContext } from '../render.js';

/** An answer of an earlier run, to a check that passed then and does not now. */
export interface LastGood {
  readonly cell: string;
  /** When its run began (ISO 8601). */
  readonly time: string;
  readonly record: ExchangeRecord;
}

/** A page reads so many earlier runs for them, and looks for the answers of so many checks. */
const most = { runs: 3, cells: 60 };

/** The last good answers of changed checks; nothing where the earlier run or its journal is gone. */
export async function lastGoodAnswers(
  report: Pick<Report, 'cells'>,
  changes: readonly Change[],
  { history, earlier }: Pick<RenderContext, 'history' | 'earlier'>,
): Promise<readonly LastGood[]> {
  if (!history || earlier === undefined) return [];
  const changed = new Set(changes.flatMap(({ cells }) => cells));
  const falling = report.cells
    .filter(({ key, verdict }) => changed.has(key) && isFalling(verdict))
    .slice(0, most.cells);
  const wanted = falling.flatMap(({ key }) => {
    const run = history.runs.findLast(({ cells }) => cells[key] !== undefined && verdictIn(cells[key]) === 'pass');
    return run === undefined ? [] : [{ key, run }];
  });
  const byRun = [...groupBy(wanted, ({ run }) => run)].slice(0, most.runs);
  const found = await Promise.all(
    byRun.map(([run, some]) =>
      answersIn(
        run,
        some.map(({ key }) => key),
        { from: history.from, earlier },
      ),
    ),
  );
  return found.flat();
}

const isFalling = (verdict: Report['cells'][number]['verdict']): boolean => verdict === 'fail' || verdict === 'flaky';

async function answersIn(
  { folder, run }: PastRun,
  keys: readonly string[],
  { from, earlier }: { readonly from: string; readonly earlier: NonNullable<RenderContext['earlier']> },
): Promise<readonly LastGood[]> {
  const before = earlier(join(from, folder));
  try {
    const { cells } = await before.report();
    const wanted = new Set(keys);
    const byExchange = new Map(
      cells.flatMap(({ key, exchanges }) => {
        const last = exchanges.at(-1);
        return wanted.has(key) && last !== undefined ? [[last, key] as const] : [];
      }),
    );
    const good: LastGood[] = [];
    for await (const record of before.exchanges(new Set(byExchange.keys()))) {
      const cell = byExchange.get(record.id);
      if (cell !== undefined) good.push({ cell, time: run.started_at, record });
    }
    return good;
  } catch {
    // A page of today does not fail because of an old run.
    return [];
  }
}
