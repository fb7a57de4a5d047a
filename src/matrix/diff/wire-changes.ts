import { enoughExchanges } from '../../decide/wire/wire-standing.js';
import type { ReportQuirk } from '../report-format.js';
import type { Pair } from './changes.js';

/** A quirk that is the rule on one side and never shows on the other. */
export interface WireChange {
  readonly model: string;
  readonly quirk: string;
  readonly change: 'became the rule' | 'ended';
  /** In how many answers it showed. */
  readonly seen: number;
  readonly of: number;
  readonly breaks: readonly string[];
  /** What it breaks of the user's own clients that read the answers of the base: `openai 6.49: throws`. */
  readonly loses: readonly string[];
  /** Those that show it on one side only. */
  readonly cells: readonly string[];
}

type Quirks = ReadonlyMap<string, ReportQuirk>;

/**
 * Changes of the wire per model, under the names that both sides share. A quirk that came and went on either side is no
 * change, nor is one that the other side had no occasion to show: a cell that both judged must tell them apart.
 */
export function wireChanges(base: Quirks, head: Quirks, pairs: readonly Pair[]): WireChange[] {
  const swapped = pairs.map(({ name, base: before, head: after }) => ({ name, base: after, head: before }));
  return [...changesIn(head, base, pairs, 'became the rule'), ...changesIn(base, head, swapped, 'ended')];
}

/** @param pairs of which the head shows the quirk, and the base does not */
function changesIn(rules: Quirks, others: Quirks, pairs: readonly Pair[], change: WireChange['change']): WireChange[] {
  return [...rules].flatMap(([name, { model, quirk, seen, of, breaks, reads, cells }]): WireChange[] => {
    if (seen < enoughExchanges || seen < of || (others.get(name)?.seen ?? 0) > 0) return [];
    const showing = new Set(cells);
    const telling = pairs.filter(
      ({ base, head }) => showing.has(head.key) && head.quirks.includes(quirk) && !base.quirks.includes(quirk),
    );
    if (telling.length === 0) return [];
    const worked = telling.filter(({ base }) => base.trials.passed > 0);
    // Without `reads`, no client was named: `breaks` says what may go wrong in some.
    const isNew = change === 'became the rule' && reads !== undefined && worked.length > 0;
    const failed = new Set(
      worked.flatMap(({ base }) => base.quirks.flatMap((one) => failing(others, base.model, one))),
    );
    const loses = isNew ? breaks.filter((text) => isCertain(text) && !failed.has(clientIn(text))) : [];
    return [{ model, quirk, change, seen, of, breaks, loses, cells: telling.map((pair) => pair.name) }];
  });
}

/** The clients that a quirk makes fail. */
function failing(quirks: Quirks, model: string, name: string): readonly string[] {
  const all = [...quirks.values()].filter((one) => one.model === model && one.quirk === name);
  return all.flatMap(({ breaks }) => breaks.filter(isCertain).map(clientIn));
}

const clientIn = (text: string): string => text.slice(0, text.lastIndexOf(': '));

/** Not what only some models of a quirk do to it, nor what a `?.` in the code is enough for. */
const isCertain = (text: string): boolean =>
  text
    .slice(text.lastIndexOf(': ') + 2)
    .split(' or ')
    .some((effect) => effect !== '' && !effect.startsWith('sometimes ') && effect !== 'needs ?.');
