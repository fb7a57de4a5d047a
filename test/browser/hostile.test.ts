import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExchangeRecord } from '../../src/journal/event.js';
import type { Report } from '../../src/index.js';
import { renderReport } from '../../src/report/render.js';
import { reportFormats } from '../../src/report/report-formats.js';
import { redactor } from '../../src/report/safe/redact.js';
import { launchBrowser, openFile } from '../support/browser-page.js';
import { aCompletion, anExchangeRecord, aReport, aReportCell, aReportModel } from '../support/build.js';

const folder = await mkdtemp(join(tmpdir(), 'chatspec-hostile-page-'));
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

const hostile = [
  `</script><script>alert('s')</script>`,
  `</template><img src=x onerror=alert(1)><iframe src="http://host.invalid/"></iframe>`,
  `"'><svg onload=alert(2)><a href="javascript:alert(3)">x</a>`,
  `{{constructor}} {{{this}}} {{#each x}}`,
  `<!-- --><style>*{display:none}</style>`,
  `\u202egnol\u202c \u200bzero\u200d \u2066iso\u2069 \u001b[31mred\u0007 \u0000nul \u{e0041}tag \ud800lone`,
  `$& $1 \\u0041 %3Cb%3E &lt;b&gt; &amp;`,
];
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

/** Every text that somebody else chose is hostile: ids, labels, titles, details, answers, errors. */
function hostileRun(): { report: Report; records: ReadonlyMap<string, ExchangeRecord> } {
  const records = new Map<string, ExchangeRecord>();
  const cells = hostile.flatMap((text, index) =>
    (['fail', 'pass'] as const).map((verdict) => {
      const id = `x${index}${verdict}`;
      const key = `suite/p${index}-${verdict}[axis=${text}]@demo/${text}`;
      const content = verdict === 'pass' ? JSON.stringify({ [text]: text }) : text;
      records.set(id, anExchangeRecord(id, key, { body: aCompletion({ id: text, message: { content } }) }));
      const failure = { class: 'not_json', reason: null, status: 200, detail: text, step: null } as const;
      return aReportCell({
        ...{ key, model: `demo/${text}`, title: text, point: { axis: text }, capability: `cap.${text}`, verdict },
        ...(verdict === 'fail' && { standing: 'regression', class: 'not_json', detail: text }),
        exchanges: [id],
        failures:
          verdict === 'pass'
            ? []
            : [
                {
                  ...failure,
                  violations: [{ at: `/${text}`, message: text }],
                  ...{ exchange: id, exchanges: [id], traceresponse: text, response_id: text },
                },
              ],
      });
    }),
  );
  const report = aReport({
    cells,
    models: hostile.map((text) => aReportModel(`demo/${text}`, { served: [text], fingerprints: [text] })),
    capabilities: hostile.map((text, index) => ({
      ...{ model: `demo/${text}`, capability: `cap.${text}`, verdict: 'partial', condition: `only with axis=${text}` },
      cells: cells.slice(index * 2, index * 2 + 2).map(({ key }) => key),
    })),
    behaviours: hostile.map((text) => ({ id: text, model: `demo/${text}`, title: text, advice: text, cells: [] })),
  });
  // Each capability is called by the hostile text after its own.
  const titles = Object.fromEntries(hostile.map((text, index) => [`cap.${text}`, hostile.at(index - 1) ?? '']));
  const named = { ...report, titles: { families: { cap: hostile[1] ?? '' }, capabilities: titles } };
  return { report: { ...named, run: { ...report.run, notes: [...hostile] } }, records };
}

test('hostile texts are only texts: nothing is added, asked for or hidden, whatever is opened', async () => {
  const { report, records } = hostileRun();
  const html = await renderReport(reportFormats.html, report, {
    ...{ redact: redactor(), failures: [], color: false, columns: 80 },
    folder: `run ${hostile[1] ?? ''}`,
    async *exchanges(ids) {
      for (const [id, record] of records) if (ids.has(id)) yield await Promise.resolve(record);
    },
  });
  expect(html).not.toMatch(hidden);
  const file = join(folder, 'page.html');
  await writeFile(file, html);
  const { page, trouble } = await openFile(browser, file);
  const added = `document.querySelectorAll('img, iframe, svg[onload], object, [onerror], [onload], a[href^="javascript"], script:not(:last-of-type), style:not(head style)').length`;
  expect(await page.evaluate(added)).toBe(0);
  await page.evaluate(`location.hash = '#matrix'`);
  for (const field of await page.locator('table.matrix td[data-cell]').all()) {
    await field.click();
    await page.locator('#cell .exchange').first().waitFor();
    expect((await page.locator('#cell').textContent()) ?? '').not.toMatch(hidden);
    expect(await page.evaluate(added)).toBe(0);
    await page.keyboard.press('Escape');
  }
  await page.locator('#find').fill(`<script>`);
  await expect.poll(() => page.locator('.search output').textContent()).toMatch(/^[1-9]/);
  expect(await page.evaluate(added)).toBe(0);
  expect(trouble).toEqual([]);
});
