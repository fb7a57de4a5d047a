import type { Report, ReportCell } from '../../matrix/report-format.js';
import { type EvidenceExchange, evidenceExchange } from '../evidence/evidence-bundle.js';
import type { RenderContext } from '../render.js';
import { cappedAll } from '../safe/capped.js';

/** How many exchanges a cell shows, and how many characters of each and of all together the page holds. */
const most = { failing: 2, passing: 1, textOfOne: 4000, all: 2_500_000 };

/** Exchanges by id, short enough for one page. */
export type PageEvidence = ReadonlyMap<string, PageExchange>;

export interface PageExchange {
  readonly exchange: EvidenceExchange;
  readonly request: string;
  readonly response: string;
}

/** The exchanges that the page shows for a cell, failed ones first. */
export function shownIds(cell: ReportCell): string[] {
  const failing = cell.failures.flatMap(({ exchange }) => exchange ?? []);
  if (failing.length > 0) return failing.slice(0, most.failing);
  return cell.exchanges.slice(0, cell.verdict === 'pass' ? most.passing : most.failing);
}

/**
 * Reads the journal once. If the page gets full, exchanges of passing cells are left out first, because failures are
 * looked up before them.
 */
export async function pageEvidence(
  report: Report,
  { exchanges, redact }: Pick<RenderContext, 'exchanges' | 'redact'>,
): Promise<PageEvidence> {
  const cellOf = new Map<string, ReportCell>();
  const failed = report.cells.filter(({ verdict }) => verdict !== 'pass');
  const passed = report.cells.filter(({ verdict }) => verdict === 'pass');
  const found = new Map<string, PageExchange>();
  let room = most.all;
  for (const cells of [failed, passed]) {
    const wanted = new Set<string>();
    for (const cell of cells) {
      for (const id of shownIds(cell)) {
        wanted.add(id);
        cellOf.set(id, cell);
      }
    }
    if (wanted.size === 0 || room <= 0) continue;
    for await (const record of exchanges(wanted)) {
      const cell = cellOf.get(record.id);
      if (!cell || room <= 0) continue;
      const one = pageExchange(evidenceExchange(record, cell, redact, most.textOfOne));
      room -= one.request.length + one.response.length + one.exchange.curl.length + 600;
      found.set(record.id, one);
    }
  }
  return found;
}

function pageExchange(exchange: EvidenceExchange): PageExchange {
  const { response } = exchange;
  const answer = [
    response.failure === null ? '' : `(${response.failure})\n`,
    Object.entries(response.headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
    '\n',
    response.body,
    response.content === null ? '' : `\n\nPut together:\n${response.content}`,
  ];
  const curl = cut(exchange.curl);
  return {
    exchange: {
      ...cappedAll({ ...exchange, request: null, response: { ...response, body: '', content: null } }),
      curl: curl === exchange.curl ? curl : '',
    },
    request: cut(JSON.stringify(exchange.request, null, 2)),
    response: cut(answer.join('')),
  };
}

function cut(text: string): string {
  const over = text.length - most.textOfOne;
  return over <= 0
    ? text
    : `${text.slice(0, most.textOfOne)}\n[... ${over.toLocaleString('en')} more characters in the journal]`;
}
