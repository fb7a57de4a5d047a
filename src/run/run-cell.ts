import type { Exchange } from '../chat/exchange.js';
import type { Course, Finding, Trial } from '../decide/course.js';
import { NotSent } from '../decide/trial/trial.js';
import type { Outcome } from '../judge/outcome.js';
import type { Ask, CourseName, Ticket } from '../plan/ticket.js';
import { openExchangeIds } from '../journal/exchange-ids.js';
import type { Asker } from './requester.js';
import type { RunEvent } from '../journal/event.js';
import { inTurn } from './in-turn.js';
import type { ModelLane } from './target-state.js';
import { leanOutcomes } from './lean-outcome.js';
import { leastTrials, notAsked } from './not-asked.js';
import { stopForQuota } from './limits/backpressure.js';

export interface CellOptions {
  readonly ask: Asker;
  readonly courses: Readonly<Record<CourseName, Course>>;
  readonly trial: Trial;
  readonly emit: (event: RunEvent) => Promise<void>;
}

/** A trial that came to its end, or why it did not. */
type Tried = { readonly exchanges: readonly string[] } & (
  { readonly kind: 'outcome'; readonly outcome: Outcome } | { readonly kind: 'missing'; readonly why: string }
);

/** How a trial ended, as far as its course must know. */
type Ended = Outcome | { readonly missing: string };

const isMissing = (ended: Ended): ended is Exclude<Ended, Outcome> => 'missing' in ended;

/** Asks that bring nothing although asking has ended: a course that goes on after them would never end. */
const patience = 3;

/**
 * Turns the two cranks for one cell. When nothing more is sent, the course gets every outcome there is, also behind one
 * that is missing: a failure that was seen must show. It concludes from what it has.
 */
export async function runCell(ticket: Ticket, lane: ModelLane, options: CellOptions): Promise<Finding> {
  const exchanges = openExchangeIds();
  let trialsBegun = 0;
  const noteInTurn = inTurn<readonly string[]>((ids) => {
    for (const id of ids) exchanges.add(id);
  });
  const course = options.courses[ticket.course](ticket);
  const lean = leanOutcomes(ticket.cell.probe.enforce !== null);
  let missing: string | null = null;
  let outcomesSeen = 0;
  let fruitless = 0;
  let turn = course.next();
  while (turn.done !== true) {
    const before = trialsBegun;
    trialsBegun += turn.value.length;
    const ended = await runBatch(turn.value, lane, async (ask, index) => {
      const tried = await runTrial(ask, ticket, lane, options);
      noteInTurn(before + index, tried.exchanges);
      return tried.kind === 'outcome' ? lean(tried.outcome) : { missing: tried.why };
    });
    const outcomes = ended.map((one) => (isMissing(one) ? undefined : one));
    const seen = ended.length - ended.filter(isMissing).length;
    missing ??= ended.find(isMissing)?.missing ?? null;
    outcomesSeen += seen;
    fruitless = seen === 0 ? fruitless + 1 : 0;
    if (fruitless > patience) throw new Error(`the course "${ticket.course}" asks without end`);
    turn = course.next(outcomes);
  }
  const finding = concluded(turn.value, missing, outcomesSeen, ticket);
  await options.emit({ type: 'cell', cell: ticket.cell.key, finding, exchanges });
  return finding;
}

function concluded(finding: Finding, missing: string | null, outcomesSeen: number, ticket: Ticket): Finding {
  if (missing === null) return finding;
  if (outcomesSeen === 0) return notAsked('not_run', missing, finding.needed || leastTrials(ticket));
  return finding.detail === null && finding.verdict !== 'pass' ? { ...finding, detail: missing } : finding;
}

/** Trials of a batch run at the same time, as many as there is room for, and begin in the order of the asks. */
async function runBatch(
  asks: readonly Ask[],
  lane: ModelLane,
  tryOne: (ask: Ask, index: number) => Promise<Ended>,
): Promise<readonly Ended[]> {
  // Made whole at once: the memory of a batch is taken when it begins, and does not grow while it is asked.
  const ended = new Array<Ended>(asks.length);
  // All runners take from the same row: a batch of thousands has no more promises than there is room for.
  const row = asks.entries();
  const runner = async (): Promise<void> => {
    for (const [index, ask] of row) ended[index] = await tryOne(ask, index);
  };
  const runners = Math.min(asks.length, lane.lane.target.config.limits.concurrency);
  await Promise.all(Array.from({ length: runners }, runner));
  return ended;
}

async function runTrial(ask: Ask, ticket: Ticket, lane: ModelLane, options: CellOptions): Promise<Tried> {
  const { key, model } = ticket.cell;
  const trial = options.trial(ticket, ask);
  const exchanges: string[] = [];
  let last: { readonly exchange: Exchange; readonly live: boolean } | null = null;
  let turn = trial.next();
  while (turn.done !== true) {
    const question = { model: model.key, cell: key, ask, send: turn.value };
    const asked = await options.ask(lane, question, last?.exchange ?? null);
    if (asked.kind === 'missing') {
      // What the trial showed does not depend on its retry, which is an extra figure.
      if (turn.value.purpose !== 'retry') return { ...asked, exchanges };
      turn = trial.throw(new NotSent());
      continue;
    }
    last = asked;
    exchanges.push(asked.id);
    turn = trial.next(asked.exchange);
  }
  const outcome = turn.value;
  if (outcome.fault && outcome.reason === 'quota' && last?.live === true) stopForQuota(lane, outcome.detail);
  await options.emit({ type: 'trial', cell: key, ask, outcome, exchanges });
  return { kind: 'outcome', outcome, exchanges };
}
