import type { Json } from '../../json/json.js';
import type { CapabilityEntry, CapabilityMap } from '../../capabilities/load-capabilities.js';
import { declaredModels, type FlagTable, litellm, modelsDev } from './declared-models.js';

type Flags = Readonly<Record<string, boolean>>;

/** Differences between a catalogue and a measured model. */
export interface WrongDeclaration {
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly flag: string;
  readonly declared: boolean;
  /** The capabilities that the flag stands for, with their trials. */
  readonly measured: readonly Pick<CapabilityEntry, 'capability' | 'verdict' | 'trials' | 'evidence'>[];
}

/** A model that is announced to be gone. */
export interface AnnouncedEnd {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Until then; negative: it is over. */
  readonly days: number;
}

export interface Comparison {
  readonly wrong: readonly WrongDeclaration[];
  /** Models that are announced to be gone soon, or that should be gone. */
  readonly ending: readonly AnnouncedEnd[];
}

/** An end is told from so many days before. */
const daysBefore = 30;
const dayMs = 86_400_000;

/**
 * Compares what others declare with what was measured. A model is looked up by its id, then by what stands behind the
 * last slash of the ids there.
 * @param file what others declare: see {@link declaredModels}
 * @param today YYYY-MM-DD
 * @returns null: none of the run's models is in the file
 */
export function compareDeclared(map: CapabilityMap, file: Json, today: string): Comparison | null {
  const declared = declaredModels(file);
  const known = map.models.flatMap(({ id, model }) => {
    const said = declared.get(model) ?? [...declared].find(([name]) => name.split('/').at(-1) === model)?.[1];
    return said === undefined ? [] : [{ id, said }];
  });
  if (known.length === 0) return null;
  const ending = known.flatMap(({ id, said: { goneFrom } }): AnnouncedEnd[] => {
    if (goneFrom === null) return [];
    const days = Math.round((Date.parse(goneFrom) - Date.parse(today)) / dayMs);
    return days <= daysBefore ? [{ model: id, date: goneFrom, days }] : [];
  });
  const wrong = known.flatMap(({ id, said: { table, flags } }) => {
    const entries = map.capabilities.filter(({ model }) => model === id);
    const measured = flagsOf(table, entries);
    return Object.entries(flags).flatMap(([flag, isDeclared]) =>
      measured[flag] === undefined || measured[flag] === isDeclared
        ? []
        : [{ model: id, flag, declared: isDeclared, measured: entriesOf(table[flag] ?? [], entries) }],
    );
  });
  return { wrong, ending };
}

function entriesOf(capabilities: readonly string[], entries: readonly CapabilityEntry[]): WrongDeclaration['measured'] {
  const own = entries.filter(({ capability, supported }) => supported !== null && capabilities.includes(capability));
  return own.map(({ capability, verdict, trials, evidence }) => ({ capability, verdict, trials, evidence }));
}

type SupportsFlags = Readonly<Record<string, boolean | string>>;

/** By model: the flags as LiteLLM reads them. What was not measured is left out. */
export function litellmFlags(map: CapabilityMap): Readonly<Record<string, SupportsFlags>> {
  return byModel(map, (entries) => ({ mode: 'chat', ...flagsOf(litellm, entries) }));
}

/** By model: the fields of models.dev that a conformance run measures. What was not measured is left out. */
export function modelsDevFields(map: CapabilityMap): Readonly<Record<string, SupportsFlags>> {
  return byModel(map, (entries, id) => ({ id, ...flagsOf(modelsDev, entries) }));
}

/** By the id that the service knows; by TARGET/MODEL where several targets have a model of that id. */
function byModel(
  { models, capabilities }: CapabilityMap,
  fieldsOf: (entries: readonly CapabilityEntry[], id: string) => SupportsFlags,
): Readonly<Record<string, SupportsFlags>> {
  return Object.fromEntries(
    models.map(({ id, model }) => {
      const name = models.filter((other) => other.model === model).length === 1 ? model : id;
      return [
        name,
        fieldsOf(
          capabilities.filter((entry) => entry.model === id),
          name,
        ),
      ] as const;
    }),
  );
}

function flagsOf(table: FlagTable, entries: readonly CapabilityEntry[]): Flags {
  const supported = new Map(entries.map((entry) => [entry.capability, entry.supported]));
  return Object.fromEntries(
    Object.entries(table).flatMap(([flag, capabilities]) => {
      const known = capabilities.flatMap((capability) => supported.get(capability) ?? []);
      return known.length === 0 ? [] : [[flag, known.includes(true)]];
    }),
  );
}
