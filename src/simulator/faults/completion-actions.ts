import type { Json, JsonObject } from '../../json/json.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import type { Completion } from '../answers/draft.js';
import type { Do } from '../profiles/profile.js';

type CompletionName = 'finish_reason' | 'usage' | 'legacy_calls';

type CompletionActions = {
  readonly [K in CompletionName]: (completion: Completion, value: Exclude<Do[K], undefined>) => Completion;
};

/** What a fault can do to an answer after the token limit. */
export const completionActions: CompletionActions = {
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

type BodyName = 'set' | 'unset' | 'content_blocks' | 'calls_not_a_list';

type BodyActions = { readonly [K in BodyName]: (body: JsonObject, value: Exclude<Do[K], undefined>) => JsonObject };

/** What a fault can do to the body of an answer that is not streamed. */
export const bodyActions: BodyActions = {
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
