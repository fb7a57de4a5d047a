import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { RunEvent } from '../../journal/event.js';
import { usageIn } from './reply-tokens.js';

/** By cell: output tokens and milliseconds of each answer that passed. A service that reports no tokens gives 0. */
export type Measured = ReadonlyMap<string, readonly { readonly tokens: number; readonly ms: number }[]>;

/** A reporter that keeps how long the answers of each cell were, and how long they took. */
export function measuring(): { readonly measured: Measured; readonly onEvent: (event: RunEvent) => void } {
  const pending = new Map<string, { readonly tokens: number; readonly ms: number }>();
  const measured = new Map<string, { readonly tokens: number; readonly ms: number }[]>();
  return {
    measured,
    onEvent(event) {
      if (event.type === 'exchange' && event.purpose === 'probe') {
        const tokens = usageIn(replyIn(readAnswer(event.exchange.answer))).completion_tokens;
        pending.set(event.id, { tokens, ms: event.exchange.timing.total_ms });
      } else if (event.type === 'trial') {
        const answer = pending.get(event.exchanges.findLast((id) => pending.has(id)) ?? '');
        for (const id of event.exchanges) pending.delete(id);
        if (answer === undefined || !event.outcome.passed) return;
        measured.set(event.cell, [...(measured.get(event.cell) ?? []), answer]);
      }
    },
  };
}
