import type { AcceptedWire } from '../../baseline/entries.js';
import type { WireGroup } from '../../judge/wire/sighting.js';
import { alwaysIn, spreadIn, type Spread, type WireTally } from './wire-tally.js';

/** A quirk is the rule, or has ended, only over at least so many exchanges. */
export const enoughExchanges = 3;

export type WireStanding = 'as_expected' | 'new' | 'gone';

export interface QuirkStanding extends Spread {
  readonly quirk: string;
  readonly standing: WireStanding;
  /** The answers that are counted, where the quirk is the rule for these alone. */
  readonly only: WireGroup | null;
}

/**
 * How the quirks of a model compare with those that the baseline accepted, sorted by name. A quirk that came and went
 * when it was accepted says nothing by its presence or absence.
 * @param accepted null when the model is new, or when nobody looked at its wire yet: then nothing is a change
 */
export function quirkStandings(tally: WireTally, accepted: AcceptedWire | null): QuirkStanding[] {
  const names = new Set<string>([...tally.seen.keys(), ...(accepted?.quirks ?? [])]);
  return [...names].sort().flatMap((quirk) => {
    const found = standingOf(tally, quirk, accepted);
    return found.of === 0 ? [] : [found];
  });
}

function standingOf(tally: WireTally, quirk: string, accepted: AcceptedWire | null): QuirkStanding {
  const always = alwaysIn(tally, quirk);
  const group = always ?? 'all';
  const now = { quirk, ...spreadIn(tally, quirk, group), only: group === 'all' ? null : group };
  if (accepted === null || accepted.sometimes.includes(quirk)) return { ...now, standing: 'as_expected' };
  if (accepted.quirks.includes(quirk)) {
    const only = accepted.only[quirk] ?? null;
    const before = spreadIn(tally, quirk, only ?? 'all');
    const ended = spreadIn(tally, quirk).seen === 0 && before.of >= enoughExchanges;
    return ended ? { quirk, ...before, only, standing: 'gone' } : { ...now, standing: 'as_expected' };
  }
  const isRule = always !== null && now.of >= enoughExchanges;
  return { ...now, standing: isRule ? 'new' : 'as_expected' };
}

/** The quirks that nobody accepted and that showed every time, but not often enough yet to call them the rule. */
export function doubtfulQuirks(tally: WireTally, accepted: AcceptedWire): string[] {
  return [...tally.seen.keys()]
    .filter((quirk) => !accepted.quirks.includes(quirk) && !accepted.sometimes.includes(quirk))
    .filter((quirk) => {
      const always = alwaysIn(tally, quirk);
      return always !== null && spreadIn(tally, quirk, always).of < enoughExchanges;
    })
    .sort();
}
