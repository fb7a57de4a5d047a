import type { Answer, Exchange } from '../../src/chat/exchange.js';
import type { ModelConfig, TargetConfig } from '../../src/config/config.js';
import { coursesFor } from '../../src/decide/courses/courses.js';
import type { Trial } from '../../src/decide/course.js';
import type { Json } from '../../src/json/json.js';
import { isFinalReason, type Outcome, type Reason } from '../../src/judge/outcome.js';
import type { Plan, PlannedCell } from '../../src/plan/plan.js';
import type { Clock } from '../../src/run/clock.js';
import type { DriveOptions } from '../../src/run/drive-options.js';
import type { JournalLine, RunEvent } from '../../src/journal/event.js';
import type { Journal } from '../../src/journal/journal.js';
import type { RunTarget } from '../../src/run/target-state.js';
import {
  aCompletion,
  aFault,
  anExchange,
  anOutcome,
  aPlannedCell,
  countedTrials,
  passing,
  type PlannedCellChanges,
} from './build.js';

/** A request as the fake target received it. */
export interface ReceivedRequest {
  readonly body: Json;
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests in flight, including this one. */
  readonly inFlight: number;
}

export type Answering = (seen: ReceivedRequest, count: number) => Partial<Answer> & { readonly ms?: number };

/** The usual answer of the fake target, with ten prompt tokens and five completion tokens. */
export function servedCompletion(content = 'ok', usage: Json = { prompt_tokens: 10, completion_tokens: 5 }): string {
  return aCompletion({ model: 'served-m', message: { content }, usage });
}

/** A planned cell for `s/NAME` that is new to the baseline, with so many trials. */
export function aCellToRun(model: ModelConfig, name: string, count = 1, changes: PlannedCellChanges = {}): PlannedCell {
  const trials = countedTrials(count);
  return aPlannedCell({ path: `s/${name}`, model, trials, expected: { kind: 'new' }, confirm: false, ...changes });
}

/** A target that answers with what `answer` returns, after `ms` milliseconds of the clock. */
export function fakeTarget(config: TargetConfig, clock: Clock, answer: Answering = () => ({})) {
  const seen: ReceivedRequest[] = [];
  let inFlight = 0;
  const most = { inFlight: 0 };
  const target: RunTarget = {
    config,
    account: config.apiKeyEnv ?? config.name,
    simulator: false,
    async send(body, { headers = {}, sent }, signal) {
      inFlight += 1;
      const request = { body, at: clock.now(), headers, inFlight };
      seen.push(request);
      sent?.();
      most.inFlight = Math.max(most.inFlight, inFlight);
      const { ms = 100, ...given } = answer(request, seen.length);
      await clock.sleep(ms, signal);
      inFlight -= 1;
      const interrupted = signal.aborted ? ({ kind: 'interrupted', message: 'cut' } as const) : null;
      const { timing, ...exchange } = anExchange(body, { body: [servedCompletion()], failure: interrupted, ...given });
      const startedAt = new Date(request.at).toISOString();
      return { ...exchange, timing: { ...timing, started_at: startedAt, headers_ms: ms, total_ms: ms } };
    },
  };
  return { target, seen, most };
}

/** Judges by the status alone. */
export function judgedByStatus({ answer }: Exchange): Outcome {
  const { status, failure } = answer;
  if (failure !== null || status === null) return aFault({ status, detail: failure?.message ?? null });
  if (status === 200) return passing;
  const reasons: Partial<Record<number, Reason>> = {
    401: 'auth',
    402: 'quota',
    429: 'rate_limited',
    503: 'overloaded',
  };
  const reason = reasons[status] ?? 'unknown';
  const fault = reason !== 'unknown' || status >= 500;
  const detail = `status ${status}`;
  return anOutcome({ passed: false, fault, class: 'http_error', reason, status, detail, rung: null });
}

/** A trial of one request, which is retried up to so many times after a fault. */
export function plainTrial(retries = 0): Trial {
  return (planned) =>
    function* (ask) {
      for (let attempt = 0; ; attempt += 1) {
        const body = { model: planned.cell.model.id, cell: planned.cell.key, kind: ask.kind, sample: ask.sample };
        const exchange = yield { purpose: 'probe', step: 'request', attempt, body };
        const outcome = judgedByStatus(exchange);
        if (!outcome.fault || attempt >= retries || isFinalReason(outcome.reason)) return outcome;
      }
    };
}

export function driveOptions(
  plan: Plan,
  targets: readonly RunTarget[],
  clock: Clock,
  changes: Partial<DriveOptions> = {},
): DriveOptions {
  return {
    plan,
    targets: new Map(targets.map((target) => [target.config.name, target])),
    courses: coursesFor({ plannedCells: plan.plannedCells }),
    trial: plainTrial(),
    controlBody: (model) => ({ model: model.id, control: true }),
    judgeControl: judgedByStatus,
    clock,
    budget: { requests: null, tokens: null, cost: null },
    run: { id: 'run-1', tool: { name: 'chatspec', version: '0.0.0' }, node: 'v20', shard: null },
    journal: null,
    recorded: null,
    ...changes,
  };
}

export async function eventsOf(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

type CellEvent = Extract<RunEvent, { type: 'cell' }>;

/** The findings, by cell key. */
export function findingsIn(events: readonly RunEvent[]): Record<string, CellEvent['finding']> {
  const cells = events.filter((event): event is CellEvent => event.type === 'cell');
  return Object.fromEntries(cells.map(({ cell, finding }) => [cell, finding]));
}

/** A journal in memory that lives as long as the process: what comes after the kill is lost. */
export function memoryJournal(lines: JournalLine[], lives: () => boolean = () => true): Journal {
  return {
    append: async (line) => {
      await Promise.resolve();
      if (lives()) {
        lines.push(line);
      } else {
        await new Promise(() => {});
      }
    },
    close: () => Promise.resolve(),
  };
}
