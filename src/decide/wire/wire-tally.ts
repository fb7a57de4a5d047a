import { factsOf, quirkTable, type Opportunity, type Quirk } from '../../chat/quirks.js';
import { wireGroups, type WireForm, type WireGroup, type WireSighting } from '../../judge/wire/wire-form.js';

type Counts = Partial<Record<WireForm, number>>;

/** In which cells something was so, and in how many exchanges of each form. */
interface Tallied {
  readonly counts: Counts;
  readonly cells: Set<string>;
}

interface Shown extends Tallied {
  exchange: string | null;
  /** Of the exchanges, those in which nothing led to the quirk. */
  readonly unled: Counts;
}

/** What the judged exchanges of one model show of the wire. Its size does not grow with their number. */
export interface WireTally {
  readonly could: ReadonlyMap<Opportunity, Tallied>;
  readonly seen: ReadonlyMap<Quirk, Readonly<Shown>>;
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
  const seen = new Map<Quirk, Shown>();
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
        const known = seen.get(name) ?? { counts: {}, unled: {}, cells: new Set(), exchange };
        const tallied = count(known, sighting.form, cell);
        if (!sighting.could.includes(quirkTable[name].shows)) addOne(tallied.unled, sighting.form);
        // Exchanges arrive in any order; the smallest id is the same whenever the run is judged again.
        if (exchange !== null && (tallied.exchange === null || exchange < tallied.exchange))
          tallied.exchange = exchange;
        seen.set(name, tallied);
      }
    },
  };
}

function addOne(counts: Counts, form: WireForm): void {
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
export function spreadIn(
  tally: WireTally,
  quirk: string,
  group: WireGroup = 'all',
  except: WireGroup | null = null,
): Spread {
  const facts = factsOf(quirk);
  const left: readonly WireForm[] = except === null ? [] : wireGroups[except];
  const forms = wireGroups[group].filter((form) => !left.includes(form));
  const among = (counts: Counts = {}): number => forms.reduce((total, form) => total + (counts[form] ?? 0), 0);
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
export function alwaysIn(tally: WireTally, quirk: string, except: WireGroup | null = null): WireGroup | null {
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
