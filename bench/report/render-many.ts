// Renders a run with its models repeated, in a process of its own, and tells its parent what that took.
import { writeWhole } from '../../src/files/write-whole.js';
import { exchangesIn } from '../../src/journal/find-exchanges.js';
import { deviationsOf } from '../../src/matrix/standing/deviations.js';
import { renderHtml } from '../../src/report/html/render-html.js';
import { readReport } from '../../src/report/run-folder.js';
import { redactor } from '../../src/report/safe/redact.js';
import { manyModels } from './many-models.js';

const [run = '', file = '', count = ''] = process.argv.slice(2);
const base = await readReport(run);
const shown = new Set(
  base.cells.flatMap(({ failures, exchanges }) => [
    ...failures.flatMap(({ exchange }) => exchange ?? []),
    ...exchanges.slice(0, 2),
  ]),
);
const found = new Map();
for await (const record of exchangesIn(run)(shown)) found.set(record.id, record);
const redact = redactor();
// What is loaded and compiled once is not part of a page.
await writeWhole(file, renderHtml(base, { redact, exchanges: exchangesIn(run), folder: run }));
const { report, exchanges } = manyModels(base, found, Number(count));
/** CPU time, of threads that compress as well: the clock would measure what else the machine does. */
const cpu = (from: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
};
let asked: ReadonlySet<string> = new Set();
const before = process.resourceUsage().maxRSS;
const whole = process.cpuUsage();
const seen = (ids: ReadonlySet<string>) => exchanges((asked = ids));
await writeWhole(file, renderHtml(report, { redact, exchanges: seen, folder: 'reports/latest' }));
const all = cpu(whole);
const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
// A journal has the exchanges ready, and here they were made.
const making = process.cpuUsage();
const again = exchanges(asked)[Symbol.asyncIterator]();
let { done } = await again.next();
while (done !== true) ({ done } = await again.next());
const milliseconds = all - cpu(making);
process.send?.({ cells: report.cells.length, deviations: deviationsOf(report).length, milliseconds, megabytes });
process.disconnect();
