import type { RunReporter } from '../../assemble/execute-plan.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import { usageIn } from '../../report/gather/reply-tokens.js';

/** What the answers of a cell that passed took. */
export interface Measured {
  /** Output tokens, reasoning included; a service that reports none gives none. */
  readonly tokens: readonly number[];
  /** From the request to the end of the answer. */
  readonly milliseconds: readonly number[];
}

export interface Measuring extends RunReporter {
  readonly of: (cell: string) => Measured;
}

/** A reporter that keeps how long the answers of each cell were, and how long they took. */
export function openMeasuring(): Measuring {
  const pending = new Map<string, { readonly tokens: number; readonly ms: number }>();
  const cells = new Map<string, { tokens: number[]; milliseconds: number[] }>();
  return {
    onEvent(event) {
      if (event.type === 'exchange' && event.purpose === 'probe') {
        const reply = replyIn(readAnswer(event.exchange.answer));
        const tokens = usageIn(reply).completion_tokens;
        pending.set(event.id, { tokens, ms: event.exchange.timing.total_ms });
      } else if (event.type === 'trial') {
        const cell = cells.get(event.cell) ?? { tokens: [], milliseconds: [] };
        cells.set(event.cell, cell);
        const answer = pending.get(event.exchanges.findLast((id) => pending.has(id)) ?? '');
        for (const id of event.exchanges) pending.delete(id);
        if (answer === undefined || !event.outcome.passed) return;
        if (answer.tokens > 0) cell.tokens.push(answer.tokens);
        cell.milliseconds.push(answer.ms);
      }
    },
    of: (cell) => cells.get(cell) ?? { tokens: [], milliseconds: [] },
  };
}

/** The middle of a list, or the upper of its two middles; null for none. */
export function median(values: readonly number[]): number | null {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

export function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));
}
