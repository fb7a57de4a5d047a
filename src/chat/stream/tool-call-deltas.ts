import type { Json, JsonObject } from '../../json/json.js';
import { objectOf, own, textOf } from '../fields.js';
import { parseJson } from '../parse-json.js';
import type { Quirk } from '../quirks.js';
import type { ToolCall } from '../reply.js';

interface OpenCall {
  readonly index: number | null;
  id: string | null;
  /** Some fragment carried a `type`. */
  typed: boolean;
  name: string | null;
  /** undefined until a fragment carried arguments. */
  arguments: Json | undefined;
}

export interface ToolCallAssembly {
  readonly add: (fragment: Json) => void;
  readonly calls: () => readonly ToolCall[];
}

/** Assembles the fragments of streamed tool calls, in the order in which they arrived. */
export function assembleToolCalls(note: (quirk: Quirk) => void): ToolCallAssembly {
  const open: OpenCall[] = [];
  return {
    add: (fragment) => {
      const entry = objectOf(fragment);
      if (entry === null) return;
      noteNulls(entry, note);
      const call = callOf(entry, open, note);
      addTo(call, entry, note);
    },
    calls: () => {
      if (open.some(({ typed }) => !typed)) note('tool_call_type_missing');
      return open.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    },
  };
}

/** The call that a fragment belongs to: by index, by id, or the last one; a new one where none fits. */
function callOf(entry: JsonObject, open: OpenCall[], note: (quirk: Quirk) => void): OpenCall {
  const id = textOf(own(entry, 'id'));
  const name = nameOf(entry);
  const index = own(entry, 'index');
  if (typeof index !== 'number') {
    note('tool_call_index_missing');
    const known = id === null ? undefined : open.findLast((call) => call.id === id);
    if (known !== undefined) return known;
    const last = open.at(-1);
    const startsAnother =
      id !== null ? last?.id !== null || isComplete(last) : name !== null && last?.name !== null && isComplete(last);
    return last === undefined || startsAnother ? begin(open, null) : last;
  }
  const sameIndex = open.findLast((call) => call.index === index);
  if (sameIndex !== undefined) {
    const another =
      id !== null && sameIndex.id !== null && id !== sameIndex.id && name !== null && isComplete(sameIndex);
    if (!another) return sameIndex;
    note('tool_call_index_repeated');
    return begin(open, index);
  }
  const only = open.length === 1 ? open[0] : undefined;
  if (only !== undefined && id === null && name === null) {
    note('tool_call_index_drifts');
    return only;
  }
  return begin(open, index);
}

function begin(open: OpenCall[], index: number | null): OpenCall {
  const call: OpenCall = { index, id: null, typed: false, name: null, arguments: undefined };
  open.push(call);
  return call;
}

/** Whether the arguments of a call are complete. */
function isComplete(call: OpenCall | undefined): boolean {
  if (call === undefined) return false;
  const args = call.arguments;
  return typeof args !== 'string' || args === '' || parseJson(args).ok;
}

function addTo(call: OpenCall, entry: JsonObject, note: (quirk: Quirk) => void): void {
  call.id ??= textOf(own(entry, 'id'));
  call.typed ||= textOf(own(entry, 'type')) !== null;
  const name = nameOf(entry);
  if (name !== null) {
    if (call.name === null) call.name = name;
    else if (call.name === name) note('tool_call_name_repeated');
    else {
      note('tool_call_name_split');
      call.name = name.startsWith(call.name) ? name : call.name + name;
    }
  }
  const args = own(objectOf(own(entry, 'function')) ?? {}, 'arguments');
  if (args === undefined || args === null) return;
  if (typeof args === 'string' && typeof call.arguments === 'string') call.arguments += args;
  else call.arguments = args;
}

function nameOf(entry: JsonObject): string | null {
  return textOf(own(objectOf(own(entry, 'function')) ?? {}, 'name'));
}

function noteNulls(entry: JsonObject, note: (quirk: Quirk) => void): void {
  const named = objectOf(own(entry, 'function')) ?? {};
  const values = [own(entry, 'id'), own(entry, 'type'), own(entry, 'index'), own(entry, 'function')];
  if ([...values, own(named, 'name'), own(named, 'arguments')].includes(null)) note('null_tool_delta_fields');
}
