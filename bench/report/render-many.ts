// Renders a run with its models repeated, in a process of its own, and tells its parent what that took. The run, the report and
// its exchanges lie in files: to make them costs time and memory that are not a page's.
import { readFileSync } from 'node:fs';
import { writeWhole } from '../../src/files/write-whole.js';
import type { ExchangeRecord } from '../../src/journal/event.js';
import { exchangesIn, type FindExchanges } from '../../src/journal/find-exchanges.js';
import { deviationsOf } from '../../src/matrix/standing/deviations.js';
import { renderHtml } from '../../src/report/html/render-html.js';
import { readReport } from '../../src/report/run-folder.js';
import { redactor } from '../../src/report/safe/redact.js';
import type { ManyFiles } from './many-models.js';

const [run = '', made = '', file = ''] = process.argv.slice(2);
const { report, exchanges: places } = JSON.parse(readFileSync(made, 'utf8')) as ManyFiles;
const bytes = readFileSync(`${made}l`);
const exchanges: FindExchanges = async function* (ids) {
  for (const [id, from, to] of places)
    if (ids.has(id)) yield JSON.parse(bytes.toString('utf8', from, to)) as ExchangeRecord;
  await Promise.resolve();
};
const redact = redactor();
// What is loaded and compiled once is not part of a page.
await writeWhole(file, renderHtml(await readReport(run), { redact, exchanges: exchangesIn(run), folder: run }));
/** Milliseconds of CPU, the threads in which V8 compiles and collects included, and by the clock of an idle machine. */
const taken = (since: { readonly cpu: NodeJS.CpuUsage; readonly clock: number }) => {
  const { user, system } = process.cpuUsage(since.cpu);
  return { cpu: (user + system) / 1000, clock: performance.now() - since.clock };
};
const now = () => ({ cpu: process.cpuUsage(), clock: performance.now() });
let asked: ReadonlySet<string> = new Set();
const before = process.resourceUsage().maxRSS;
const whole = now();
const seen: FindExchanges = (ids) => exchanges((asked = ids));
await writeWhole(file, renderHtml(report, { redact, exchanges: seen, folder: 'reports/latest' }));
const all = taken(whole);
const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
// A page only renders exchanges. To parse them takes the same each time, so it can be measured by itself.
const parsing = now();
const again = exchanges(asked)[Symbol.asyncIterator]();
let { done } = await again.next();
while (done !== true) ({ done } = await again.next());
const parsed = taken(parsing);
const milliseconds = { cpu: all.cpu - parsed.cpu, clock: all.clock - parsed.clock };
process.send?.({ cells: report.cells.length, deviations: deviationsOf(report).length, milliseconds, megabytes });
process.disconnect();
