import type { Finding } from '../../src/decide/course.js';
import { buildReport } from '../../src/matrix/build-report.js';
import type { Report } from '../../src/matrix/report-format.js';
import type { Outcome } from '../../src/judge/outcome.js';
import type { Ticket } from '../../src/plan/ticket.js';
import type { Behaviour } from '../../src/suite/probe.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import { openGathering } from '../../src/report/gather/gather.js';
import type { ExchangeRecord } from '../../src/journal/event.js';
import type { FailingTrial } from '../../src/report/gather/failure-spool.js';
import {
  entry,
  failing,
  finding,
  finished,
  model,
  outcome,
  plan,
  reached,
  recorded,
  started,
  ticket,
  trialOf,
} from './synthetic-run.js';

/** One probe at one point, and how a model fails it there: none passes. */
interface Row {
  readonly path: string;
  readonly capability: string;
  readonly point?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { path: 'quick-start/plain', capability: 'chat' },
  { path: 'structured/invoice', capability: 'json_schema' },
  { path: 'structured/invoice-budget', capability: 'budget.json_schema', point: { max_tokens: '256' } },
  { path: 'structured/invoice-budget', capability: 'budget.json_schema', point: { max_tokens: '1280' } },
  { path: 'structured/invoice-budget', capability: 'budget.json_schema', point: { max_tokens: '4096' } },
  { path: 'structured/free', capability: 'json_object' },
  { path: 'tools/order', capability: 'tools' },
  { path: 'tool-choice/order', capability: 'tool_choice.none', point: { tool_choice: 'none' } },
  { path: 'tool-choice/order', capability: 'tool_choice.auto', point: { tool_choice: 'auto' } },
  { path: 'tool-choice/order', capability: 'tool_choice.required', point: { tool_choice: 'required' } },
  { path: 'tool-choice/order', capability: 'tool_choice.object', point: { tool_choice: 'object' } },
  { path: 'stream/plain', capability: 'stream.chat' },
  { path: 'stream/invoice', capability: 'stream.json_schema', point: { thinking: 'enabled' } },
  { path: 'stream/invoice', capability: 'stream.json_schema', point: { thinking: 'disabled' } },
  { path: 'stream/order', capability: 'stream.tools' },
  { path: 'thinking/invoice', capability: 'thinking.enabled', point: { thinking: 'enabled' } },
  { path: 'thinking/invoice', capability: 'thinking.disabled', point: { thinking: 'disabled' } },
  { path: 'strict/conflict', capability: 'strict.conflict' },
  { path: 'flow/order', capability: 'flow.tool_then_summary' },
  { path: 'json-word/free', capability: 'json_word', point: { word: 'absent' } },
  { path: 'json-word/free', capability: 'json_word', point: { word: 'present' } },
];

const faults: Readonly<Record<string, (row: Row) => Partial<Outcome> | null>> = {
  'sim-reference': () => null,
  'pro-sim-reference': () => null,
  'sim-object-500': ({ capability }) =>
    capability === 'tool_choice.object'
      ? {
          class: 'http_error',
          reason: 'tool_choice_unsupported',
          status: 500,
          rung: null,
          detail: 'tool_choice of type object is not supported',
        }
      : null,
  'sim-object-400': ({ capability }) =>
    capability === 'tool_choice.object'
      ? {
          class: 'http_error',
          reason: 'tool_choice_thinking',
          status: 400,
          rung: null,
          detail: 'tool_choice is incompatible with thinking',
        }
      : null,
  'sim-empty': ({ capability }) =>
    /json_schema|json_object|thinking|json_word|strict/.test(capability)
      ? { class: 'empty_content', rung: 'complete', detail: 'content is an empty string' }
      : null,
  'sim-schema-only': ({ capability }) =>
    /tool|json_object|flow/.test(capability)
      ? { class: 'http_error', reason: 'parameter_rejected', status: 400, rung: null, detail: 'unsupported field' }
      : null,
  'sim-hungry': ({ capability, point }) =>
    capability === 'json_schema' || point?.['max_tokens'] === '256'
      ? { class: 'truncated', rung: 'accepted', detail: 'finish_reason is length; reasoning took 256 of 256 tokens' }
      : null,
  'sim-wobbly': () => null,
  'sim-json-word': ({ point }) =>
    point?.['word'] === 'absent'
      ? {
          class: 'http_error',
          reason: 'json_word_required',
          status: 400,
          rung: null,
          detail: "messages must contain the word 'json'",
        }
      : null,
  'sim-hostile': ({ path }) =>
    path === 'stream/invoice'
      ? {
          class: 'not_json',
          rung: 'present',
          detail:
            '</script><script>alert(1)</script> {{constructor}} \u001b[31mred\u001b[0m ]]> | `x` 张三 mail alice@example.com key sk-abcdef123456',
        }
      : null,
  'sim-thinks-badly': ({ point }) =>
    point?.['thinking'] === 'enabled'
      ? { class: 'not_json', rung: 'present', detail: 'JSON stands behind a <think> block' }
      : null,
  'sim-gone': () => null,
};

const behaviours: readonly Behaviour[] = [
  {
    id: 'object-tool-choice-http-500',
    title: 'Object-form tool_choice is answered with HTTP 500',
    when: "$works('tool_choice.required') ? $fails('tool_choice.object', { 'class': 'http_error', 'status': 500 })",
    unless: null,
    advice: 'Send tool_choice "required" and check the returned function name and arguments.',
    place: { file: 'suites/core/tool-choice.yaml', line: 80, column: 5 },
  },
  {
    id: 'json-schema-needs-max-tokens',
    title: 'json_schema passes from max_tokens {{threshold}}',
    when: `( $low := $fails('structured/invoice', { 'class': ['truncated', 'empty_content'] });
      $needed := $threshold('budget.json_schema', 'max_tokens');
      $low and $needed ? { 'cells': $append($low, $passes('budget.json_schema')), 'threshold': $needed } )`,
    unless: null,
    advice: 'Reasoning spends output tokens: send max_tokens of at least {{threshold}}.',
    place: { file: 'suites/core/budget.yaml', line: 40, column: 5 },
  },
];

export interface SyntheticMatrix {
  readonly report: Report;
  readonly failures: readonly FailingTrial[];
  readonly exchanges: (ids: ReadonlySet<string>) => AsyncIterable<ExchangeRecord>;
}

/** A dozen models with the faults of the field, one of them gone, some of them deviating from a baseline. */
export async function syntheticMatrix(): Promise<SyntheticMatrix> {
  const gathering = openGathering();
  const journal = new Map<string, ExchangeRecord>();
  const tickets: Ticket[] = [];
  gathering.onEvent(started);
  for (const [id, fault] of Object.entries(faults)) {
    const of = model(id);
    const gone = id === 'sim-gone';
    gathering.onEvent(
      reached(
        of.key,
        !gone,
        gone ? { class: 'http_error', reason: 'model_not_found', status: 404, detail: 'no such model' } : {},
      ),
    );
    for (const row of rows) {
      const how = fault(row);
      const wobbly = id === 'sim-wobbly' && row.capability === 'strict.conflict';
      const known = how && id !== 'sim-object-500' && id !== 'sim-hostile';
      const draft = ticket(row.path, { model: of, capability: row.capability, point: row.point ?? {} });
      const { key } = draft.cell;
      const expected = wobbly
        ? entry(key, { verdict: 'flaky', passed: 29, total: 30 })
        : known
          ? entry(key, {
              class: how.class ?? null,
              reason: how.reason ?? null,
              status: how.status ?? 200,
              note: 'asked the vendor',
            })
          : draft.expected;
      tickets.push({ ...draft, expected });
      if (gone) {
        gathering.onEvent({
          type: 'cell',
          cell: key,
          exchanges: [],
          finding: { ...finding(0, 0), verdict: 'inconclusive', detail: 'the model was not reached' },
        });
        continue;
      }
      const outcomes = wobbly
        ? Array.from({ length: 30 }, (_, index) =>
            index % 4 === 3
              ? failing({ detail: 'total: must be number', violations: [{ at: '/total', message: 'must be number' }] })
              : outcome(),
          )
        : Array.from({ length: how ? 7 : 2 }, () =>
            how
              ? failing({ detail: null, ...how })
              : outcome(id === 'sim-schema-only' ? { quirks: ['done_missing'] } : {}),
          );
      const ids = outcomes.map((one, sample) => {
        const exchange = `x${journal.size + 1}`;
        const body =
          one.status === 200
            ? undefined
            : JSON.stringify({ error: { message: one.detail, type: 'invalid_request_error' } });
        const record = recorded(exchange, key, {
          ask: { kind: 'trial', patch: {}, sample },
          status: one.status ?? 200,
          served: id,
          ...(body === undefined
            ? id === 'sim-hostile' && how
              ? {
                  body: JSON.stringify({
                    id: 'chatcmpl-1',
                    choices: [{ message: { role: 'assistant', content: how.detail ?? '' }, finish_reason: 'stop' }],
                  }),
                }
              : {}
            : { body }),
        });
        journal.set(exchange, record);
        gathering.onEvent(record);
        gathering.onEvent(trialOf(key, sample, one, [exchange]));
        return exchange;
      });
      const passed = outcomes.filter((one) => one.passed).length;
      const found = finding(passed, outcomes.length - passed, how ? { how: { detail: null, ...how } } : {});
      const fresh = (
        suspicion: 'regression',
        passed: number,
        total: number,
        pValue: number | null,
      ): Partial<Finding> => ({
        ...{ surprise: 'confirmed', fresh: { suspicion, passed, total, pValue } },
      });
      const surprise = how && !known ? fresh('regression', 0, 6, null) : {};
      gathering.onEvent({
        type: 'cell',
        cell: key,
        exchanges: ids,
        finding: { ...found, ...surprise, ...(wobbly ? fresh('regression', 12, 20, 0.002) : {}) },
      });
    }
  }
  gathering.onEvent(finished);
  const report = await buildReport({
    ...{
      plan: plan(tickets),
      gathered: gathering.gathered(),
      behaviours,
      catalogue: await catalogueOf([]),
      config: { targets: [], maxUnmeasured: 1 },
      today: '2026-11-20',
    },
  });
  return {
    report,
    failures: gathering.failures.all() as readonly FailingTrial[],
    async *exchanges(ids) {
      await Promise.resolve();
      for (const [id, record] of journal) if (ids.has(id)) yield record;
    },
  };
}
