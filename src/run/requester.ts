import type { Exchange } from '../chat/exchange.js';
import { readAnswer, replyIn } from '../chat/read-answer.js';
import { retryAfterOf } from '../chat/errors/retry-after.js';
import type { ModelConfig } from '../config/config.js';
import { backoffMs, looksLikeFault } from './limits/backoff.js';
import type { Purse } from './limits/budget-ledger.js';
import { billedUsage, reportedUsage } from './limits/token-estimator.js';
import type { Clock } from './clock.js';
import type { ExchangeRecord } from '../journal/event.js';
import type { Halt } from './limits/halt.js';
import type { ModelLane } from './target-state.js';
import { longestPause, react, stopForPause } from './limits/backpressure.js';
import type { Question, Recorded } from '../journal/recorded-run.js';
import { simulatorHeaders } from './simulator-headers.js';

/** What came of a question: an exchange, or nothing because nothing more is sent. */
export type Asked =
  | {
      readonly kind: 'exchange';
      readonly id: string;
      readonly exchange: Exchange;
      /** Sent just now, not taken from a journal. */
      readonly live: boolean;
    }
  | { readonly kind: 'missing'; readonly why: string };

/** @param earlier the exchange before this one in the same trial */
export type Asker = (lane: ModelLane, question: Question, earlier: Exchange | null) => Promise<Asked>;

export interface AskerOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly purse: Purse;
  /** Of the whole run; a used-up budget stops it. */
  readonly run: Halt;
  /** Exchanges of an earlier run; they answer before anything is sent. */
  readonly recorded: Recorded | null;
  /** Why an exchange that is not recorded is missing; null: it is asked for. */
  readonly nothingSent: ((model: ModelConfig) => string) | null;
  /** Cuts requests in flight. */
  readonly cut: AbortSignal;
  /** Writes the exchange down, unless it comes from the journal; what it says counts only afterwards. */
  readonly record: (record: ExchangeRecord, from: 'journal' | 'service' | 'simulator') => Promise<void>;
  readonly nextId: () => string;
  readonly waiting: (target: string, ms: number, why: string) => void;
}

/**
 * A further attempt at a probe or a control is one: the trial has judged what came before, which a status does not tell
 * (a refusal inside a 200). A client's retry of a wrong answer follows at once, unless that was a fault itself.
 */
function repeatsFault({ send }: Question, earlier: Exchange | null): earlier is Exchange {
  return send.attempt > 0 && earlier !== null && (send.purpose !== 'retry' || looksLikeFault(earlier.answer));
}

/** Asks one question: from the journal, or over the wire within every limit. */
export function createAsker(options: AskerOptions): Asker {
  const { clock, purse, recorded } = options;

  const fromJournal = async (lane: ModelLane, question: Question): Promise<Asked | null> => {
    const record = await recorded?.take(question);
    if (record === null || record === undefined) return null;
    const { exchange } = record;
    // Charged when the run was resumed; here the estimates learn from it.
    lane.estimator.spent(exchange.request.body, billedUsage(exchange.answer));
    await options.record(record, 'journal');
    return { kind: 'exchange', id: record.id, exchange, live: false };
  };

  /** Until the model may be asked again, at the earliest after a decent pause when this repeats a fault. */
  const waitForTurn = async (lane: ModelLane, question: Question, earlier: Exchange | null): Promise<void> => {
    const { name } = lane.lane.target.config;
    if (repeatsFault(question, earlier)) {
      const asked = 1000 * (retryAfterOf(earlier.answer, clock.now()) ?? 0);
      const since = clock.now() - (Date.parse(earlier.timing.started_at) + earlier.timing.total_ms);
      const left = asked - Math.max(0, since);
      // Whatever the status, and also when the refusal comes from the journal: nobody waits for hours.
      if (left > longestPause) {
        stopForPause(lane, asked);
        return;
      }
      const ms = Math.max(left, backoffMs(question, lane.lane.firstBackoff));
      options.waiting(name, ms, 'before a fault is retried');
      await clock.sleep(ms, lane.halt.signal);
    }
    while (lane.halt.why() === null && lane.pausedUntil > clock.now()) {
      options.waiting(name, lane.pausedUntil - clock.now(), 'the service asked for a pause');
      await clock.sleep(lane.pausedUntil - clock.now(), lane.halt.signal);
    }
  };

  const sendNow = async (lane: ModelLane, question: Question): Promise<Asked> => {
    const { target, window } = lane.lane;
    const { body } = question.send;
    const most = lane.estimator.most(body);
    const reservation = await purse.reserve(most);
    if (typeof reservation === 'string') {
      options.run.stop(reservation);
      return { kind: 'missing', why: lane.halt.why() ?? reservation };
    }
    const admission = await window.admit(most.tokens, lane.halt.signal);
    const halted = lane.halt.why();
    if (admission === null || halted !== null) {
      reservation.release();
      return { kind: 'missing', why: halted ?? 'interrupted' };
    }
    const sentAt = clock.now();
    const headers = target.simulator ? simulatorHeaders(options.seed, question) : {};
    let exchange: Exchange;
    try {
      exchange = await target.send(body, { headers }, options.cut);
    } catch (error) {
      reservation.release();
      throw error;
    }
    if (exchange.answer.failure?.kind === 'interrupted') {
      reservation.settle(most);
      return { kind: 'missing', why: lane.halt.why() ?? 'interrupted' };
    }
    const reply = replyIn(readAnswer(exchange.answer));
    const spent = lane.estimator.spent(body, billedUsage(exchange.answer, reply));
    reservation.settle(spent);
    admission.settle(spent.tokens);
    const { model, cell, ask, send } = question;
    const id = options.nextId();
    const { purpose, step, attempt } = send;
    const served = reply?.model ?? null;
    const fingerprint = reply?.system_fingerprint ?? null;
    await options.record(
      { type: 'exchange', id, model, cell, ask, purpose, step, attempt, served, fingerprint, exchange },
      target.simulator ? 'simulator' : 'service',
    );
    const usage = reportedUsage(reply);
    if (usage !== null && purse.countsTokens && lane.estimator.overshot(body, usage)) {
      lane.lane.halt.stop(`${model} wrote more than max_tokens allowed, so the budget could not be held`);
    }
    react(lane, body, exchange.answer, sentAt, clock.now());
    return { kind: 'exchange', id, exchange, live: true };
  };

  return async (lane, question, earlier) => {
    const known = await fromJournal(lane, question);
    if (known !== null) return known;
    if (options.nothingSent !== null) return { kind: 'missing', why: options.nothingSent(lane.model) };
    for (let first = true; ; first = false) {
      await waitForTurn(lane, question, first ? earlier : null);
      const asked = await lane.slots.run(() =>
        lane.lane.slots.run(async () => {
          const halted = lane.halt.why();
          if (halted !== null) return { kind: 'missing', why: halted } as const;
          // The pause may have begun while this one stood in line.
          return lane.pausedUntil > clock.now() ? null : sendNow(lane, question);
        }),
      );
      if (asked !== null) return asked;
    }
  };
}
