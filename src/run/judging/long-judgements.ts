import type { Exchange } from '../../chat/exchange.js';
import { longestEvaluation } from '../../judge/jsonata/jsonata-engine.js';
import { climbLadder, judgeWithin, outcomeAfter, type Climbed, type Judging } from '../../judge/judge.js';
import { longestWork } from '../../judge/schema/conformance.js';
import type { Outcome } from '../../judge/outcome.js';
import { openThread, type Thread } from './thread.js';

/** Judges answers, those that take long in a thread of its own, so that nothing else waits for them. */
export interface Judgements {
  /** A promise only where it takes long. Never throws or rejects. */
  readonly judge: (cell: string, exchange: Exchange, judging: Judging) => Outcome | Promise<Outcome>;
  readonly close: () => void;
}

/**
 * Milliseconds that checks of an answer may take while everything waits; hardly any need one. At the second attempt their
 * programs are loaded, and on a busy machine the first may have got little of its time. Where another one has just come to
 * nothing, only what takes next to no time is judged at once.
 */
const patience = { first: 25, second: 50, meanwhile: 1 };

/** A service says how many calls of an answer are checked against a schema, so these share the time of so many checks. */
const mostSlowChecks = 5;

interface Waiting {
  readonly cell: string;
  readonly begin: () => void;
}

type JudgingThread = Thread<{ readonly exchange: Exchange; readonly judging: Judging }, Climbed>;

/**
 * @param thread by default the one of this folder
 * @param now milliseconds
 */
export function openJudgements(
  thread: JudgingThread = openThread(new URL('./judge-thread.js', import.meta.url)),
  now: () => number = () => performance.now(),
): Judgements {
  const slow = new Set<string>();
  /** Milliseconds that the thread has worked, by cell. */
  const used = new Map<string, number>();
  const waiting: Waiting[] = [];
  let isBusy = false;
  /** The last attempt in this turn of the event loop that came to nothing, or that waits for a turn of its own. */
  let attempts: Promise<void> | null = null;

  const judgeApart = async (exchange: Exchange, judging: Judging): Promise<Outcome> => {
    const mostMs = mostSlowChecks * longestWork + judging.expectation.rules.length * longestEvaluation;
    const { request, answer, timing } = exchange;
    const asked = await thread.ask({ exchange: { request, answer, timing }, judging }, mostMs);
    switch (asked.kind) {
      case 'answer':
        return outcomeAfter(asked.answer, exchange, judging);
      case 'stopped':
        return outcomeAfter({ kind: 'unjudged', error: asked.error }, exchange, judging);
      case 'unavailable':
        return outcomeAfter(climbLadder(exchange, judging), exchange, judging);
    }
  };

  /** Cells whose answers take long wait for each other, not those of other cells. */
  const next = (): Waiting | undefined => {
    let least = 0;
    for (const [index, { cell }] of waiting.entries())
      if (usedBy(cell) < usedBy(waiting[least]?.cell ?? cell)) least = index;
    return waiting.splice(least, 1)[0];
  };
  const usedBy = (cell: string): number => used.get(cell) ?? 0;

  const judgeInTurn = async (cell: string, exchange: Exchange, judging: Judging): Promise<Outcome> => {
    if (isBusy) await new Promise<void>((begin) => waiting.push({ cell, begin }));
    isBusy = true;
    const begun = now();
    const outcome = await judgeApart(exchange, judging);
    used.set(cell, usedBy(cell) + now() - begun);
    const following = next();
    if (following === undefined) isBusy = false;
    else following.begin();
    return outcome;
  };

  /** Each in a turn of the event loop of its own, so that what else there is to do waits for one of them at most. */
  const attemptLater = async (cell: string, exchange: Exchange, judging: Judging): Promise<Outcome> => {
    const before = attempts;
    const turn = (async () => {
      await before;
      await new Promise<void>((resolve) => setImmediate(resolve));
    })();
    attempts = turn;
    await turn;
    const outcome = slow.has(cell) ? null : judgeWithin(patience.second, exchange, judging);
    if (attempts === turn) attempts = null;
    if (outcome !== null) return outcome;
    slow.add(cell);
    return judgeInTurn(cell, exchange, judging);
  };

  return {
    judge(cell, exchange, judging) {
      if (slow.has(cell)) return judgeInTurn(cell, exchange, judging);
      const atOnce = attempts === null ? patience.first : patience.meanwhile;
      return judgeWithin(atOnce, exchange, judging) ?? attemptLater(cell, exchange, judging);
    },
    close: () => thread.close(),
  };
}
