/**
 * Compares chatspec's results for a real server with a second, much simpler reading of the same exchanges.
 * CHATSPEC_REAL_BASE_URL (ends in /v1) and CHATSPEC_REAL_MODEL name it; the key, if any, in CHATSPEC_API_KEY. Without
 * them, llama.cpp's server is started with SmolLM2.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import type { Report, ReportCell } from '../../src/matrix/report-format.js';
import type { ExchangeRecord, JournalLine } from '../../src/journal/event.js';
import { anIo } from '../support/io.js';
import { stopPrograms } from '../support/started-programs.js';
import { startSmolLm2 } from './start-smollm2.js';

const named = process.env['CHATSPEC_REAL_BASE_URL'];
const started = named === undefined ? await startSmolLm2() : { baseUrl: named };
const missing = 'missing' in started ? started.missing : null;
if (missing !== null) console.log(`skipped: this machine lacks ${missing}; or set CHATSPEC_REAL_BASE_URL`);
const baseUrl = 'missing' in started ? '' : started.baseUrl;
const model = process.env['CHATSPEC_REAL_MODEL'] ?? 'smollm2';

let report: Report;
const exchanges = new Map<string, ExchangeRecord>();

/** The answer to the last request of a cell, read without chatspec's code. */
function lastAnswer(cell: ReportCell): {
  status: number | null;
  finish: string | null;
  content: string;
  calls: number;
} {
  // Controls and the client's retry come after the judged answer.
  const asked = cell.exchanges.flatMap((id) => exchanges.get(id) ?? []).filter(({ purpose }) => purpose === 'probe');
  const record = asked.at(-1);
  const { status = null, body = [] } = record?.exchange.answer ?? {};
  const text = body.join('');
  const chunks = text.startsWith('data:')
    ? text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Choices] : []))
    : [parsed(text)];
  const choices = chunks.flatMap((chunk) => chunk.choices?.[0] ?? []);
  return {
    status,
    finish: choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason ?? null,
    content: choices.map(({ message, delta }) => (message ?? delta)?.content ?? '').join(''),
    calls: choices.reduce((sum, { message, delta }) => sum + ((message ?? delta)?.tool_calls?.length ?? 0), 0),
  };
}

interface Part {
  readonly content?: string | null;
  readonly tool_calls?: readonly unknown[];
}
interface Choices {
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly message?: Part;
    readonly delta?: Part;
  }[];
}

function parsed(text: string): Choices {
  try {
    return JSON.parse(text) as Choices;
  } catch {
    return {};
  }
}

describe.skipIf(missing !== null)('a real server', () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chatspec-real-'));
    const key = process.env['CHATSPEC_API_KEY'] ? { api_key_env: 'CHATSPEC_API_KEY' } : {};
    const target = { base_url: baseUrl, ...key, models: [model], limits: { concurrency: 2, timeout_s: 300 } };
    await writeFile(join(folder, 'chatspec.yaml'), JSON.stringify({ targets: { real: target } }));
    const io = anIo({ err: (text) => void process.stderr.write(text), env: process.env, cwd: folder });
    await runCli(['run', '--tags', process.env['CHATSPEC_REAL_TAGS'] ?? 'smoke', '--trials', '1', '--out', 'run'], io);
    report = JSON.parse(await readFile(join(folder, 'run', 'report.json'), 'utf8')) as Report;
    const journal = await readFile(join(folder, 'run', 'journal.jsonl'), 'utf8');
    for (const line of journal.trim().split('\n')) {
      const record = JSON.parse(line) as JournalLine;
      if (record.type === 'exchange') exchanges.set(record.id, record);
    }
    console.log(`report: ${join(folder, 'run', 'index.html')}`);
  });

  afterAll(stopPrograms);

  test('the run is complete and reached the model', () => {
    expect(report.run.complete).toBe(true);
    expect(report.models.map(({ reachable }) => reachable)).toEqual([true]);
  });

  test('no class contradicts the exchange behind it', () => {
    const contradictions: string[] = [];
    for (const cell of report.cells) {
      if (cell.verdict !== 'fail') continue;
      const { status, finish, content, calls } = lastAnswer(cell);
      const says: Partial<Record<string, boolean>> = {
        http_error: status !== 200,
        truncated: finish === 'length',
        empty_content: content.trim() === '' && calls === 0,
        missing_tool_call: calls === 0,
        unexpected_tool_call: calls > 0,
        schema_violation: status === 200 && finish !== 'length',
        rule_violation: status === 200 && finish !== 'length',
      };
      if (says[cell.class ?? ''] === false)
        contradictions.push(`${cell.key}: ${cell.class ?? ''} ${cell.detail ?? ''}`);
    }
    expect(contradictions).toEqual([]);
  });

  test('a cut answer is never reported as bad JSON', () => {
    const cut = report.cells.filter((cell) => cell.verdict === 'fail' && lastAnswer(cell).finish === 'length');
    expect(cut.filter((cell) => cell.class !== 'truncated').map(({ key }) => key)).toEqual([]);
  });
});
