import type { Json, JsonObject } from '../../json/json.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import type { Do } from '../profiles/profile.js';

type Name = 'set' | 'unset' | 'content_blocks';

type BodyActions = { readonly [K in Name]: (body: JsonObject, value: Exclude<Do[K], undefined>) => JsonObject };

/** What a fault can make of the body of a plain answer. */
export const bodyActions: BodyActions = {
  set: (body, members) => changed(body, Object.entries(members)),
  unset: (body, pointers) =>
    changed(
      body,
      pointers.map((pointer) => [pointer, undefined]),
    ),
  content_blocks: (body) => {
    const text = at(body, contentSteps);
    return typeof text === 'string' ? changed(body, [[contentPointer, [{ type: 'text', text }]]]) : body;
  },
};

const contentPointer = '/choices/0/message/content';
const contentSteps = pointerSteps(contentPointer);

function changed(body: JsonObject, changes: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return changes.reduce<Json>(
    (whole, [pointer, value]) => withValueAt(whole, pointerSteps(pointer), value),
    body,
  ) as JsonObject;
}
