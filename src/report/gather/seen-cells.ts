import type { Finding } from '../../decide/course.js';
import type { Reply } from '../../chat/reply.js';
import type { ExchangeRecord, RunEvent, StopReason } from '../../journal/event.js';
import type { CellSeen } from '../../matrix/gathered.js';
import type { CellFailure } from '../../matrix/report-format.js';
import { servedFields } from '../../matrix/served-by.js';
import { type Count, sumOf } from '../../stats/count.js';
import { reportExcerpt } from '../safe/capped.js';
import { stopText } from '../words/facts.js';
import { reasoningTookTokens } from './answer-times.js';
import { countFailure, mostFrequentFirst, type FailureKinds } from './failure-kinds.js';
import { mostServed } from './seen-models.js';
import { withPrompt } from './seen-prompts.js';
import type { Waiting } from './waiting.js';

type GatheredServedField = (typeof servedFields)[number];
type TrialEvent = Extract<RunEvent, { type: 'trial' }>;

type MutableCellSeen = { -readonly [Name in keyof Omit<CellSeen, 'served'>]: CellSeen[Name] } & {
  readonly served: Map<GatheredServedField, Map<string, Count>>;
  readonly kinds: FailureKinds;
};

/** Results of the trials of each cell. */
export interface SeenCells {
  readonly all: ReadonlyMap<string, CellSeen>;
  readonly addFailure: (trial: TrialEvent, failure: CellFailure) => void;
  /** Counts the trial for whoever served its answer. */
  readonly addServed: (trial: TrialEvent, answer: Waiting | undefined) => void;
  readonly addPrompt: (record: ExchangeRecord, reply: Reply | null) => void;
  readonly conclude: (cell: Extract<RunEvent, { type: 'cell' }>) => void;
}

export function createSeenCells(): SeenCells {
  const all = new Map<string, MutableCellSeen>();
  const cellOf = (key: string): MutableCellSeen => {
    const seen: MutableCellSeen = all.get(key) ?? {
      finding: null,
      exchanges: [],
      failures: [],
      kinds: new Map(),
      reasoningTookTokens: 0,
      served: new Map(),
    };
    all.set(key, seen);
    return seen;
  };
  return {
    all,
    addFailure({ cell, ask, outcome }, failure) {
      const seen = cellOf(cell);
      countFailure(seen.kinds, { ask, failure });
      seen.failures = mostFrequentFirst(seen.kinds);
      if (reasoningTookTokens(outcome.reply)) seen.reasoningTookTokens++;
    },
    addServed({ cell, outcome }, answer) {
      const { served } = cellOf(cell);
      for (const field of servedFields) {
        const value = answer?.served[field] ?? null;
        if (value === null) continue;
        const counts = served.get(field) ?? new Map<string, Count>();
        served.set(field, counts);
        if (counts.size >= mostServed && !counts.has(value)) continue;
        const before = counts.get(value) ?? { passed: 0, total: 0 };
        counts.set(value, sumOf([before, { passed: Number(outcome.passed), total: 1 }]));
      }
    },
    addPrompt(record, reply) {
      if (record.cell === null) return;
      const seen = cellOf(record.cell);
      seen.prompts = withPrompt(seen.prompts ?? [], record, reply);
    },
    conclude({ cell, finding, exchanges, stop }) {
      const seen = cellOf(cell);
      seen.finding = explained(finding, stop && reportedReason(stop));
      seen.exchanges = exchanges;
      seen.stopped = stop !== undefined;
    },
  };
}

/** The finding of a cell; if nothing else explains why it did not pass, its detail says why it was not fully asked. */
function explained(finding: Finding, stop: StopReason | undefined): Finding {
  const detail = reportExcerpt(finding.detail);
  if (stop === undefined || detail !== null || finding.verdict === 'pass') return { ...finding, detail };
  return { ...finding, detail: stopText(stop) };
}

/** Some kinds of stop repeat what a service wrote. */
export function reportedReason<Reason extends StopReason>(reason: Reason): Reason {
  switch (reason.kind) {
    case 'quota':
    case 'key_refused':
    case 'unanswered':
      return { ...reason, detail: reportExcerpt(reason.detail) };
    default:
      return reason;
  }
}
