import type { Finding } from '../../src/decide/course.js';
import type { Count } from '../../src/stats/count.js';
import type { ExchangeRecord } from '../../src/journal/event.js';
import type { Outcome } from '../../src/judge/outcome.js';
import { buildReport } from '../../src/assemble/make-report.js';
import type { Report } from '../../src/index.js';
import type { PlannedCell } from '../../src/plan/plan.js';
import type { FailingTrial } from '../../src/report/gather/failure-spool.js';
import { openGathering } from '../../src/report/gather/gather.js';
import type { Behaviour } from '../../src/suite/probe.js';
import { catalogueOf } from '../../src/suite/read/capability-catalogue.js';
import {
  aCompletion,
  aFailure,
  aFinding,
  aFinishedEvent,
  aModel,
  aModelEvent,
  anEntry,
  anExchangeRecord,
  anOutcome,
  aPlan,
  aStartedEvent,
  aPlannedCell,
  aTrialEvent,
} from './build.js';

/** One probe at one point. */
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

/** The models, and how each fails a row; null: it passes. */
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
    advice: 'Send tool_choice "required" and check the returned function name and arguments.',
    place: { file: 'suites/core/tool-choice.yaml', line: 80, column: 5 },
  },
  {
    id: 'json-schema-needs-max-tokens',
    title: 'json_schema passes from max_tokens {{threshold}}',
    when: `( $low := $fails('structured/invoice', { 'class': ['truncated', 'empty_content'] });
      $needed := $threshold('budget.json_schema', 'max_tokens');
      $low and $needed ? { 'cells': $append($low, $passes('budget.json_schema')), 'threshold': $needed } )`,
    advice: 'Reasoning spends output tokens: send max_tokens of at least {{threshold}}.',
    place: { file: 'suites/core/budget.yaml', line: 40, column: 5 },
  },
];

export interface SyntheticMatrix {
  readonly report: Report;
  readonly failures: readonly FailingTrial[];
  readonly exchanges: (ids: ReadonlySet<string>) => AsyncIterable<ExchangeRecord>;
}

/** The report of a dozen models with typical faults; one is gone, and some deviate from the baseline. */
export async function syntheticMatrix(): Promise<SyntheticMatrix> {
  const gathering = openGathering();
  const journal = new Map<string, ExchangeRecord>();
  const cells: PlannedCell[] = [];
  gathering.onEvent(aStartedEvent());
  for (const [id, faultAt] of Object.entries(faults)) {
    const model = aModel(`demo/${id}`);
    const gone = id === 'sim-gone';
    gathering.onEvent(
      aModelEvent(
        model.key,
        gone ? { class: 'http_error', reason: 'model_not_found', status: 404, detail: 'no such model' } : undefined,
      ),
    );
    for (const row of rows) {
      const fault = faultAt(row);
      const flaky = id === 'sim-wobbly' && row.capability === 'strict.conflict';
      const known = fault !== null && id !== 'sim-object-500' && id !== 'sim-hostile';
      const planned = aPlannedCell({ ...row, model, ...expectation(fault, flaky, known) });
      const { key } = planned.cell;
      cells.push(planned);
      if (gone) {
        const detail = 'the model was not reached';
        const finding: Finding = { ...aFinding(0, 0), verdict: 'inconclusive', detail };
        gathering.onEvent({ type: 'cell', cell: key, exchanges: [], finding });
        continue;
      }
      const outcomes = flaky ? flakyOutcomes : sameOutcomes(id, fault);
      const exchanges = outcomes.map((outcome, sample) => {
        const exchange = `x${journal.size + 1}`;
        const body = bodyOf(outcome, id === 'sim-hostile');
        const record = anExchangeRecord(exchange, key, {
          ...{ ask: { kind: 'trial', patch: {}, sample }, status: outcome.status ?? 200, served: id },
          ...(body !== null && { body }),
        });
        journal.set(exchange, record);
        gathering.onEvent(record);
        gathering.onEvent(aTrialEvent(key, sample, outcome, [exchange]));
        return exchange;
      });
      const passed = outcomes.filter((outcome) => outcome.passed).length;
      const finding = {
        ...aFinding(passed, outcomes.length - passed, {
          failure: flaky ? schemaViolation : { detail: null, ...fault },
        }),
        ...(fault !== null && !known && confirmed({ passed: 0, total: 6 })),
        ...(flaky && confirmed({ passed: 12, total: 20 })),
      };
      gathering.onEvent({ type: 'cell', cell: key, exchanges, finding });
    }
  }
  gathering.onEvent(aFinishedEvent());
  const report = await buildReport({
    ...{ plan: aPlan(cells), gathered: gathering.gathered(), behaviours, catalogue: await catalogueOf([]) },
    ...{ config: { targets: [], maxUnmeasured: 1 }, today: '2026-11-20' },
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

/** What the baseline says of a cell: its known failure, or that it passes. */
function expectation(
  fault: Partial<Outcome> | null,
  flaky: boolean,
  known: boolean,
): Partial<Pick<PlannedCell, 'expected'>> {
  if (flaky) return { expected: anEntry({ verdict: 'flaky', passed: 29, total: 30 }) };
  if (fault === null || !known) return {};
  const { class: kind = null, reason = null, status = 200 } = fault;
  return { expected: anEntry({ class: kind, reason, status, note: 'asked the vendor' }) };
}

const schemaViolation: Partial<Outcome> = {
  ...{ class: 'schema_violation', rung: 'parses', detail: 'total: must be number' },
  violations: [{ at: '/total', message: 'must be number' }],
};

/** One failure in four. */
const flakyOutcomes = Array.from({ length: 30 }, (_, index) =>
  index % 4 === 3 ? aFailure(schemaViolation) : anOutcome(),
);

function sameOutcomes(id: string, fault: Partial<Outcome> | null): readonly Outcome[] {
  return Array.from({ length: fault === null ? 2 : 7 }, () =>
    fault === null
      ? anOutcome({ quirks: id === 'sim-schema-only' ? ['done_missing'] : [] })
      : aFailure({ detail: null, ...fault }),
  );
}

/** The body of the recorded answer; null for the usual one. */
function bodyOf({ status, passed, detail }: Outcome, hostile: boolean): string | null {
  if (status !== 200) return JSON.stringify({ error: { message: detail, type: 'invalid_request_error' } });
  return hostile && !passed ? aCompletion({ id: 'chatcmpl-1', message: { content: detail ?? '' } }) : null;
}

function confirmed(doubt: Count): Partial<Finding> {
  const law = {
    known: { passed: 40, total: 40 },
    doubt: [doubt],
    changed: 9,
    holds: 9,
    bound: 4,
    suspicion: 'regression',
    start: 0,
  } as const;
  return { doubtOutcome: 'confirmed', law };
}
