import type { AcceptedWire } from '../../baseline/entries.js';
import { quirkFacts, quirkTable, type Quirk, type Opportunity } from '../../chat/quirks.js';
import { wireGroups, type WireGroup, type WireForm, type WireSighting } from '../../judge/wire/wire-form.js';

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
  /** The damage in clients that do not expect it. */
  readonly breaks: readonly string[];
  /** An exchange that shows it; null where none does. */
  readonly exchange: string | null;
}

type QuirkComparison = Pick<QuirkStanding, 'standing' | 'seen' | 'of' | 'only'>;

/**
 * How the quirks of a model compare with those that the baseline accepted, sorted by name. A quirk that came and went
 * when it was accepted says nothing by its presence or absence.
 * @param accepted null when the model is new, or when nobody looked at its wire yet: then nothing is a change
 */
export function quirkStandings(tally: WireTally, accepted: AcceptedWire | null): QuirkStanding[] {
  const names = new Set<string>([...tally.seen.keys(), ...(accepted?.quirks ?? [])]);
  return [...names].sort().flatMap((quirk) => {
    const compared = compareWithAccepted(tally, quirk, accepted);
    if (compared.of === 0) return [];
    const facts = quirkFacts(quirk);
    const shown = tally.seen.get(quirk as Quirk);
    const places = compared.standing === 'gone' && facts !== undefined ? whereItCould(tally, facts) : shown;
    return [
      {
        quirk,
        ...compared,
        cells: [...(places?.cells ?? [])].sort(),
        breaks: facts === undefined ? [] : [facts.breaks],
        exchange: shown?.exchange ?? null,
      },
    ];
  });
}

function whereItCould({ could }: WireTally, { shows, mayShow }: NonNullable<ReturnType<typeof quirkFacts>>) {
  return could.get(shows) ?? (mayShow === undefined ? undefined : could.get(mayShow));
}

function compareWithAccepted(tally: WireTally, quirk: string, accepted: AcceptedWire | null): QuirkComparison {
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

type FormCounts = Partial<Record<WireForm, number>>;

/** In which cells something was so, and in how many exchanges of each form. */
interface Tallied {
  readonly counts: FormCounts;
  readonly cells: Set<string>;
}

interface QuirkTally extends Tallied {
  exchange: string | null;
  /** Of the exchanges, those in which nothing led to the quirk. */
  readonly unled: FormCounts;
}

/** Counts of the wire over the judged exchanges of one model. Its size does not grow with their number. */
export interface WireTally {
  readonly could: ReadonlyMap<Opportunity, Tallied>;
  readonly seen: ReadonlyMap<Quirk, Readonly<QuirkTally>>;
}

export interface OpenWireTally extends WireTally {
  /**
   * @param cell null for the opening control
   * @param exchange its id in the journal; null where it has none
   */
  readonly add: (cell: string | null, exchange: string | null, sighting: WireSighting) => void;
}

export function openWireTally(): OpenWireTally {
  const could = new Map<Opportunity, Tallied>();
  const seen = new Map<Quirk, QuirkTally>();
  const count = <T extends Tallied>(tallied: T, form: WireForm, cell: string | null): T => {
    addOne(tallied.counts, form);
    if (cell !== null) tallied.cells.add(cell);
    return tallied;
  };
  return {
    could,
    seen,
    add(cell, exchange, sighting) {
      for (const name of sighting.could) {
        could.set(name, count(could.get(name) ?? { counts: {}, cells: new Set() }, sighting.form, cell));
      }
      for (const name of sighting.seen) {
        const before = seen.get(name) ?? { counts: {}, unled: {}, cells: new Set(), exchange };
        const tallied = count(before, sighting.form, cell);
        if (!sighting.could.includes(quirkTable[name].shows)) addOne(tallied.unled, sighting.form);
        // Exchanges arrive in any order; the smallest id is the same whenever the run is judged again.
        if (exchange !== null && (tallied.exchange === null || exchange < tallied.exchange)) {
          tallied.exchange = exchange;
        }
        seen.set(name, tallied);
      }
    },
  };
}

function addOne(counts: FormCounts, form: WireForm): void {
  counts[form] = (counts[form] ?? 0) + 1;
}

/** In how many exchanges a quirk showed, and in how many it could. */
export interface Spread {
  readonly seen: number;
  readonly of: number;
}

/**
 * Over the exchanges of a group. A quirk of another version of chatspec was not looked for: it could never show.
 * @param except the exchanges of this group are left out
 */
function spreadIn(tally: WireTally, quirk: string, group: WireGroup = 'all', except: WireGroup | null = null): Spread {
  const facts = quirkFacts(quirk);
  const left: readonly WireForm[] = except === null ? [] : wireGroups[except];
  const forms = wireGroups[group].filter((form) => !left.includes(form));
  const among = (counts: FormCounts = {}): number => forms.reduce((total, form) => total + (counts[form] ?? 0), 0);
  if (facts === undefined) return { seen: 0, of: 0 };
  const shown = tally.seen.get(quirk as Quirk);
  const led = among(tally.could.get(facts.shows)?.counts);
  const isLed = led > 0 || facts.mayShow === undefined;
  const of = isLed ? led + among(shown?.unled) : among(tally.could.get(facts.mayShow)?.counts);
  return { seen: among(shown?.counts), of };
}

/**
 * The widest group of answers in which a quirk showed every time, while it never showed in any other: `all`, where it
 * always showed. null: it came and went, or never came. A quirk that comes and goes by chance hardly ever stops exactly
 * at the border of a group, so this also finds a change of streams alone, or of calls alone.
 * @param except the exchanges of this group are left out
 */
function alwaysIn(tally: WireTally, quirk: string, except: WireGroup | null = null): WireGroup | null {
  const everywhere = spreadIn(tally, quirk, 'all', except);
  if (everywhere.seen === 0) return null;
  // A group that shares nothing with what is left out names the others better than a wider one.
  const groups = (Object.keys(wireGroups) as WireGroup[]).sort(
    (one, other) => Number(overlaps(one, except)) - Number(overlaps(other, except)),
  );
  return (
    groups.find((group) => {
      const inside = spreadIn(tally, quirk, group, except);
      return inside.of > 0 && inside.seen === inside.of && inside.seen === everywhere.seen;
    }) ?? null
  );
}

function overlaps(group: WireGroup, except: WireGroup | null): boolean {
  const left: readonly WireForm[] = except === null ? [] : wireGroups[except];
  return wireGroups[group].some((form) => left.includes(form));
}
