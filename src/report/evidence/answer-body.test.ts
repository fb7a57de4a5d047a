import { describe, expect, test } from 'vitest';
import { anExchangeRecord, aReport, aReportCell } from '../../../test/support/build.js';
import { pageDataIn } from '../../../test/support/page-data.js';
import { renderPage } from '../page/render-page.js';
import { redactor } from '../safe/redact.js';

const redact = redactor(['[0-9]{11}']);

async function shownOf(body: string): Promise<string> {
  const record = anExchangeRecord('x1', 'suite/probe@demo/one', { body });
  const exchanges = async function* () {
    yield await Promise.resolve(record);
  };
  const report = aReport({ cells: [aReportCell({ verdict: 'fail', standing: 'regression', exchanges: [record.id] })] });
  const html = await renderPage(report, { redact, exchanges, folder: null });
  const { texts } = pageDataIn(html);
  return `${texts.join('\n')}${/<article[^]*<\/article>/.exec(html)?.[0] ?? ''}`;
}

const answer = (content: string) =>
  JSON.stringify({ id: 'a', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] });

/** Secrets that end where the text is cut, begin there, or span the cut. */
const cuts = Array.from({ length: 30 }, (_, step) => step - 1);

describe('a long answer on the page', () => {
  test.each([
    ['an address', 'li.lei.of.sales@mail.example.com', /li\.lei|sales|example/],
    ['a key', 'sk-ABCDEFGHIJKLMNOPQRSTUVWX', /sk-|ABCDEF|UVWX/],
    ['a configured pattern', '13800138000', /1380|8000(?! characters)/],
  ])('shows no part of %s, wherever it is cut', async (_, secret, part) => {
    for (const before of [3_700, 7_900, 8_000]) {
      for (const step of cuts) {
        const padding = 'word '.repeat((before - 200) / 5) + '.'.repeat(step * 10 + 10);
        for (const wrap of [answer, (text: string) => text]) {
          expect(await shownOf(wrap(`${padding} ${secret} ${'end '.repeat(3_000)}`))).not.toMatch(part);
        }
      }
    }
  });

  test('shows no part of a secret that moves up because much text before it was masked', async () => {
    const many = 'someone.with.quite.a.long.address@department.example.com '.repeat(138);
    for (const step of cuts) {
      const shown = await shownOf(
        answer(`${many}${'.'.repeat(step * 5 + 5)} li.lei.of.sales@mail.example.com ${'x '.repeat(4_000)}`),
      );
      expect(shown).not.toMatch(/li\.lei|sales|someone/);
      expect(shown).toContain('[redacted]');
    }
  });

  test('is decoded first, even if the answer was cut off, so that escapes hide nothing', async () => {
    const body = answer(`write to li.lei@example.com ${'x'.repeat(9_000)}`).replace('@', '\\u0040');
    expect(await shownOf(body)).not.toContain('li.lei');
    expect(await shownOf(body.slice(0, 5_000))).not.toContain('li.lei');
  });

  test.each([
    ['a list', '['.repeat(50_000) + '"li.lei@example.com"' + ']'.repeat(50_000)],
    ['an object', '{"error":'.repeat(50_000) + '"li.lei@example.com"' + '}'.repeat(50_000)],
  ])('is shown as text if it is nested too deeply as %s', async (_, body) => {
    expect(await shownOf(body)).toContain(body.slice(0, 3_000));
    expect(await shownOf(body.slice(49_000 * (body.length > 200_000 ? 9 : 1)))).not.toContain('li.lei');
  });

  test('is left to the journal if it is too long to be masked', async () => {
    expect(await shownOf('x'.repeat(1_000_001))).toContain('[a body of 1,000,001 characters');
    expect(await shownOf('x '.repeat(100_000))).toContain('x x x');
  });
});
