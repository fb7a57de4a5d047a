import type { EvidenceBundle, EvidenceExchange } from './evidence-bundle.js';
import { markdown, markdownCode, visible } from '../safe/escape.js';
import { intervalText, trialsText, whatFailed } from '../view/phrases.js';

/** The bundle as a Markdown document for the service's support. */
export function renderEvidence(bundle: EvidenceBundle): string {
  const { cell } = bundle;
  return [
    `# Evidence for ${markdownCode(cell.key)}`,
    '',
    markdown(cell.title),
    '',
    `- Verdict: **${cell.verdict}**${cell.class ? ` (${markdown(whatFailed(cell))})` : ''}, ${trialsText(cell)}, rate ${intervalText(cell.trials.interval)}`,
    ...(cell.detail ? [`- Detail: ${markdown(cell.detail)}`] : []),
    `- Run: ${markdownCode(bundle.run)}; ${bundle.exchanges.length} of ${bundle.of} exchanges`,
    '',
    ...bundle.exchanges.map(exchangeSection),
  ].join('\n');
}

function exchangeSection(exchange: EvidenceExchange): string {
  const { request, response, curl, validation_errors, ...facts } = exchange;
  const listed = Object.entries(facts).map(([name, value]) => `| ${name} | ${markdownCode(asText(value))} |`);
  return [
    `## Exchange ${markdownCode(exchange.exchange)}`,
    '',
    '| field | value |',
    '| --- | --- |',
    ...listed,
    ...validation_errors.map(
      ({ at, message }) => `| validation error at ${markdownCode(at || '/')} | ${markdown(message)} |`,
    ),
    '',
    'Request:',
    '',
    fenced(JSON.stringify(request, null, 2), 'json'),
    '',
    `Response: ${response.status ?? 'no status'}${response.failure ? `, ${markdown(response.failure)}` : ''}`,
    '',
    fenced(JSON.stringify(response.headers, null, 2), 'json'),
    '',
    fenced(response.body, ''),
    ...(response.content === null ? [] : ['', 'Assembled text:', '', fenced(response.content, '')]),
    '',
    'To send it again:',
    '',
    fenced(curl, 'sh'),
    '',
  ].join('\n');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A code block whose fence is longer than any run of backticks inside. */
function fenced(text: string, language: string): string {
  const safe = visible(text);
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${safe}\n${fence}`;
}
