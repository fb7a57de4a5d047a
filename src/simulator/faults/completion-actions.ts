import type { Json, JsonObject } from '../../json/json.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import type { Completion } from '../answers/draft.js';
import type { ActionsOn } from '../profiles/profile.js';

/** What a fault can do to an answer after the token limit. */
export const completionActions: ActionsOn<Completion> = {
  finish_reason: (completion, finishReason) => ({
    ...completion,
    finishReason,
    others: completion.others.map((other) => ({ ...other, finishReason })),
  }),
  usage: (completion, usage) => ({ ...completion, usage }),
  legacy_calls: (completion) => ({
    ...completion,
    form: { ...completion.form, legacyCalls: true },
    finishReason: completion.finishReason === 'tool_calls' ? 'function_call' : completion.finishReason,
  }),
};

/** What a fault can do to the body of an answer that is not streamed. */
export const bodyActions: ActionsOn<JsonObject> = {
  set: (body, members) => changed(body, Object.entries(members)),
  unset: (body, pointers) =>
    changed(
      body,
      pointers.map((pointer) => [pointer, undefined]),
    ),
  calls_not_a_list: (body) => {
    const calls = at(body, callsSteps);
    const first = Array.isArray(calls) ? (calls as readonly Json[])[0] : undefined;
    return first === undefined ? body : changed(body, [[callsPointer, first]]);
  },
  content_blocks: (body) => {
    const text = at(body, contentSteps);
    return typeof text === 'string' ? changed(body, [[contentPointer, [{ type: 'text', text }]]]) : body;
  },
};

const contentPointer = '/choices/0/message/content';
const contentSteps = pointerSteps(contentPointer);
const callsPointer = '/choices/0/message/tool_calls';
const callsSteps = pointerSteps(callsPointer);

/** Members whose surroundings are missing are left out: an answer without calls has no id of a call. */
export function changed(body: JsonObject, changes: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return changes.reduce<Json>((whole, [pointer, value]) => {
    const steps = pointerSteps(pointer);
    return at(whole, steps.slice(0, -1)) === undefined ? whole : withValueAt(whole, steps, value);
  }, body) as JsonObject;
}
