import { familyOf } from '../../../matrix/capability-families.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import { listed } from '../phrases.js';

/** Something that cells have in common: "tool_choice=object", "max_tokens <= 64", "json_schema". */
export interface Trait {
  readonly kind: 'axis' | 'capability' | 'family' | 'probe' | 'suite' | 'all' | 'cell' | 'several';
  readonly text: string;
  readonly isTrueOf: (cell: ReportCell) => boolean;
  /** Of several traits, the name of each. */
  readonly names?: readonly string[];
}

/**
 * What cells of one model that changed alike have in common, and no other cell of the model. Where no single trait says
 * so, the fewest that do together, those of most cells first: the same failure of the same model at many places is one fault.
 * @param others cells of the same model that the change did not hit, although it could have
 */
export function sharedTrait(cells: readonly ReportCell[], others: readonly ReportCell[]): Trait {
  const telling = traitsOf(cells, others).filter(({ trait }) => !others.some(trait.isTrueOf));
  const axes: Trait[] = [];
  const places: Trait[] = [];
  const elsewhere: ReportCell[] = [];
  let rest = cells;
  for (let best = bestFor(telling, rest); best !== null; best = bestFor(telling, rest)) {
    const { kind, isTrueOf } = best;
    if (kind === 'axis') axes.push(best);
    else {
      places.push(best);
      elsewhere.push(...rest.filter(isTrueOf));
    }
    rest = rest.filter((cell) => !isTrueOf(cell));
  }
  const [place] = places;
  const isOnePlace = rest.length === 0 && places.length === 1 && place !== undefined;
  return joinedTrait(axes, isOnePlace ? place : placeOf([...elsewhere, ...rest]), cells);
}

/** What no axis explains; null: nothing is left. */
function placeOf(cells: readonly ReportCell[]): Trait | null {
  const [only, ...others] = cells;
  if (only === undefined) return null;
  return others.length === 0 ? cellTrait(only) : familiesTrait(cells);
}

/** "each of tool_choice=object, flow and tools"; of many, the families say where they are. */
function joinedTrait(axes: readonly Trait[], place: Trait | null, cells: readonly ReportCell[]): Trait {
  const all = place === null ? axes : [...axes, place];
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only;
  const names = all.flatMap(({ names: own, text }) => own ?? [text]);
  if (names.length > mostNamed) return familiesTrait(cells);
  return severalTrait(names, (cell) => all.some(({ isTrueOf }) => isTrueOf(cell)));
}

/** How many traits a cause names. */
const mostNamed = 4;

interface Candidate {
  readonly trait: Trait;
  /** Between traits of as many cells, the smaller wins. */
  readonly rank: number;
}

function bestFor(candidates: readonly Candidate[], cells: readonly ReportCell[]): Trait | null {
  let best: { readonly candidate: Candidate; readonly amount: number } | null = null;
  for (const candidate of candidates) {
    const amount = cells.filter(candidate.trait.isTrueOf).length;
    if (amount === 0) continue;
    if (best === null || amount > best.amount || (amount === best.amount && isBefore(candidate, best.candidate))) {
      best = { candidate, amount };
    }
  }
  return best?.candidate.trait ?? null;
}

function isBefore(one: Candidate, other: Candidate): boolean {
  return one.rank === other.rank ? one.trait.text < other.trait.text : one.rank < other.rank;
}

/**
 * All that the cells might have in common. An axis says most where a cell that the change did not hit has another label
 * on it, and least where none has the axis.
 */
function traitsOf(cells: readonly ReportCell[], others: readonly ReportCell[]): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (trait: Trait, rank: number): void => {
    const name = `${trait.kind} ${trait.text}`;
    if (!found.has(name)) found.set(name, { trait, rank });
  };
  const all = [...cells, ...others];
  const axes = new Set(cells.flatMap(({ point }) => Object.keys(point)));
  for (const axis of axes) {
    const contrasts = others.some(({ point }) => point[axis] !== undefined);
    const labels = new Set(all.flatMap(({ point }) => point[axis] ?? []));
    const isNumeric = labels.size > 1 && [...labels].every((label) => /^\d+(\.\d+)?$/.test(label));
    for (const label of new Set(cells.flatMap(({ point }) => point[axis] ?? []))) {
      add(labelTrait(axis, label), contrasts ? 0 : 7);
      if (isNumeric) for (const bound of boundTraits(axis, Number(label))) add(bound, contrasts ? 1 : 8);
    }
  }
  for (const { capability, suite, probe } of cells) {
    add({ kind: 'capability', text: capability, isTrueOf: (cell) => cell.capability === capability }, 2);
    add(familyTrait(familyOf(capability)), 3);
    const isOfProbe = (cell: ReportCell): boolean => cell.suite === suite && cell.probe === probe;
    add({ kind: 'probe', text: `probe ${suite}/${probe}`, isTrueOf: isOfProbe }, 5);
    add({ kind: 'suite', text: `suite ${suite}`, isTrueOf: (cell) => cell.suite === suite }, 6);
  }
  add({ kind: 'all', text: 'everything', isTrueOf: () => true }, 4);
  return [...found.values()];
}

/** A probe without the axis may send the same: its capability says so, as in tool_choice.object, or json_object. */
function labelTrait(axis: string, label: string): Trait {
  const isTrueOf = ({ point, capability }: ReportCell): boolean =>
    point[axis] === undefined ? capability === `${axis}.${label}` || capability === label : point[axis] === label;
  return { kind: 'axis', text: `${axis}=${label}`, isTrueOf };
}

function boundTraits(axis: string, bound: number): readonly Trait[] {
  const isWithin =
    (test: (value: number) => boolean) =>
    ({ point }: ReportCell): boolean => {
      const label = point[axis];
      return label !== undefined && test(Number(label));
    };
  return [
    { kind: 'axis', text: `${axis} <= ${bound}`, isTrueOf: isWithin((value) => value <= bound) },
    { kind: 'axis', text: `${axis} >= ${bound}`, isTrueOf: isWithin((value) => value >= bound) },
  ];
}

function familyTrait(family: string): Trait {
  return { kind: 'family', text: family, isTrueOf: ({ capability }) => familyOf(capability) === family };
}

/** The families of the cells: "each of json_schema, json_word and stream"; how many of their cells, the cause says. */
function familiesTrait(cells: readonly ReportCell[]): Trait {
  const families = [...new Set(cells.map(({ capability }) => familyOf(capability)))].sort();
  return severalTrait(families, ({ capability }) => families.includes(familyOf(capability)));
}

function severalTrait(names: readonly string[], isTrueOf: Trait['isTrueOf']): Trait {
  const named = names.length > mostNamed ? [...names.slice(0, mostNamed), 'others'] : names;
  return { kind: 'several', text: `${named.length === 1 ? '' : 'each of '}${listed(named)}`, isTrueOf, names };
}

/** A single cell is named as it is: that claims nothing of any other. */
export function cellTrait({ suite, probe, point, key }: ReportCell): Trait {
  const labels = Object.entries(point).map(([axis, label]) => `${axis}=${label}`);
  const text = `${suite}/${probe}${labels.length === 0 ? '' : `[${labels.join(',')}]`}`;
  return { kind: 'cell', text, isTrueOf: (cell) => cell.key === key };
}
