import { enoughExchanges } from '../../decide/wire/wire-standing.js';
import type { ReportQuirk } from '../report-format.js';
import type { Pair } from './pair.js';

/** A quirk that is the rule on one side and never shows on the other. */
export interface WireChange extends WireSight {
  readonly change: 'became the rule' | 'ended';
}

/** A quirk that every answer of one side shows that could, and none of the other. */
export interface WireSight {
  readonly model: string;
  readonly quirk: string;
  /** In how many answers it showed. */
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
  const isRule = (one: WireSight) => one.seen >= enoughExchanges;
  const came = sightsOf(head, base, pairs.map(headFirst)).filter(isRule);
  const went = sightsOf(base, head, pairs.map(baseFirst)).filter(isRule);
  return [
    ...came.map((one) => ({ ...one, change: 'became the rule' as const })),
    ...went.map((one) => ({ ...one, change: 'ended' as const })),
  ];
}

/** Quirks that all answers of the head show, which are too few to call it the rule, and none of the base. */
export function fewSightsOf(base: Quirks, head: Quirks, pairs: readonly Pair[]): WireSight[] {
  return sightsOf(head, base, pairs.map(headFirst)).filter(({ seen }) => seen < enoughExchanges);
}

interface Seen {
  readonly name: string;
  readonly shown: Pair['base'];
  readonly silent: Pair['base'];
}

const headFirst = ({ name, base, head }: Pair): Seen => ({ name, shown: head, silent: base });
const baseFirst = ({ name, base, head }: Pair): Seen => ({ name, shown: base, silent: head });

function sightsOf(rules: Quirks, others: Quirks, pairs: readonly Seen[]): WireSight[] {
  return [...rules].flatMap(([name, { model, quirk, seen, of, breaks, cells }]) => {
    if (seen < of || seen === 0 || (others.get(name)?.seen ?? 0) > 0) return [];
    const showing = new Set(cells);
    const telling = pairs.filter(
      ({ shown, silent }) => showing.has(shown.key) && shown.quirks.includes(quirk) && !silent.quirks.includes(quirk),
    );
    if (telling.length === 0) return [];
    return [{ model, quirk, seen, of, breaks, cells: telling.map((pair) => pair.name) }];
  });
}
