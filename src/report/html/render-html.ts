import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { visibleAll } from '../safe/escape.js';
import { pastOf } from '../history/past.js';
import { summaryOf } from '../history/run-summary.js';
import { shownReport } from '../view/shown-report.js';
import { causesOf } from './cause-list.js';
import { htmlView } from './html-view.js';
import { pageEvidence } from './page-evidence.js';
import { indexCells } from './page-index.js';
import { pageParts } from './page-parts.js';
import { openPack } from './store/pack.js';

/** Where the numbers of cards, and that of the index, begin: far above those of the evidence. */
const first = { card: 100_000_000, index: 200_000_000 };
/** How many causes show a request and a response without JavaScript. */
const mostPlain = 150;

/** One page that needs nothing else: no other file, no network, and no script to read what matters most. */
export async function renderHtml(
  report: Report,
  context: Pick<RenderContext, 'redact' | 'exchanges' | 'folder' | 'exit' | 'history' | 'summary'>,
): Promise<string> {
  const { template, style, script, policy } = await pageParts();
  const shown = visibleAll(shownReport(report, context.redact));
  const causes = causesOf(shown);
  const plain = new Set(causes.slice(0, mostPlain).flatMap(({ exchange }) => exchange ?? []));
  const evidence = await pageEvidence(report, context, plain);
  const [cards, index] = [openPack(first.card), openPack(first.index)];
  const { folder, history = null, summary } = context;
  const past = history === null ? null : pastOf(history, summary ?? summaryOf(shown, context.exit));
  const page = htmlView(shown, causes, { evidence, folder, past, history });
  const rows = page.matrix.families.flatMap((family) => family.rows.map(({ id }) => id));
  index.add(indexCells(shown, evidence, { folder, past, pack: cards, rows }));
  const packs = [...evidence.blocks, ...(await cards.blocks()), ...(await index.blocks())];
  const view = visibleAll(page);
  return template({ ...view, packs, style, script, csp: policy });
}
