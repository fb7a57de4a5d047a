import type { AcceptedWire } from '../../baseline/entries.js';
import { factsOf, type Quirk } from '../../chat/quirks.js';
import type { WireGroup } from '../../judge/wire/wire-form.js';
import { alwaysIn, spreadIn, type Spread, type WireTally } from './wire-tally.js';

/** A quirk is the rule, or has ended, only over at least so many exchanges. */
export const enoughExchanges = 3;

export type WireStanding = 'as_expected' | 'new' | 'gone';

export interface QuirkStanding extends Spread {
  readonly quirk: string;
  readonly standing: WireStanding;
  /** The answers that are counted, where the quirk is the rule for these alone. */
  readonly only: WireGroup | null;
  /** Where it showed; of one that ended, where it could have shown. */
  readonly cells: readonly string[];
  /** What goes wrong in clients that do not expect it. */
  readonly breaks: readonly string[];
  /** An exchange that shows it; null where none does. */
  readonly exchange: string | null;
}

type Compared = Pick<QuirkStanding, 'standing' | 'seen' | 'of' | 'only'>;

/**
 * How the quirks of a model compare with those that the baseline accepted, sorted by name. A quirk that came and went
 * when it was accepted says nothing by its presence or absence.
 * @param accepted null when the model is new, or when nobody looked at its wire yet: then nothing is a change
 */
export function quirkStandings(tally: WireTally, accepted: AcceptedWire | null): QuirkStanding[] {
  const names = new Set<string>([...tally.seen.keys(), ...(accepted?.quirks ?? [])]);
  return [...names].sort().flatMap((quirk) => {
    const compared = compare(tally, quirk, accepted);
    if (compared.of === 0) return [];
    const facts = factsOf(quirk);
    const shown = tally.seen.get(quirk as Quirk);
    const places = compared.standing === 'gone' && facts !== undefined ? whereItCould(tally, facts) : shown;
    return [
      {
        ...{ quirk, ...compared, cells: [...(places?.cells ?? [])].sort() },
        ...{ breaks: facts === undefined ? [] : [facts.breaks], exchange: shown?.exchange ?? null },
      },
    ];
  });
}

function whereItCould({ could }: WireTally, { shows, mayShow }: NonNullable<ReturnType<typeof factsOf>>) {
  return could.get(shows) ?? (mayShow === undefined ? undefined : could.get(mayShow));
}

function compare(tally: WireTally, quirk: string, accepted: AcceptedWire | null): Compared {
  const always = alwaysIn(tally, quirk);
  const group = always ?? 'all';
  const now = { ...spreadIn(tally, quirk, group), only: group === 'all' ? null : group };
  if (accepted === null || accepted.sometimes.includes(quirk)) return { ...now, standing: 'as_expected' };
  if (accepted.quirks.includes(quirk)) {
    const only = accepted.only[quirk] ?? null;
    const before = spreadIn(tally, quirk, only ?? 'all');
    const ended = spreadIn(tally, quirk).seen === 0 && before.of >= enoughExchanges;
    if (ended) return { ...before, only, standing: 'gone' };
    const spread = only === null ? null : alwaysIn(tally, quirk, only);
    if (spread === null) return { ...now, standing: 'as_expected' };
    const beyond = { ...spreadIn(tally, quirk, spread, only), only: spread === 'all' ? null : spread };
    if (beyond.of < enoughExchanges) return { ...now, standing: 'as_expected' };
    return { ...(always === null ? beyond : now), standing: 'new' };
  }
  const isRule = always !== null && now.of >= enoughExchanges;
  return { ...now, standing: isRule ? 'new' : 'as_expected' };
}

/**
 * The quirks that nobody accepted, or only for other answers, and that showed every time, but not often enough yet to
 * call them the rule.
 */
export function doubtfulQuirks(tally: WireTally, accepted: AcceptedWire): string[] {
  return [...tally.seen.keys()]
    .filter((quirk) => !accepted.sometimes.includes(quirk))
    .filter((quirk) => {
      const only = accepted.only[quirk] ?? null;
      if (accepted.quirks.includes(quirk) && only === null) return false;
      const always = alwaysIn(tally, quirk, only);
      return always !== null && spreadIn(tally, quirk, always, only).of < enoughExchanges;
    })
    .sort();
}
