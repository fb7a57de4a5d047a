import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { objectOf, textOf } from '../fields.js';
import { mayBeJson, parseJson } from '../parse-json.js';
import type { Quirk } from '../quirks.js';
import type { ToolCall } from '../reply.js';

interface OpenCall {
  /** Its place among the calls. */
  readonly place: number;
  id: string | null;
  /** Some fragment carried a `type`. */
  typed: boolean;
  name: string | null;
  /** Texts are joined; undefined: no fragment has carried any. */
  arguments: Json | undefined;
}

/** The calls so far, found again by index and by id: a fragment must not cost more the more calls there are. */
interface OpenCalls {
  readonly inOrder: OpenCall[];
  readonly lastByIndex: Map<number, OpenCall>;
  readonly lastById: Map<string, OpenCall>;
  /** Characters that may still be looked at to tell whether arguments are whole: a hostile stream asks again and again. */
  patience: number;
}

interface ToolCallAssembly {
  readonly add: (fragment: Json) => void;
  readonly calls: () => readonly ToolCall[];
}

/** Assembles the fragments of streamed tool calls, in the order in which they arrived, in linear time. */
export function assembleToolCalls(note: (quirk: Quirk) => void): ToolCallAssembly {
  const open: OpenCalls = { inOrder: [], lastByIndex: new Map(), lastById: new Map(), patience: 1e7 };
  return {
    add: (fragment) => {
      const entry = objectOf(fragment);
      if (entry === null) return;
      noteNulls(entry, note);
      const call = callOf(entry, open, note);
      addTo(call, entry, open, note);
    },
    calls: () => {
      if (open.inOrder.some(({ typed }) => !typed)) note('tool_call_type_missing');
      return open.inOrder.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    },
  };
}

/** The call that a fragment belongs to: by index, by id, or the last one; a new one where none fits. */
function callOf(entry: JsonObject, open: OpenCalls, note: (quirk: Quirk) => void): OpenCall {
  const id = textOf(entry['id']);
  const name = nameOf(entry);
  const index = entry['index'];
  if (typeof index !== 'number') {
    note('tool_call_index_missing');
    const known = id === null ? undefined : open.lastById.get(id);
    if (known !== undefined) return known;
    const last = open.inOrder.at(-1);
    const startsAnother =
      id !== null
        ? last?.id !== null || isComplete(last, open)
        : name !== null && last?.name !== null && isComplete(last, open);
    return last === undefined || startsAnother ? begin(open, null) : last;
  }
  const sameIndex = open.lastByIndex.get(index);
  if (sameIndex !== undefined) {
    const another =
      id !== null && sameIndex.id !== null && id !== sameIndex.id && name !== null && isComplete(sameIndex, open);
    if (!another) return sameIndex;
    note('tool_call_index_repeated');
    return begin(open, index);
  }
  const only = open.inOrder.length === 1 ? open.inOrder[0] : undefined;
  if (only !== undefined && id === null && name === null) {
    note('tool_call_index_drifts');
    return only;
  }
  return begin(open, index);
}

function begin(open: OpenCalls, index: number | null): OpenCall {
  const call: OpenCall = {
    place: open.inOrder.length,
    id: null,
    typed: false,
    name: null,
    arguments: undefined,
  };
  open.inOrder.push(call);
  if (index !== null) open.lastByIndex.set(index, call);
  return call;
}

/** Whether the arguments of a call are complete. */
function isComplete(call: OpenCall | undefined, open: OpenCalls): boolean {
  if (call === undefined) return false;
  const { arguments: args } = call;
  if (typeof args !== 'string' || args === '') return true;
  open.patience -= args.length;
  return open.patience > 0 && mayBeJson(args) && parseJson(args).ok;
}

function addTo(call: OpenCall, entry: JsonObject, open: OpenCalls, note: (quirk: Quirk) => void): void {
  if (call.id === null) identify(call, textOf(entry['id']), open);
  call.typed ||= textOf(entry['type']) !== null;
  const name = nameOf(entry);
  if (name !== null) {
    if (call.name === null) call.name = name;
    else if (call.name === name) note('tool_call_name_repeated');
    else {
      note('tool_call_name_split');
      call.name = name.startsWith(call.name) ? name : call.name + name;
    }
  }
  const args = (objectOf(entry['function']) ?? {})['arguments'];
  if (args === undefined || args === null) return;
  call.arguments = typeof args === 'string' && typeof call.arguments === 'string' ? call.arguments + args : args;
}

/** The later of two calls with one id is the one that a fragment with this id continues. */
function identify(call: OpenCall, id: string | null, { lastById }: OpenCalls): void {
  if (id === null) return;
  call.id = id;
  if ((lastById.get(id)?.place ?? -1) < call.place) lastById.set(id, call);
}

function nameOf(entry: JsonObject): string | null {
  return textOf((objectOf(entry['function']) ?? {})['name']);
}

function noteNulls(entry: JsonObject, note: (quirk: Quirk) => void): void {
  const named = entry['function'];
  const isNull = entry['id'] === null || entry['type'] === null || entry['index'] === null;
  const holdsNull = isObject(named) && (named['name'] === null || named['arguments'] === null);
  if (isNull || named === null || holdsNull) note('null_tool_delta_fields');
}
