import type { Verdict } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import { doubtMeans, inDoubt, isInDoubt } from '../history/in-doubt.js';
import { type Past, pastOf } from '../history/past.js';
import type { PastRun } from '../history/history.js';
import { type RunRow, runRow } from '../history/run-row.js';
import { startOf } from '../history/since.js';
import { pastText, sinceText, startText } from '../history/since-text.js';
import { type Sparkline, sparkline } from '../history/sparkline.js';
import { matrixView } from '../view/matrix-view.js';
import { verdictMarks } from '../view/phrases.js';
import { type ModelView, modelViews } from '../view/model/model-view.js';
import { fileNameOf } from './file-name.js';

/** A run in the table of runs, with its page as seen from the front page. */
export type LinkedRow = RunRow & { readonly href: string | null; readonly isThis: false };

/** A mark of a strip, with what it says to those who do not see it. */
export interface StripMark {
  readonly verdict: Verdict | 'unknown';
  readonly glyph: string;
  readonly tip: string;
}

export interface ModelRow {
  readonly id: string;
  /** Its page, seen from the front page. */
  readonly href: string;
  readonly passing: string;
  readonly spark: Sparkline;
}

export interface ModelPage {
  readonly id: string;
  readonly file: string;
  readonly runs: readonly { readonly day: string; readonly href: string | null; readonly isInDoubt: boolean }[];
  /** null: no run is in doubt. */
  readonly doubtMeans: string | null;
  readonly rows: readonly {
    readonly capability: string;
    readonly condition: string | null;
    readonly strip: readonly StripMark[];
    readonly since: string;
  }[];
  readonly behaviours: readonly { readonly title: string; readonly since: string; readonly advice: string }[];
}

export interface SiteView {
  /** The newest first. */
  readonly runs: readonly LinkedRow[];
  readonly models: readonly ModelRow[];
  readonly pages: readonly ModelPage[];
  /** null: no run is in doubt. */
  readonly doubtMeans: string | null;
}

/**
 * The pages of several runs, without those of the runs themselves.
 * @param runs the oldest first; at least one
 * @param latest the report of the last of them
 */
export function siteView(runs: readonly PastRun[], latest: Report): SiteView {
  const own = runs.at(-1);
  if (own === undefined) throw new TypeError('a site needs a run');
  const past = pastOf({ runs: runs.slice(0, -1) }, own);
  const days = runs.map((run) => startText(startOf(run, runs)));
  const { rows } = matrixView(latest);
  const pages = latest.models.map(({ id }, index): ModelPage => ({
    id,
    file: `models/${fileNameOf(id)}.html`,
    runs: runs.map((run, column) => ({
      ...{ day: days[column] ?? '', href: run.page && `../${hrefOf(run)}`, isInDoubt: isInDoubt(run, id) },
    })),
    doubtMeans: runs.some((run) => isInDoubt(run, id)) ? doubtMeans : null,
    rows: rows.flatMap(({ capability, marks }) => {
      const mark = marks[index];
      if (mark === undefined) return [];
      const found = past.cells(mark.cells);
      return [{ capability, condition: mark.condition, strip: stripOf(found, days), since: pastText(found) }];
    }),
    behaviours: latest.behaviours
      .filter(({ model }) => model === id)
      .map(({ id: name, title, advice }) => {
        const since = past.behaviourSince(name, id);
        return { title, advice, since: since === null ? '' : sinceText(since) };
      }),
  }));
  return {
    runs: runs.map((run): LinkedRow => ({ ...runRow(run), href: hrefOf(run), isThis: false })).reverse(),
    models: modelViews(latest, past).map(modelRow),
    pages,
    doubtMeans: runs.some((run) => inDoubt(run).length > 0) ? doubtMeans : null,
  };
}

/** The page of a run inside `runs`, by the name of its folder. */
export function pageOf(folder: string): string {
  return `${/^\w[\w.-]*$/.test(folder) ? folder : fileNameOf(folder)}/index.html`;
}

const hrefOf = ({ page }: PastRun): string | null => (page === null ? null : `runs/${page}`);

function modelRow({ model: { id }, passed, judged, shares, doubted }: ModelView): ModelRow {
  return {
    ...{
      id,
      href: `models/${fileNameOf(id)}.html`,
      passing: `${passed} of ${judged}`,
      spark: sparkline(shares, doubted),
    },
  };
}

function stripOf({ strip }: Past, days: readonly string[]): StripMark[] {
  return strip.map((verdict, index) => {
    const { glyph, title } = verdict === null ? { glyph: ' ', title: 'not asked' } : verdictMarks[verdict];
    return { verdict: verdict ?? 'unknown', glyph, tip: `${days[index] ?? ''}: ${title}` };
  });
}
