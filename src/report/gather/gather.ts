import { splitAtModel } from '../../cell/cell-key.js';
import { readExchangeAnswer, replyIn } from '../../chat/read-answer.js';
import { openWireTally, type OpenWireTally } from '../../decide/wire/wire-standing.js';
import type { ExchangeRecord, GivenOptions, RunEvent, RunStarted, Stop } from '../../journal/event.js';
import { addSpent, spentOn } from '../../matrix/cost.js';
import { noUsage, type Gathered, type Spent } from '../../matrix/gathered.js';
import { openAnswerTimes, usageIn } from './answer-times.js';
import { type FailureSpool, memorySpool } from './failure-spool.js';
import { createSeenCells, reportedReason } from './seen-cells.js';
import { createSeenModels } from './seen-models.js';
import { exchangeOfStep, failedExchange, trialFailure, waitingExchange, type Waiting } from './waiting.js';

/** A reporter that keeps what the report needs of a run, whether live, resumed or judged again. */
export interface Gathering {
  onEvent(event: RunEvent): void;
  gathered(): Gathered;
  /** Every failing trial so far, for `failures.jsonl`. */
  readonly failures: Pick<FailureSpool, 'all' | 'close'>;
  /** By cell: the milliseconds of its requests together. */
  readonly cellTimes: ReadonlyMap<string, number>;
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** State of a run so far. */
interface GatheredSoFar {
  started: RunStarted | null;
  finishedAt: string | null;
  requests: number;
  readonly stops: Stop[];
  readonly models: ReturnType<typeof createSeenModels>;
  readonly cells: ReturnType<typeof createSeenCells>;
  readonly times: ReturnType<typeof openAnswerTimes>;
  /** By cell. */
  readonly spent: Map<string, Spent>;
  readonly cellTimes: Map<string, number>;
  /** By model. */
  readonly wire: Map<string, OpenWireTally>;
  /** By model, the id of the exchange that decided its opening control. */
  readonly controls: Map<string, string>;
  /** Exchanges wait here for their trial, which decides whether they are kept. */
  readonly pending: Map<string, Waiting>;
  readonly failures: FailureSpool;
}

/** @param failures where failing trials are kept; by default in memory */
export function openGathering(failures: FailureSpool = memorySpool()): Gathering {
  const soFar: GatheredSoFar = {
    started: null,
    finishedAt: null,
    requests: 0,
    stops: [],
    models: createSeenModels(),
    cells: createSeenCells(),
    times: openAnswerTimes(),
    spent: new Map(),
    cellTimes: new Map(),
    wire: new Map(),
    controls: new Map(),
    pending: new Map(),
    failures,
  };
  return {
    onEvent: (event) => noteEvent(soFar, event),
    gathered: () => ({
      run: gatheredRun(soFar),
      models: soFar.models.all,
      cells: soFar.cells.all,
      spent: soFar.spent,
      wire: soFar.wire,
      times: soFar.times.all(),
    }),
    failures,
    cellTimes: soFar.cellTimes,
  };
}

function noteEvent(soFar: GatheredSoFar, event: RunEvent): void {
  switch (event.type) {
    case 'run_started':
      soFar.started ??= event;
      return;
    case 'run_finished':
      soFar.finishedAt = event.at;
      return;
    case 'exchange':
      noteExchange(soFar, event);
      return;
    case 'model':
      noteOpening(soFar, event);
      return;
    case 'trial':
      noteTrial(soFar, event);
      return;
    case 'cell':
      soFar.cells.conclude(event);
      // Exchanges of trials that did not end.
      addCellTime(soFar, event);
      letGo(soFar, event.exchanges, false);
      return;
    case 'wire':
      noteWire(soFar, event);
      letGo(soFar, event.exchanges, false);
      return;
    case 'stopped':
      soFar.stops.push(reportedReason(event.stop));
      return;
    case 'waiting':
    case 'further':
    case 'left_alone':
      return;
  }
}

function noteExchange(soFar: GatheredSoFar, record: ExchangeRecord): void {
  const { spent, times, models, controls, pending } = soFar;
  const { id, model, cell, exchange } = record;
  const reply = replyIn(readExchangeAnswer(exchange.answer));
  soFar.requests++;
  times.add(record, reply);
  models.addAnswer(record, reply);
  if (cell === null) {
    controls.set(model, id);
    return;
  }
  const before = spent.get(cell) ?? { requests: 0, usage: noUsage };
  spent.set(cell, addSpent(before, spentOn(usageIn(reply))));
  pending.set(id, waitingExchange(record, reply));
  soFar.cells.addPrompt(record, reply);
}

function noteOpening({ models, controls, wire }: GatheredSoFar, event: EventOf<'model'>): void {
  models.addOpening(event);
  const control = controls.get(event.model) ?? null;
  for (const sighting of event.outcome.wire) tallyOf(wire, event.model).add(null, control, sighting);
}

function noteTrial(soFar: GatheredSoFar, trial: EventOf<'trial'>): void {
  const { cells, pending, failures } = soFar;
  const { cell, ask, outcome, exchanges } = trial;
  noteWire(soFar, trial);
  addCellTime(soFar, trial);
  if (!outcome.fault && ask.kind === 'trial') {
    cells.addServed(trial, pending.get(failedExchange(exchanges, outcome.step, pending) ?? ''));
  }
  if (!outcome.passed && !outcome.fault && !wasUnconstrained(trial)) {
    const { facts, ...failure } = trialFailure(trial, pending);
    failures.add({ cell, ask, ...failure, facts });
    cells.addFailure(trial, failure);
  }
  letGo(soFar, exchanges, outcome.passed);
}

const withoutReply: ReadonlySet<string | null> = new Set(['http_error', 'malformed_response']);

/**
 * Asked without the schema, or with a looser one, to see what the model does by itself: no text it writes is a failure.
 */
function wasUnconstrained({ ask: { kind }, outcome }: EventOf<'trial'>): boolean {
  return (kind === 'free' || kind === 'loose') && !withoutReply.has(outcome.class);
}

function noteWire({ wire, pending }: GatheredSoFar, { cell, outcome, exchanges }: EventOf<'trial' | 'wire'>): void {
  const tally = tallyOf(wire, splitAtModel(cell).model ?? '');
  for (const sighting of outcome.wire) tally.add(cell, exchangeOfStep(exchanges, sighting.step, pending), sighting);
}

function tallyOf(wire: GatheredSoFar['wire'], model: string): OpenWireTally {
  const tally = wire.get(model) ?? openWireTally();
  wire.set(model, tally);
  return tally;
}

/** Answers that a trial let go before are counted already. */
function addCellTime({ cellTimes, pending }: GatheredSoFar, { cell, exchanges }: EventOf<'trial' | 'cell'>): void {
  for (const id of exchanges) {
    const ms = pending.get(id)?.exchange.timing.total_ms;
    if (ms !== undefined) cellTimes.set(cell, (cellTimes.get(cell) ?? 0) + ms);
  }
}

/** Trials of these answers have ended, or will not. */
function letGo({ times, pending }: GatheredSoFar, exchanges: Iterable<string>, passed: boolean): void {
  for (const id of exchanges) {
    times.settle(id, passed);
    pending.delete(id);
  }
}

function gatheredRun({ started, finishedAt, requests, stops }: GatheredSoFar): Gathered['run'] {
  const config = started?.options?.['config'];
  return {
    id: started?.run ?? '',
    startedAt: started?.at ?? '',
    finishedAt,
    complete: finishedAt !== null,
    tool: started?.tool ?? { name: 'chatspec', version: '' },
    ...(typeof config === 'string' && { config }),
    ...filtersOf(started?.options ?? {}),
    requests,
    ...(started?.shard && { shard: { index: started.shard.index, of: started.shard.of } }),
    stops,
  };
}

const recordedFilterNames = ['models', 'suites', 'only', 'skip', 'tags'] as const;

function filtersOf(options: GivenOptions): Pick<Gathered['run'], 'filters'> {
  const given = recordedFilterNames.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const],
  );
  return given.length === 0 ? {} : { filters: Object.fromEntries(given) };
}
