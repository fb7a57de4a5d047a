import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { aReport, aReportCell } from '../../test/support/build.js';
import { pageDataIn } from '../../test/support/page-data.js';
import { type SyntheticMatrix, syntheticMatrix } from '../../test/support/synthetic-matrix.js';
import { tempFolder } from '../../test/support/temp-folder.js';
import { UserError } from '../files/problems/problem.js';
import type { Report } from '../matrix/report-format.js';
import { redactor } from './safe/redact.js';
import { renderReport, type FileFormat, type RenderContext } from './render.js';
import { fileFormats, reportFormats } from './report-formats.js';
import { readReport, writeRunFolder } from './run-folder.js';
import widthOf from 'string-width';

let matrix: SyntheticMatrix;
let context: RenderContext;
beforeAll(async () => {
  matrix = await syntheticMatrix();
  const { exchanges, failures } = matrix;
  context = { redact: redactor(['张三']), exchanges, failures, folder: 'reports/latest', color: false, columns: 80 };
});

type Format = keyof typeof reportFormats;

test('a format with a file is the same in both lists, so that a list of formats can be asked for it', () => {
  expect(fileFormats).toContain(reportFormats.html);
  expect(fileFormats.map(({ name }) => name)).toEqual(
    Object.values(reportFormats).flatMap(({ name, file }) => (file === null ? [] : [name])),
  );
});

const rendered = (format: Format, changes: Partial<RenderContext> = {}, report: Report = matrix.report) =>
  renderReport(reportFormats[format], report, { ...context, ...changes });

describe('every format', () => {
  test.each<Format>(['json', 'md', 'junit', 'ctrf', 'otel', 'html', 'failures', 'terminal'])(
    '%s masks what must not leave the folder',
    async (format) => {
      const text = await rendered(format);
      for (const secret of ['alice@example.com', 'sk-abcdef123456', '张三']) expect(text).not.toContain(secret);
    },
  );

  test.each<Format>(['md', 'junit', 'ctrf', 'otel', 'html', 'terminal'])(
    '%s lets no control character through',
    async (format) => {
      expect(await rendered(format)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    },
  );
});

describe('terminal', () => {
  test.each([40, 60, 80, 120])('fits %i columns', async (columns) => {
    const text = await rendered('terminal', { columns });
    // A command is copied, so it stays on one line.
    const lines = text.split('\n').filter((line) => !line.startsWith('  chatspec '));
    expect(Math.max(...lines.map((line) => widthOf(line)))).toBeLessThanOrEqual(columns);
  });

  test('has the same text without colour', async () => {
    const coloured = await rendered('terminal', { color: true });
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(await rendered('terminal'));
  });

  test('shows what changed, what to do, what each model can be used for, and the next step', async () => {
    const text = await rendered('terminal', { columns: 100 });
    expect(text).toMatch(/^▼ 3 models got worse, 1 is gone\n/);
    expect(text).toMatch(/^▼ sim-object-500: /m);
    expect(text).toMatch(/^ {2}chatspec evidence reports\/latest '?\S+@demo\/\S+$/m);
    expect(text).toContain('reports/latest/index.html');
    expect(text).toContain('  chatspec baseline accept reports/latest\n');
  });

  test('is three lines when it is to be quiet and nothing changed', async () => {
    const quiet = await rendered(
      'terminal',
      { detail: 'quiet' },
      aReport({ cells: [aReportCell({ standing: 'as_expected' })] }),
    );
    expect(quiet.trimEnd().split('\n')).toHaveLength(3);
  });

  test('says how to accept a first baseline, and that a run is truncated', async () => {
    const cells = [
      aReportCell({ standing: 'new' }),
      aReportCell({ standing: 'new', verdict: 'fail', class: 'not_json' }),
    ];
    expect(await rendered('terminal', {}, aReport({ cells }))).toContain('chatspec baseline accept reports/latest');
    expect(await rendered('terminal', {}, aReport({ cells, complete: false }))).toContain('chatspec run --resume');
  });
});

describe('junit.xml', () => {
  test('has a test case with the reason for each cell, and separates failures, errors and skipped', async () => {
    const cells = [
      aReportCell({ probe: 'a' }),
      aReportCell({
        probe: 'b',
        verdict: 'fail',
        class: 'http_error',
        reason: 'schema_rejected',
        status: 400,
        detail: 'a ]]> b & <c> "d"',
        standing: 'new',
      }),
      aReportCell({ probe: 'c', verdict: 'flaky', class: 'not_json', standing: 'new' }),
      aReportCell({ probe: 'd', verdict: 'inconclusive', class: 'transport' }),
      aReportCell({ probe: 'e', verdict: 'blocked', detail: 'needs quick-start/plain' }),
      aReportCell({ probe: 'f', verdict: 'not_run' }),
    ];
    const xml = await rendered('junit', {}, aReport({ cells }));
    // One is the run, of which a third could not be measured.
    expect(xml).toContain('<testsuites name="chatspec" tests="7" failures="2" errors="3">');
    expect(xml).toContain('<testsuite name="demo/one" tests="6" failures="2" errors="2" skipped="1"');
    expect(xml).toContain('classname="suite.demo/one"');
    expect(xml).toMatch(/<failure type="http_error" message="[^"]* a \]\]&gt; b &amp; &lt;c&gt; &quot;d&quot;">/);
    expect(xml).toContain('<skipped type="blocked" message="needs quick-start/plain"');
    expect(xml).not.toContain(']]>');
    expect((xml.match(/<testcase /g) ?? []).length).toBe(7);
  });
});

describe('failures.jsonl', () => {
  test('has a line with every field worth logging for each failing trial', async () => {
    const lines = (await rendered('failures'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(matrix.failures.length);
    const wobbly = lines.find((line) => line['cell'] === 'strict/conflict@demo/sim-wobbly');
    expect(wobbly).toMatchObject({
      ...{ model: 'sim-wobbly', request_path: '/v1/chat/completions', schema_version: null, http_status: 200 },
      ...{ request_id: null, finish_reason: 'stop', stream: false, thinking: { type: null }, reasoning_effort: null },
      ...{ max_tokens: 512, temperature: null, error: 'total: must be number' },
      validation_errors: [{ at: '/total', message: 'must be number' }],
      usage: { total_tokens: 52, completion_tokens_details: { reasoning_tokens: 3 } },
    });
    expect(wobbly?.['id']).toMatch(/^chatcmpl-x/);
    expect(wobbly?.['traceresponse']).toMatch(/^00-/);
  });
});

describe('index.html', () => {
  test('has a policy that allows only its own style and script, and no text from a service as markup', async () => {
    const html = await rendered('html');
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src &#x27;none&#x27;/);
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script>alert|\son\w+=|javascript:|style="/i);
    expect(html).toContain('{{constructor}}');
    expect(html).not.toMatch(/(?:src|href)="(?!#)/);
  });

  test('holds every cell, with its reason and exchanges', async () => {
    const { cells, exchanges, texts } = pageDataIn(await rendered('html'));
    expect(cells.map(({ key }) => key)).toEqual(matrix.report.cells.map(({ key }) => key));
    const wobbly = cells.find(({ key }) => key === 'strict/conflict@demo/sim-wobbly')!;
    expect(wobbly.violations).toEqual(['/total must be number']);
    const [first] = exchanges.filter(({ id }) => wobbly.exchanges.includes(id));
    expect(texts[first!.response]).toContain('"choices"');
  });

  test('hides nothing in what is compressed', async () => {
    const all = JSON.stringify(pageDataIn(await rendered('html')));
    expect(all).toContain('[redacted]');
    for (const secret of ['alice@example.com', 'sk-abcdef123456', '张三']) expect(all).not.toContain(secret);
  });

  test('stays small when the exchanges are large', async () => {
    const long = 'x'.repeat(200_000);
    const exchanges: RenderContext['exchanges'] = async function* (ids) {
      for await (const record of matrix.exchanges(ids)) {
        const { exchange } = record;
        yield { ...record, exchange: { ...exchange, answer: { ...exchange.answer, body: [long] } } };
      }
    };
    expect((await rendered('html', { exchanges })).length).toBeLessThan(4_000_000);
  });
});

describe('the run folder', () => {
  test('holds every file, and the report can be read back', async () => {
    const folder = await tempFolder();
    await writeRunFolder(folder, matrix.report, context);
    expect(readdirSync(folder).sort()).toEqual([
      'capabilities.json',
      'ctrf.json',
      'failures.jsonl',
      'index.html',
      'junit.xml',
      'openmetrics.txt',
      'otel.json',
      'report.json',
      'report.md',
      'summary.json',
    ]);
    const back = await readReport(folder);
    expect(back.cells.map(({ key }) => key)).toEqual(matrix.report.cells.map(({ key }) => key));
    expect(await readReport(join(folder, 'report.json'))).toEqual(back);
  });

  test("takes formats of a program's own, as a text or in pieces", async () => {
    const folder = await tempFolder();
    const own: readonly FileFormat[] = [
      { name: 'csv', file: 'cells.csv', render: ({ cells }) => Promise.resolve(`${cells.length} cells\n`) },
      {
        name: 'keys',
        file: 'keys.txt',
        async *render({ cells }) {
          for (const { key } of cells) yield await Promise.resolve(`${key}\n`);
        },
      },
    ];
    await writeRunFolder(folder, matrix.report, context, own);
    expect(readdirSync(folder).sort()).toEqual(['cells.csv', 'keys.txt']);
    const keys = matrix.report.cells.map(({ key }) => `${key}\n`).join('');
    expect(readFileSync(join(folder, 'keys.txt'), 'utf8')).toBe(keys);
    expect(await renderReport(own[1]!, matrix.report, context)).toBe(keys);
  });

  test('replaces a symbolic link instead of writing to where it leads', async () => {
    const folder = await tempFolder();
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'mine');
    for (const { file } of fileFormats) symlinkSync(precious, join(folder, file));
    await writeRunFolder(folder, matrix.report, context);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    for (const { file } of fileFormats) expect(lstatSync(join(folder, file)).isSymbolicLink()).toBe(false);
  });

  test('leaves no half-written file if reading the failing trials fails', async () => {
    const folder = await tempFolder();
    const failures: RenderContext['failures'] = (function* () {
      yield* matrix.failures;
      throw new Error('the disk is gone');
    })();
    await expect(
      writeRunFolder(folder, matrix.report, { ...context, failures }, [reportFormats.failures]),
    ).rejects.toThrow('disk is gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['not JSON', '{', 'this is not JSON: '],
    ['another format', '{"format":"other/1"}', 'its format is "other/1", not "chatspec-report/1"'],
    ['no object', '[]', 'it holds no JSON object, so it is no report'],
  ])('refuses %s', async (_, text, why) => {
    const file = join(await tempFolder(), 'report.json');
    writeFileSync(file, text);
    await expect(readReport(file)).rejects.toThrow(`cannot read ${file}: ${why}`);
    await expect(readReport('/nowhere')).rejects.toThrow(/cannot read/);
  });

  test.each<readonly [string, (report: Report) => unknown]>([
    ['"cells" is missing', (report) => ({ ...report, cells: undefined })],
    ['at cells.0.key', (report) => ({ ...report, cells: [{ ...report.cells[0], key: 7 }] })],
    ['at run', (report) => ({ ...report, run: 7 })],
  ])('refuses a report of wrong types: %s', async (where, change) => {
    const file = join(await tempFolder(), 'report.json');
    writeFileSync(file, JSON.stringify(change(matrix.report)));
    const refused = readReport(file);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(/not a report in the format chatspec-report\/1: /);
    await expect(refused).rejects.toThrow(where);
  });

  test('distinguishes a run that has not ended from a folder without a run', async () => {
    const folder = await tempFolder();
    await expect(readReport(folder)).rejects.toThrow(/not a run folder/);
    writeFileSync(join(folder, 'journal.jsonl'), '');
    await expect(readReport(folder)).rejects.toThrow(/has not ended/);
  });
});
