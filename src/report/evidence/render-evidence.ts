import type { ReportCell } from '../../matrix/report-format.js';
import type { EvidenceBundle, EvidenceExchange } from './evidence-bundle.js';
import { capped, cappedAll } from '../safe/capped.js';
import { markdown, markdownBlock, markdownCode, markdownTable } from '../safe/escape.js';
import { texts } from '../words/catalogue.js';
import { whatFailed } from '../words/facts.js';
import { say } from '../words/message.js';
import { writtenJson } from '../../json/json.js';

const { evidence } = texts;

/** Where a text that was cut is whole. */
const evidenceJsonHint = 'chatspec evidence --json shows all';

/**
 * The bundle as a Markdown document for the service's support. Bodies are whole; other texts are cut if they are long.
 */
export function renderEvidence({ cell, run, of, exchanges }: EvidenceBundle): string {
  return [
    ...(cell === null ? ['# Evidence for a control', ''] : cellLines(cappedAll(cell, evidenceJsonHint))),
    `- Run: ${markdownCode(run)}; ${say(evidence.exchanges, { shown: exchanges.length, of })}${amongThem(cell, of)}`,
    '',
    ...exchanges.map(exchangeSection),
  ].join('\n');
}

/** Why there are more exchanges than trials, and which come first. */
function amongThem(cell: ReportCell | null, of: number): string {
  if (cell === null) return '';
  const order = cell.trials.passed < cell.trials.total ? `, ${say(evidence.failingFirst)}` : '';
  return ` ${say(evidence.ofCheck)}${order}${of > cell.trials.total ? ` ${say(evidence.repeated)}` : ''}`;
}

function cellLines(cell: ReportCell): readonly string[] {
  const verdict = `**${markdown(cell.verdict)}**${cell.class ? ` (${markdown(whatFailed(cell))})` : ''}`;
  return [
    `# Evidence for ${markdownCode(cell.key)}`,
    '',
    markdown(cell.title),
    '',
    `- Verdict: ${verdict}, ${markdown(trialsText(cell.trials))}`,
    ...(cell.detail ? [`- Detail: ${markdown(cell.detail)}`] : []),
  ];
}

function trialsText({ passed, total, faults, needed, interval }: ReportCell['trials']): string {
  const [low, high] = interval.map((bound) => Math.round(bound * 100)) as [number, number];
  return say(evidence.trials, { passed, total, faults, needed, low, high });
}

function exchangeSection(exchange: EvidenceExchange): string {
  const { request, response, curl, validation_errors, ...facts } = exchange;
  const rows = [
    ...Object.entries(facts).map(([name, value]) => [
      name,
      markdownCode(capped(textOrJson(value), undefined, evidenceJsonHint)),
    ]),
    ...cappedAll(validation_errors, evidenceJsonHint).map(({ at, message }) => [
      `validation error at ${markdownCode(at || '/')}`,
      markdown(message),
    ]),
  ];
  const failure = response.failure ? `, ${markdown(capped(response.failure, undefined, evidenceJsonHint))}` : '';
  const status = response.status === null ? 'no status' : markdown(String(response.status));
  return [
    `## Exchange ${markdownCode(exchange.exchange)}`,
    '',
    markdownTable(['field', 'value'], rows),
    '',
    'Request:',
    '',
    ...markdownBlock(writtenJson(request, 2), 'json'),
    '',
    `Response: ${status}${failure}`,
    '',
    ...markdownBlock(writtenJson(response.headers, 2), 'json'),
    '',
    ...markdownBlock(response.body),
    ...(response.content === null ? [] : ['', 'Assembled text:', '', ...markdownBlock(response.content)]),
    '',
    'To send it again:',
    '',
    ...markdownBlock(curl, 'sh'),
    '',
  ].join('\n');
}

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : writtenJson(value);
}
