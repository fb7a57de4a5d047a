import { readFileSync } from 'node:fs';
import type { Report } from '../../matrix/report-format.js';
import { pageParts, policyOf } from '../html/page-parts.js';
import type { Redact } from '../safe/redact.js';
import { visibleAll } from '../safe/escape.js';
import { count } from '../view/phrases.js';
import { shownReport } from '../view/shown-report.js';
import { cellsSentence } from '../view/summary.js';
import { siteView } from './site-view.js';
import type { PastRun } from '../history/history.js';

/** One file of a site, by its path with forward slashes. */
export interface SiteFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The front page of several runs and the page of each model. The pages of the runs are those of `renderHtml`, in `runs`.
 * @param runs the oldest first; at least one
 * @param latest the report of the last of them
 */
export function renderSite(runs: readonly PastRun[], latest: Report, redact: Redact): SiteFile[] {
  const { style, compile } = pageParts();
  const template = (name: string) => compile(readFileSync(new URL(`templates/${name}.hbs`, import.meta.url), 'utf8'));
  const shown = shownReport(latest, redact);
  const { pages, ...front } = visibleAll(siteView(runs, shown));
  const around = { style, csp: policyOf(style) };
  const [index, model] = [template('index'), template('model')];
  return [
    {
      path: 'index.html',
      text: index({
        ...{ ...front, ...around, title: `chatspec: ${count(front.runs.length, 'run')}`, caption: null },
        ...{ latest: front.runs[0], sentence: cellsSentence(shown) },
      }),
    },
    ...pages.map((page) => ({ path: page.file, text: model({ ...page, ...around, title: `chatspec: ${page.id}` }) })),
  ];
}
