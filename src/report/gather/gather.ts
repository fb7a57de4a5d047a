import { compareTexts } from '../../json/compare-texts.js';
import { sumOfUsage, addSpent, spentOn } from '../../matrix/cost.js';
import { mostFingerprints, servedFields } from '../../matrix/served-by.js';
import { type Count, sumOf } from '../../stats/count.js';
import { splitAtModel } from '../../cell/cell-key.js';
import { openWireTally } from '../../decide/wire/wire-standing.js';
import { type CellSeen, type Gathered, type ModelSeen, noUsage, type Spent } from '../../matrix/gathered.js';
import type { CellFailure } from '../../matrix/report-format.js';
import type { Finding } from '../../decide/course.js';
import type { Ask } from '../../plan/ticket.js';
import { reportExcerpt } from '../safe/capped.js';
import { exchangeOfStep, failedExchange, trialFailure, waitingExchange, type Waiting } from './waiting.js';
import { type FailureSpool, memorySpool } from './failure-spool.js';
import type { ExchangeRecord, GivenOptions, RunEvent, Stop, StopReason } from '../../journal/event.js';
import { replyIn, readExchangeAnswer } from '../../chat/read-answer.js';
import { reasoningTookTokens, usageIn, openAnswerTimes } from './answer-times.js';
import { refusalName } from '../../judge/refusals/refusal-name.js';
import { stopText } from '../words/facts.js';
import { writtenJson } from '../../json/json-text.js';

type GatheredServedField = (typeof servedFields)[number];

/** A reporter that keeps what the report needs of a run, whether live, resumed or judged again. */
export interface Gathering {
  onEvent(event: RunEvent): void;
  gathered(): Gathered;
  /** Every failing trial so far, for `failures.jsonl`. */
  readonly failures: Pick<FailureSpool, 'all' | 'close'>;
}

/** So many kinds of failure of a cell the report tells apart; more are counted with none. */
const mostKinds = 20;
const shownViolations = 5;

type MutableCellSeen = { -readonly [Name in keyof Omit<CellSeen, 'served'>]: CellSeen[Name] } & {
  readonly served: Map<GatheredServedField, Map<string, Count>>;
  /** By kind of failure: its first trial, and how many there are. */
  readonly kinds: Map<string, FailedAsk>;
};
type FailedAsk = { readonly ask: Ask; readonly failure: CellFailure };
type TrialEvent = Extract<RunEvent, { type: 'trial' }>;
type SeenWire = Pick<TrialEvent, 'cell' | 'outcome' | 'exchanges'>;

/** @param failures where failing trials are kept; by default in memory */
export function openGathering(failures: FailureSpool = memorySpool()): Gathering {
  let started: Extract<RunEvent, { type: 'run_started' }> | null = null;
  let finishedAt: string | null = null;
  let requests = 0;
  const stops: Stop[] = [];
  const times = openAnswerTimes();
  const models = new Map<string, ModelSeen>();
  const cells = new Map<string, MutableCellSeen>();
  const spent = new Map<string, Spent>();
  const wire = new Map<string, ReturnType<typeof openWireTally>>();
  /** The id of the exchange that decided each opening control. */
  const controls = new Map<string, string>();
  // Exchanges wait here for their trial, which decides whether they are kept.
  const pending = new Map<string, Waiting>();

  const cellOf = (key: string): MutableCellSeen => {
    const seen = cells.get(key) ?? {
      finding: null,
      exchanges: [],
      failures: [],
      kinds: new Map<string, FailedAsk>(),
      reasoningTookTokens: 0,
      served: new Map<GatheredServedField, Map<string, Count>>(),
    };
    cells.set(key, seen);
    return seen;
  };

  const seeExchange = (record: ExchangeRecord) => {
    requests++;
    const { answer } = record.exchange;
    const seen = models.get(record.model) ?? emptyModelSeen;
    const { served, fingerprint } = record;
    const reply = replyIn(readExchangeAnswer(answer));
    const usage = usageIn(reply);
    if (record.cell !== null) {
      const before = spent.get(record.cell) ?? { requests: 0, usage: noUsage };
      spent.set(record.cell, addSpent(before, spentOn(usage)));
    }
    times.add(record, reply);
    models.set(record.model, {
      reachable: seen.reachable,
      outcome: seen.outcome,
      served: withName(seen.served, served, mostServed),
      servedCounts: counted(seen.servedCounts ?? {}, served),
      fingerprints: withName(seen.fingerprints ?? [], fingerprint, mostFingerprints),
      usage: sumOfUsage(seen.usage, usage),
      refusals: withRefusal(seen.refusals ?? [], record.exchange),
      requests: (seen.requests ?? 0) + 1,
    });
    if (record.cell === null) {
      controls.set(record.model, record.id);
    } else {
      pending.set(record.id, waitingExchange(record, reply));
    }
  };

  const forget = (exchanges: Iterable<string>, passed: boolean) => {
    for (const id of exchanges) {
      times.settle(id, passed);
      pending.delete(id);
    }
  };

  const tallyOf = (model: string): ReturnType<typeof openWireTally> => {
    const tally = wire.get(model) ?? openWireTally();
    wire.set(model, tally);
    return tally;
  };

  const seeWire = ({ cell, outcome, exchanges }: SeenWire) => {
    const tally = tallyOf(splitAtModel(cell).model ?? '');
    for (const sighting of outcome.wire) tally.add(cell, exchangeOfStep(exchanges, sighting.step, pending), sighting);
  };

  const seeServed = ({ cell, outcome, exchanges }: TrialEvent) => {
    const judged = pending.get(failedExchange(exchanges, outcome.step, pending) ?? '');
    const { served } = cellOf(cell);
    for (const field of servedFields) {
      const value = judged?.served[field] ?? null;
      if (value === null) continue;
      const counts = served.get(field) ?? new Map<string, Count>();
      served.set(field, counts);
      if (counts.size >= mostServed && !counts.has(value)) continue;
      counts.set(
        value,
        sumOf([counts.get(value) ?? { passed: 0, total: 0 }, { passed: Number(outcome.passed), total: 1 }]),
      );
    }
  };

  const seeTrial = (trial: TrialEvent) => {
    const { outcome } = trial;
    seeWire(trial);
    if (!outcome.fault && trial.ask.kind === 'trial') seeServed(trial);
    if (!outcome.passed && !outcome.fault && !wasUnconstrained(trial)) {
      const seen = cellOf(trial.cell);
      const { facts, ...failure } = trialFailure(trial, pending);
      failures.add({ cell: trial.cell, ask: trial.ask, ...failure, facts });
      countFailure(seen.kinds, { ask: trial.ask, failure: abridged(failure) });
      seen.failures = mostFrequentFirst(seen.kinds);
      if (reasoningTookTokens(outcome.reply)) seen.reasoningTookTokens++;
    }
    forget(trial.exchanges, outcome.passed);
  };

  return {
    onEvent(event) {
      switch (event.type) {
        case 'run_started':
          started ??= event;
          return;
        case 'run_finished':
          finishedAt = event.at;
          return;
        case 'exchange':
          seeExchange(event);
          return;
        case 'model':
          models.set(event.model, {
            ...(models.get(event.model) ?? emptyModelSeen),
            reachable: event.reachable,
            outcome: {
              ...event.outcome,
              detail: reportExcerpt(event.outcome.detail),
              value: undefined,
              reply: null,
              wire: [],
            },
          });
          for (const sighting of event.outcome.wire) {
            tallyOf(event.model).add(null, controls.get(event.model) ?? null, sighting);
          }
          return;
        case 'trial':
          seeTrial(event);
          return;
        case 'cell':
          Object.assign(cellOf(event.cell), {
            finding: explained(event.finding, event.stop && keptReason(event.stop)),
            exchanges: event.exchanges,
            stopped: event.stop !== undefined,
          });
          // Exchanges of trials that did not end.
          forget(event.exchanges, false);
          return;
        case 'wire':
          seeWire(event);
          forget(event.exchanges, false);
          return;
        case 'stopped':
          stops.push(keptReason(event.stop));
          return;
        case 'waiting':
        case 'further':
        case 'left_alone':
          return;
      }
    },
    gathered() {
      return {
        run: {
          id: started?.run ?? '',
          startedAt: started?.at ?? '',
          finishedAt,
          complete: finishedAt !== null,
          tool: started?.tool ?? { name: 'chatspec', version: '' },
          ...recordedConfig(started?.options?.['config']),
          ...filtersOf(started?.options ?? {}),
          requests,
          ...(started?.shard && { shard: { index: started.shard.index, of: started.shard.of } }),
          stops,
        },
        models,
        cells,
        spent,
        wire,
        times: times.all(),
      };
    },
    failures,
  };
}

/** The finding of a cell; if nothing else explains why it did not pass, its detail says why it was not fully asked. */
function explained(finding: Finding, stop: StopReason | undefined): Finding {
  const detail = reportExcerpt(finding.detail);
  if (stop === undefined || detail !== null || finding.verdict === 'pass') return { ...finding, detail };
  return { ...finding, detail: stopText(stop) };
}

const recordedConfig = (config: unknown) => (typeof config === 'string' ? { config } : {});

const recordedFilterNames = ['models', 'suites', 'only', 'skip', 'tags'] as const;

function filtersOf(options: GivenOptions): Pick<Gathered['run'], 'filters'> {
  const given = recordedFilterNames.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const],
  );
  return given.length === 0 ? {} : { filters: Object.fromEntries(given) };
}

const emptyModelSeen: ModelSeen = { reachable: null, outcome: null, served: [], fingerprints: [], usage: noUsage };

/** Two names tell that a model refuses not everything alike. */
function withRefusal(names: readonly string[], { request, answer }: ExchangeRecord['exchange']): readonly string[] {
  return names.length > 1 || names[0] === 'completed' ? names : withName(names, refusalName(request.body, answer), 2);
}

/** So many names of a model are kept: more than fingerprints, since a service that routes requests has many. */
const mostServed = 100;

function counted(counts: Readonly<Record<string, number>>, served: string | null): Readonly<Record<string, number>> {
  const name = reportExcerpt(served);
  if (name === null || (Object.keys(counts).length >= mostServed && !Object.hasOwn(counts, name))) return counts;
  return { ...counts, [name]: (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1 };
}

function withName(known: readonly string[], found: string | null, most: number): readonly string[] {
  if (found === null || known.length >= most) return known;
  const name = reportExcerpt(found);
  return known.includes(name) ? known : [...known, name];
}

/** Some kinds of stop repeat what a service wrote. */
function keptReason<Reason extends StopReason>(reason: Reason): Reason {
  if (reason.kind === 'quota' || reason.kind === 'key_refused') {
    return { ...reason, detail: reportExcerpt(reason.detail) };
  }
  return reason.kind === 'unanswered' ? { ...reason, detail: reportExcerpt(reason.detail) } : reason;
}

const withoutReply: ReadonlySet<string | null> = new Set(['http_error', 'malformed_response']);

/**
 * Asked without the schema, or with a looser one, to see what the model does by itself: no text it writes is a failure.
 */
function wasUnconstrained({ ask: { kind }, outcome }: TrialEvent): boolean {
  return (kind === 'free' || kind === 'loose') && !withoutReply.has(outcome.class);
}

/** Trials end in any order, and which ones are shown must not depend on it, or rejudging would change the report. */
function byTrial({ ask: a, failure: one }: FailedAsk, { ask: b, failure: other }: FailedAsk): number {
  return (
    Number(isNoEvidence(a, one)) - Number(isNoEvidence(b, other)) ||
    a.sample - b.sample ||
    compareTexts(a.kind, b.kind) ||
    compareTexts(writtenJson(a.patch), writtenJson(b.patch))
  );
}

/** A truncated reply proves nothing about the schema, so support cannot use it. */
const isNoEvidence = ({ kind }: Ask, { class: shown }: CellFailure): boolean =>
  kind !== 'trial' && shown === 'truncated';

/** Trials may end in any order: the first of a kind is the one that was asked first. */
function countFailure(kinds: Map<string, FailedAsk>, one: FailedAsk): void {
  const { class: kind, reason, status } = one.failure;
  const name = writtenJson([kind, reason, status]);
  const before = kinds.get(name);
  if (before === undefined) {
    if (kinds.size < mostKinds) kinds.set(name, one);
    return;
  }
  const first = byTrial(one, before) < 0 ? one : before;
  kinds.set(name, { ask: first.ask, failure: { ...first.failure, count: countOf(before) + 1 } });
}

const countOf = ({ failure }: FailedAsk): number => failure.count ?? 1;

function mostFrequentFirst(kinds: ReadonlyMap<string, FailedAsk>): readonly CellFailure[] {
  return [...kinds.values()]
    .sort((one, other) => countOf(other) - countOf(one) || byTrial(one, other))
    .map(({ failure }) => failure);
}

function abridged(failure: CellFailure): CellFailure {
  return { ...failure, violations: failure.violations.slice(0, shownViolations) };
}
