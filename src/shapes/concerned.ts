import { isObject } from '../json/json.js';
import { capabilitiesUsed, keywordsAt } from './capabilities-used.js';
import type { Difference, ShapeChange } from './compare-shapes.js';
import type { RequestShape } from './shape.js';

/** What a change asks of a model, as far as a run can be asked about it. */
export interface Concerned {
  /** Ids: asked now and not before, or asked in another way. */
  readonly capabilities: ReadonlySet<string>;
  /** Of these, what was not asked before. */
  readonly fresh: ReadonlySet<string>;
  /** What is sent now and belongs to no capability: `max_completion_tokens`, `headers/x-team`, `POST /embeddings`. */
  readonly others: readonly string[];
}

/** What is not sent any more asks nothing. */
export function concernedBy(change: ShapeChange): Concerned {
  if (change.kind !== 'changed' && change.kind !== 'appeared') return nothing;
  const { after } = change;
  if (!/\/chat\/completions(?:\?|$)/.test(after.request)) return { ...nothing, others: [after.request] };
  const used = capabilitiesUsed(after);
  const before: ReadonlySet<string> = change.kind === 'changed' ? capabilitiesUsed(change.before) : new Set();
  const fresh = new Set([...used].filter((capability) => !before.has(capability)));
  const places = change.kind === 'changed' ? change.differences.filter(isSent) : placesOf(after);
  const found = places.map((place) => ({ place, capabilities: capabilitiesAt(place, used) }));
  return {
    capabilities: new Set([...fresh, ...found.flatMap(({ capabilities }) => capabilities ?? [])]),
    fresh,
    others: found.flatMap(({ place, capabilities }) =>
      capabilities === null ? [place.at.replace(/^body\//, '')] : [],
    ),
  };
}

const nothing: Concerned = { capabilities: new Set(), fresh: new Set(), others: [] };

type Place = Pick<Difference, 'at' | 'after'>;

const isSent = ({ after }: Difference): boolean => after !== undefined;

/** Every request has the fields that are left out here. */
function placesOf({ body }: RequestShape): readonly Place[] {
  if (!isObject(body)) return [];
  return Object.entries(body)
    .filter(([name]) => name !== 'model' && name !== 'messages')
    .map(([name, after]) => ({ at: `body/${name}`, after }));
}

/** The capabilities of the request that the value at a place belongs to; null: none. */
function capabilitiesAt({ at, after }: Place, used: ReadonlySet<string>): readonly string[] | null {
  const usedIn = (...families: readonly string[]): readonly string[] | null => {
    const found = [...used].filter((id) => families.some((family) => id === family || id.startsWith(`${family}.`)));
    return found.length > 0 ? found : null;
  };
  const schema = schemaPlaces.find(([place]) => place.test(at));
  if (schema !== undefined) {
    const [place, family] = schema;
    const steps = at.replace(place, '').split('/').filter(Boolean);
    return keywordsAt(steps, after).map((keyword) => `${family}.${keyword}`);
  }
  if (/^body\/response_format(?:\/(?:type|json_schema))?$/.test(at))
    return usedIn('json_schema', 'json_object', 'schema');
  if (/^body\/tool_choice/.test(at)) return usedIn('tool_choice');
  if (/^body\/tools(?:\/\d+)?$/.test(at)) return usedIn('tools', 'tool_schema');
  if (at === 'body/stream') return after === true ? usedIn('stream') : [];
  if (/^body\/thinking(?:\/type)?$/.test(at)) return usedIn('thinking');
  return at === 'body/reasoning_effort' ? usedIn('reasoning_effort') : null;
}

const schemaPlaces: readonly (readonly [place: RegExp, family: string])[] = [
  [/^body\/response_format\/json_schema\/schema(?=\/|$)/, 'schema'],
  [/^body\/tools\/\d+\/function\/parameters(?=\/|$)/, 'tool_schema'],
];
