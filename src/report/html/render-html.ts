import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { visible, visibleAll } from '../safe/escape.js';
import { pastOf } from '../history/past.js';
import { summaryOf } from '../history/run-summary.js';
import { shownReport } from '../view/shown-report.js';
import { causesOf } from '../view/causes/causes-of.js';
import { verdictOf } from '../view/verdict/verdict-of.js';
import { examplesOf, exchangesOf, mostPlain } from './cause-view.js';
import { frameView, sectionViews } from './html-view.js';
import { matrixPage } from './matrix-page.js';
import { pageEvidence } from './page-evidence.js';
import { indexCells } from './page-index.js';
import { pageParts } from './page-parts.js';
import { openPack } from './store/pack.js';

/** Where the numbers of cards, and that of the index, begin: far above those of the evidence. */
const first = { card: 100_000_000, index: 200_000_000 };
/** How many exchanges of a cell a page can show. */
const mostNamed = 2;

/**
 * One page that needs nothing else: no other file, no network, and no script to read what matters most. It comes in pieces,
 * each rendered when the one before is taken.
 */
export async function* renderHtml(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'exchanges' | 'folder' | 'exit' | 'history' | 'summary'>,
): AsyncGenerator<string> {
  const { render, style, script, policy } = pageParts();
  const shown = shownReport(slim(report), context.redact, visible);
  const causes = causesOf(shown, context.folder, context.history?.runs);
  const examples = examplesOf(shown, causes);
  const exchanges = exchangesOf(shown, causes);
  const plain = new Set(
    [...examples.slice(0, mostPlain), ...exchanges.flat().map(({ id }) => id)].flatMap((id) => id ?? []),
  );
  const evidence = await pageEvidence(report, context, plain);
  const [cards, index] = [openPack(first.card), openPack(first.index)];
  const { folder, history = null, summary } = context;
  const past = history === null ? null : pastOf(history, summary ?? summaryOf(shown, context.exit));
  const verdict = verdictOf(shown, causes, context);
  const matrix = matrixPage(shown, past);
  const frame = visibleAll(frameView(shown));
  yield render('page-begin', { ...frame, style, csp: policy });
  const content = { verdict, causes, examples, exchanges, evidence, matrix, pack: cards, folder, past, history };
  for (const [name, view] of sectionViews(shown, content)) yield render(name, visibleAll(view));
  yield render('page-end', frame);
  const rows = matrix.families.flatMap((family) => family.rows.map(({ id }) => id));
  const counts = report.cells.map(({ exchanges }) => exchanges.length);
  index.add(indexCells(shown, evidence, { folder, past, pack: cards, rows, counts }));
  for (const pack of [...evidence.blocks, ...cards.blocks(), ...index.blocks()]) yield render('pack', pack);
  yield render('script', { script });
}

/** A page shows few of the exchanges of a cell, and there can be a million of them. */
function slim(report: Report): Report {
  const fewOf = (cell: ReportCell): ReportCell =>
    cell.exchanges.length <= mostNamed ? cell : { ...cell, exchanges: cell.exchanges.slice(0, mostNamed) };
  return { ...report, cells: report.cells.map(fewOf) };
}
