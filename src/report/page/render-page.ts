import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { once } from '../../json/remembered.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { visible, visibleAll } from '../safe/escape.js';
import { shownReport } from '../json/render-json.js';
import { sectionsOf } from '../sections/sections.js';
import { texts } from '../words/catalogue.js';
import { sayAll } from '../words/message.js';
import { pageData } from './page-data.js';
import { pageView } from './page-view.js';

const { browserTexts } = texts;

/**
 * One page that needs nothing else: no other file, no network, and no script to read what matters. Sends and writes
 * nothing.
 */
export async function renderPage(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'exchanges' | 'folder' | 'exit' | 'history' | 'summary' | 'pages'>,
): Promise<string> {
  const shown = shownReport(slim(report), context.redact, visible);
  const sections = sectionsOf(shown, context);
  const data = await pageData(shown, sections, context);
  const { template, style, script } = pageParts();
  const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; base-uri 'none'; form-action 'none'`;
  const view = visibleAll(pageView(shown, sections, data, context.folder));
  return template({ ...view, style, script, policy, packed: data.packed });
}

/** A page shows few of the exchanges of a cell, and there can be a million of them. */
function slim(report: Report): Report {
  const fewOf = (cell: ReportCell): ReportCell =>
    cell.exchanges.length <= 2 ? cell : { ...cell, exchanges: cell.exchanges.slice(0, 2) };
  return { ...report, cells: report.cells.map(fewOf) };
}

/** Only the page's own style and script run, known by their digests; nothing is loaded or sent. */
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** In the order in which they need each other. */
const scripts = ['page', 'cell', 'search', 'compare', 'start'];

/** Read and compiled once, when the first page is made. */
export const pageParts = once(() => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const own = Handlebars.create();
  own.registerHelper('coded', (text: string) => new own.SafeString(coded(text)));
  for (const name of ['strip', 'change', 'overview', 'matrix', 'models']) {
    own.registerPartial(name, read(`templates/${name}.hbs`));
  }
  const template = own.compile<object>(read('templates/page.hbs'), { strict: false });
  const style = read('style/page.css');
  const script = [
    `(() => {\n'use strict';\nconst said = ${JSON.stringify(sayAll(browserTexts))};`,
    ...scripts.map((name) => joinable(read(`browser/${name}.js`))),
    '})();',
  ].join('\n');
  return { template, style, script };
});

/** Text between backticks is code. */
function coded(text: string): string {
  return Handlebars.escapeExpression(text).replace(/&#x60;(.+?)&#x60;/g, '<code>$1</code>');
}

/** A module for the scope that all modules of the page share: each name is its own in all of them. */
function joinable(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}
