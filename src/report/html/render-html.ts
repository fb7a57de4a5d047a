import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report } from '../../matrix/report-format.js';
import { pageEvidence } from './html-evidence.js';
import { htmlView } from './html-view.js';
import { shownReport } from '../view/shown-report.js';
import type { RenderContext } from '../render.js';
import { visibleAll } from '../safe/escape.js';

/** One page that needs nothing else: no other file, no network, no script to be read. */
export async function renderHtml(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'exchanges' | 'folder'>,
): Promise<string> {
  const { template, style, script } = await page();
  const evidence = await pageEvidence(report, context);
  const view = htmlView(shownReport(report, context.redact), evidence, context.folder);
  return template({ ...visibleAll(view), style, script, csp: policy(style, script) });
}

interface Page {
  readonly template: (view: object) => string;
  readonly style: string;
  readonly script: string;
}

let compiled: Promise<Page> | undefined;

/** Read and compiled once, when the first page is made. */
function page(): Promise<Page> {
  return (compiled ??= compile());
}

async function compile(): Promise<Page> {
  const { default: handlebars } = await import('handlebars');
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const own = handlebars.create();
  for (const name of ['deviation', 'cell', 'exchange']) own.registerPartial(name, read(`${name}.hbs`));
  const template = own.compile(read('page.hbs'), { knownHelpersOnly: true, preventIndent: true });
  return { template: (view) => template(view), style: read('style.css'), script: read('script.js') };
}

/** Only the page's own style and script run, known by their digests; nothing is loaded or sent. */
function policy(style: string, script: string): string {
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; style-src ${sha256(style)}; script-src ${sha256(script)}; base-uri 'none'; form-action 'none'`;
}
