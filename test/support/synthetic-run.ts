import type { BaselineEntry, Expected } from '../../src/baseline/entries.js';
import type { ModelConfig } from '../../src/config/config.js';
import { findingOf } from '../../src/decide/finding.js';
import type { Finding } from '../../src/decide/course.js';
import type { Outcome } from '../../src/judge/outcome.js';
import type { Ask, Plan, Ticket } from '../../src/plan/ticket.js';
import type { Probe } from '../../src/suite/probe.js';
import type { Point } from '../../src/cell/cell-key.js';
import type { RunEvent, ExchangeRecord } from '../../src/journal/event.js';
import { probeOf } from './plans.js';
import { modelOf } from './targets.js';

const place = { file: 'suites/test.yaml', line: 1, column: 1 };

export function model(id: string, changes: Partial<ModelConfig> = {}): ModelConfig {
  return modelOf(`${changes.target ?? 'demo'}/${id}`, { place, ...changes });
}

export function probe(path: string, changes: Partial<Probe> = {}): Probe {
  const [suite = '', name = ''] = path.split('/');
  return probeOf(suite, name, { title: `Title of ${path}`, place, ...changes });
}

export interface CellMade {
  readonly model?: ModelConfig;
  readonly point?: Point;
  readonly capability?: string;
  readonly expected?: Expected;
  readonly confirm?: boolean;
  readonly probe?: Partial<Probe>;
}

/** `path` is `SUITE/PROBE`. */
export function ticket(path: string, made: CellMade = {}): Ticket {
  const of = made.model ?? model('one');
  const point = made.point ?? {};
  const labels = Object.entries(point).map(([axis, label]) => `${axis}=${label}`);
  const made2 = probe(path, made.probe);
  return {
    cell: {
      key: `${path}${labels.length > 0 ? `[${labels.join(',')}]` : ''}@${of.key}`,
      ...{ probe: made2, point, model: of, capability: made.capability ?? made2.capability, needs: [] },
      ...{ selected: true, skip: null },
    },
    expected: made.expected ?? { kind: 'pass', threshold: null },
    course: 'fixed',
    trials: { kind: 'count', count: 1 },
    confirm: made.confirm ?? true,
  };
}

export function entry(key: string, changes: Partial<BaselineEntry> = {}): Expected {
  return {
    kind: 'entry',
    entry: {
      ...{ key, verdict: 'fail', class: 'schema_violation', reason: null, status: 200, passed: null, total: null },
      ...{ date: '2026-11-01', note: null, link: null, provisional: false, threshold: null },
      ...changes,
    },
  };
}

export function plan(tickets: readonly Ticket[], changes: Partial<Plan> = {}): Plan {
  return {
    ...{
      tickets,
      reserve: [],
      digest: 'd',
      digests: { config: 'c', suites: 's', schemas: 'h' },
      profile: 'standard',
      seed: 1,
    },
    plannedCells: tickets.length,
    ...changes,
  };
}

export function outcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    ...{ passed: true, fault: false, class: null, reason: null, status: 200, detail: null, rung: 'correct' },
    ...{ quirks: [], violations: [], value: undefined, reply: null, step: null, recovered: null },
    ...changes,
  };
}

export const failing = (changes: Partial<Outcome> = {}): Outcome =>
  outcome({ passed: false, class: 'schema_violation', rung: 'parses', detail: 'total: must be number', ...changes });

/** A finding over so many passes and failures. */
export function finding(
  passed: number,
  failed: number,
  changes: Partial<Finding> & { how?: Partial<Outcome> } = {},
): Finding {
  const { how, ...further } = changes;
  const outcomes = [
    ...Array.from({ length: passed }, () => outcome()),
    ...Array.from({ length: failed }, () => failing(how)),
  ];
  return { ...findingOf(outcomes), ...further };
}

export function recorded(
  id: string,
  cell: string | null,
  changes: Partial<ExchangeRecord> & { body?: string; status?: number } = {},
): ExchangeRecord {
  const { body, status, ...further } = changes;
  const of = cell?.slice(cell.indexOf('@') + 1) ?? 'demo/one';
  return {
    ...{
      type: 'exchange',
      id,
      model: of,
      cell,
      ask: { kind: 'trial', patch: {}, sample: 0 },
      purpose: 'probe',
      step: 'request',
    },
    ...{ attempt: 0, served: null, fingerprint: null },
    exchange: {
      request: {
        url: 'http://127.0.0.1:8080/v1/chat/completions',
        headers: { authorization: 'Bearer [masked]', 'content-type': 'application/json' },
        body: {
          model: of.slice(of.indexOf('/') + 1),
          messages: [{ role: 'user', content: 'Answer in json.' }],
          max_tokens: 512,
        },
      },
      answer: {
        status: status ?? 200,
        headers: { 'content-type': 'application/json', traceresponse: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
        body: [
          body ??
            JSON.stringify({
              ...{ id: `chatcmpl-${id}`, object: 'chat.completion', model: 'm' },
              choices: [
                { index: 0, message: { role: 'assistant', content: '{"total":"897"}' }, finish_reason: 'stop' },
              ],
              usage: {
                prompt_tokens: 40,
                completion_tokens: 12,
                total_tokens: 52,
                completion_tokens_details: { reasoning_tokens: 3 },
              },
            }),
        ],
        failure: null,
      },
      timing: { started_at: '2026-11-20T08:00:00.000Z', headers_ms: 20, total_ms: 30 },
    },
    ...further,
  };
}

export const started: RunEvent = {
  ...{
    plan: '',
    digests: { config: '', suites: '', schemas: '' },
    node: '',
    profile: 'standard',
    seed: 1,
    plannedCells: 0,
  },
  ...{ type: 'run_started', run: '2026-11-20-0800', at: '2026-11-20T08:00:00.000Z', shard: null },
  tool: { name: 'chatspec', version: '0.1.0' },
};
export const finished: RunEvent = { type: 'run_finished', at: '2026-11-20T08:01:00.000Z', requests: 1 };

export function reached(of: string, reachable = true, how: Partial<Outcome> = {}): RunEvent {
  return { type: 'model', model: of, reachable, outcome: reachable ? outcome(how) : failing({ fault: true, ...how }) };
}

export function trialOf(cell: string, sample: number, of: Outcome, exchanges: readonly string[]): RunEvent {
  const ask: Ask = { kind: 'trial', patch: {}, sample };
  return { type: 'trial', cell, ask, outcome: of, exchanges };
}
