import { excerpt } from '../../chat/excerpt.js';
import type { RunEvent } from '../../journal/event.js';

type Trial = Extract<RunEvent, { type: 'trial' }>;

/** Counts the trials that chatspec itself could not ask or judge: faults without a class. */
export function openUnjudged() {
  let count = 0;
  /** Named in the note: the first by cell and exchange, since trials end in any order. */
  let first: { readonly cell: string; readonly exchange: string | null; readonly detail: string | null } | null = null;
  return {
    add({ cell, outcome, exchanges }: Trial): void {
      if (!outcome.fault || outcome.class !== null) return;
      count += 1;
      const exchange = exchanges.at(-1) ?? null;
      if (first === null || place(cell, exchange) < place(first.cell, first.exchange)) {
        first = { cell, exchange, detail: outcome.detail === null ? null : excerpt(outcome.detail, 300) };
      }
    },
    notes(): readonly string[] {
      if (first === null) return [];
      const which = first.exchange === null ? first.cell : `${first.cell}, exchange ${first.exchange}`;
      return [
        `chatspec could not judge ${count} ${count === 1 ? 'trial' : 'trials'}, which ${count === 1 ? 'says' : 'say'} nothing about the model: ${which}: ${first.detail ?? 'without a reason'}`,
      ];
    },
  };
}

const place = (cell: string, exchange: string | null): string => `${cell} ${exchange ?? ''}`;
