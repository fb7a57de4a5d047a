import { enoughExchanges } from '../../decide/wire/wire-standing.js';
import type { ReportQuirk } from '../report-format.js';
import type { Pair } from './pair.js';

/** A quirk that is the rule on one side and never shows on the other. */
export interface WireChange {
  readonly model: string;
  readonly quirk: string;
  readonly change: 'became the rule' | 'ended';
  /** In how many answers it showed, where it is the rule. */
  readonly seen: number;
  readonly of: number;
  readonly breaks: readonly string[];
  /** Those that show it on one side only. */
  readonly cells: readonly string[];
}

type Quirks = ReadonlyMap<string, ReportQuirk>;

/**
 * Changes of the wire per model, under the names that both sides share. A quirk that came and went on either side is no
 * change, nor is one that the other side had no occasion to show: a cell that both judged must tell them apart.
 */
export function wireChangesOf(base: Quirks, head: Quirks, pairs: readonly Pair[]): WireChange[] {
  const found = (rules: Quirks, others: Quirks, change: WireChange['change']): WireChange[] =>
    [...rules].flatMap(([name, { model, quirk, seen, of, breaks, cells }]) => {
      if (seen < of || seen < enoughExchanges || (others.get(name)?.seen ?? 0) > 0) return [];
      const showing = new Set(cells);
      const telling = pairs.filter((pair) => {
        const [shown, silent] = change === 'ended' ? [pair.base, pair.head] : [pair.head, pair.base];
        return showing.has(shown.key) && shown.quirks.includes(quirk) && !silent.quirks.includes(quirk);
      });
      if (telling.length === 0) return [];
      return [{ model, quirk, change, seen, of, breaks, cells: telling.map((pair) => pair.name) }];
    });
  return [...found(head, base, 'became the rule'), ...found(base, head, 'ended')];
}
