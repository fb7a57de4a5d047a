import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { objectOf, textOf } from '../fields.js';
import type { Quirk } from '../quirks.js';
import type { ToolCall } from '../reply.js';
import { jsonProgress, type JsonProgress } from './json-progress.js';

interface OpenCall {
  /** Its place among the calls. */
  readonly place: number;
  id: string | null;
  /** Some fragment carried a `type`. */
  typed: boolean;
  name: string | null;
  arguments: Arguments;
}

type Arguments =
  /** No fragment has carried any. */
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly progress: JsonProgress }
  | { readonly kind: 'value'; readonly value: Json };

/** The calls so far, found again by index and by id: a fragment must not cost more the more calls there are. */
interface OpenCalls {
  readonly inOrder: OpenCall[];
  readonly lastByIndex: Map<number, OpenCall>;
  readonly lastById: Map<string, OpenCall>;
}

export interface ToolCallAssembly {
  readonly add: (fragment: Json) => void;
  readonly calls: () => readonly ToolCall[];
}

/** Assembles the fragments of streamed tool calls, in the order in which they arrived, in linear time. */
export function assembleToolCalls(note: (quirk: Quirk) => void): ToolCallAssembly {
  const open: OpenCalls = { inOrder: [], lastByIndex: new Map(), lastById: new Map() };
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
      return open.inOrder.map(({ id, name, arguments: args }) => ({ id, name, arguments: sent(args) }));
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
      id !== null ? last?.id !== null || isComplete(last) : name !== null && last?.name !== null && isComplete(last);
    return last === undefined || startsAnother ? begin(open, null) : last;
  }
  const sameIndex = open.lastByIndex.get(index);
  if (sameIndex !== undefined) {
    const another =
      id !== null && sameIndex.id !== null && id !== sameIndex.id && name !== null && isComplete(sameIndex);
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
    arguments: { kind: 'none' },
  };
  open.inOrder.push(call);
  if (index !== null) open.lastByIndex.set(index, call);
  return call;
}

/** Whether the arguments of a call are complete. */
function isComplete(call: OpenCall | undefined): boolean {
  if (call === undefined) return false;
  return call.arguments.kind !== 'text' || call.arguments.progress.isComplete();
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
  if (args !== undefined && args !== null) addArguments(call, args);
}

/** The later of two calls with one id is the one that a fragment with this id continues. */
function identify(call: OpenCall, id: string | null, { lastById }: OpenCalls): void {
  if (id === null) return;
  call.id = id;
  if ((lastById.get(id)?.place ?? -1) < call.place) lastById.set(id, call);
}

function addArguments(call: OpenCall, args: Json): void {
  if (typeof args !== 'string') {
    call.arguments = { kind: 'value', value: args };
    return;
  }
  if (call.arguments.kind !== 'text') call.arguments = { kind: 'text', progress: jsonProgress() };
  call.arguments.progress.add(args);
}

function sent(args: Arguments): Json | undefined {
  switch (args.kind) {
    case 'none':
      return undefined;
    case 'text':
      return args.progress.text();
    case 'value':
      return args.value;
  }
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
