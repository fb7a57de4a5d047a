import type { ReportQuirk } from '../report-format.js';
import type { Pair } from './pair.js';
import type { WireSight } from './wire-changes.js';

/** A client library of the user that fails on a quirk which the base does not show. */
export interface ClientLoss {
  /** The name that both sides share; where two models are compared, that of the head. */
  readonly model: string;
  /** `openai 6.49` */
  readonly client: string;
  /** `throws`, `wrong value` */
  readonly effect: string;
  readonly quirk: string;
  readonly seen: number;
  readonly of: number;
  /** That passed in the base, where nothing made this client fail. */
  readonly cells: readonly string[];
  /** The quirk is the rule; false: too few answers show it. */
  readonly rule: boolean;
}

interface Sides {
  readonly base: Quirks;
  readonly head: Quirks;
  readonly pairs: readonly Pair[];
}

type Quirks = ReadonlyMap<string, ReportQuirk>;

/**
 * The clients that lose what worked, model by model. Not one of them: a client that failed in the same cells before, or
 * that the quirk does not always make fail.
 */
export function clientLossesOf(
  { rules, few }: { readonly rules: readonly WireSight[]; readonly few: readonly WireSight[] },
  sides: Sides,
): ClientLoss[] {
  const failures = { base: failuresIn(sides.base), head: failuresIn(sides.head) };
  const byName = new Map(sides.pairs.map((pair) => [pair.name, pair]));
  const lossesBy = (sight: WireSight, rule: boolean): ClientLoss[] => {
    const { model, quirk, seen, of } = sight;
    return [...(failures.head.get(nameOf(sight)) ?? [])].flatMap(([client, effect]) => {
      const cells = sight.cells.filter((name) => {
        const pair = byName.get(name);
        if (pair === undefined || pair.base.trials.passed === 0) return false;
        const { model: old, quirks } = pair.base;
        return !quirks.some((one) => failures.base.get(nameOf({ model: old, quirk: one }))?.has(client) === true);
      });
      return cells.length === 0 ? [] : [{ model, client, effect, quirk, seen, of, cells, rule }];
    });
  };
  return [...rules.flatMap((one) => lossesBy(one, true)), ...few.flatMap((one) => lossesBy(one, false))];
}

type Failures = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** By quirk of a model: the user's clients that it makes fail, and how. */
function failuresIn(quirks: Quirks): Failures {
  return new Map([...quirks.values()].map((quirk) => [nameOf(quirk), failuresBy(quirk)]));
}

const nameOf = ({ model, quirk }: Pick<ReportQuirk, 'model' | 'quirk'>): string => `${quirk}@${model}`;

function failuresBy({ breaks, reads }: ReportQuirk): ReadonlyMap<string, string> {
  // Without `reads`, no client was named: `breaks` says what may go wrong in some.
  if (reads === undefined) return new Map();
  return new Map(
    breaks.flatMap((text) => {
      const [, client = '', effect = ''] = /^(.*): (.*)$/s.exec(text) ?? [];
      return effect.split(' or ').some(isCertain) ? [[client, effect] as const] : [];
    }),
  );
}

/** Not what only some models of a quirk do to it, nor what a `?.` in the code is enough for. */
const isCertain = (effect: string): boolean =>
  effect !== '' && !effect.startsWith('sometimes ') && effect !== 'needs ?.';
