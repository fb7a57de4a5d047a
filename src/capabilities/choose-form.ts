import { needs, checked, type CapabilityMap, type Need, type Setting } from './load-capabilities.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anything, aText, required } from '../options/kinds.js';

export interface Wish {
  /** `TARGET/MODEL`, or the model's id or common name if no other target has it. */
  readonly model: string;
  readonly need: Need;
  /** Default: the present. */
  readonly now?: Date | string | number;
}

export interface ChosenForm extends Setting {
  /** Capability id, such as `json_schema` or `tool_choice.required`. */
  readonly form: string;
}

/** The evidence is too old to rely on. */
export class StaleEvidence extends Error {
  override readonly name = 'StaleEvidence';
}

const wishTable: OptionTable<Wish> = { model: required(aText), need: anything, now: anything };

/**
 * The request form that serves a need, and what to send with it; null where nothing is known that can be relied on.
 * Throws {@link StaleEvidence} when the evidence has expired, a RangeError for a need that does not exist or
 * a `now` that is no date, and a TypeError for a model that several targets have
 * and for a wish or a map that is none.
 */
export function chooseForm(map: CapabilityMap, wish: Wish): ChosenForm | null {
  checked(map);
  checkOptions('`chooseForm`', wish, wishTable);
  const { model, need, now = Date.now() } = wish;
  if (!needs.includes(need)) throw new RangeError(`no need is "${need}"; there are ${needs.join(', ')}`);
  const time = new Date(now).getTime();
  if (Number.isNaN(time)) throw new RangeError('now is no date');
  const id = idOf(map, model);
  const entry = map.needs.find((one) => one.model === id && one.need === need);
  if (entry === undefined) return null;
  // An unreadable date is no reason to believe old evidence.
  if (!(time < Date.parse(entry.expires))) {
    throw new StaleEvidence(
      `what is known of ${entry.model} expired on ${entry.expires}: ask it again with chatspec run`,
    );
  }
  const { form, settings, request, caveats } = entry;
  return form === null ? null : { form, settings, request, caveats };
}

function idOf({ models }: CapabilityMap, name: string): string {
  if (models.some(({ id }) => id === name)) return name;
  const ids = models.filter((one) => one.model === name || one.as === name).map(({ id }) => id);
  if (ids.length > 1) throw new TypeError(`several targets have "${name}": ${ids.join(', ')}`);
  return ids[0] ?? name;
}
