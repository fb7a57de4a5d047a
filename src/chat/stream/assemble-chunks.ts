import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { itemsOrEmpty, objectOf, nonEmptyText } from '../fields.js';
import { messageText } from '../message-text.js';
import { mayBeJson, parseJson } from '../parse-json.js';
import type { Quirk } from '../quirks.js';
import { readFinish, openFrame, quirkList } from '../reply-frame.js';
import type { Reply, ToolCall } from '../reply.js';

interface Assembly {
  readonly add: (chunk: JsonObject) => void;
  /** The reply so far; null while no chunk carried a choice. */
  readonly reply: (done: boolean) => Reply | null;
  readonly note: (quirk: Quirk) => void;
}

/** Builds one reply from the chunks of a stream, as if it had come in one piece. */
export function assembleChunks(): Assembly {
  const { seen, note } = quirkList();
  const frame = openFrame();
  // Several choices (n > 1) are interleaved; the one with the lowest index is the reply.
  const byIndex = new Map<number, ChoiceState>();
  let emptyChunks = 0;
  let usageChunks = 0;
  let firstId: string | null = null;

  const add = (chunk: JsonObject): void => {
    frame.add(chunk, note);
    const id = nonEmptyText(chunk['id']);
    firstId ??= id;
    if (id !== null && id !== firstId) note('id_changes_in_stream');
    const hasUsage = objectOf(chunk['usage']) !== null;
    if (hasUsage && ++usageChunks > 1) note('usage_repeated');
    const choices = chunk['choices'];
    if (!Array.isArray(choices)) {
      note('choices_missing_in_chunk');
    } else if (choices.length === 0) {
      emptyChunks++;
      // The usage of a stream belongs into a last chunk without choices, which every client knows.
      if (!hasUsage) note('empty_choices_chunk');
    }
    let position = -1;
    for (const item of itemsOrEmpty(choices)) {
      position++;
      const choice = objectOf(item);
      if (choice === null) continue;
      const index = choice['index'];
      const key = typeof index === 'number' ? index : position;
      const state = byIndex.get(key) ?? startChoice();
      byIndex.set(key, state);
      state.add(choice);
    }
  };

  const reply = (done: boolean): Reply | null => {
    const first = lowestOf(byIndex);
    if (first === null) return null;
    const choice = first.state();
    const ending = endingOf(choice.parts.finish.reason, done);
    const totals = { choices: byIndex.size, streamed: true, ending, empty_chunks: emptyChunks };
    return frame.reply(choice.parts, totals, [...seen, ...choice.quirks]);
  };
  return { add, reply, note };
}

interface ChoiceState {
  readonly add: (choice: JsonObject) => void;
  readonly state: () => {
    readonly parts: Parameters<ReturnType<typeof openFrame>['reply']>[0];
    readonly quirks: readonly Quirk[];
  };
}

function startChoice(): ChoiceState {
  const { seen: quirks, note } = quirkList();
  const calls = assembleToolCalls(note);
  let role: string | null = null;
  const texts = { content: null as string | null, reasoning: null as string | null, refusal: null as string | null };
  let finish_reason: string | null = null;
  let native: string | null = null;
  let emptyList = false;
  return {
    add: (choice) => {
      const delta = readChoiceDelta(choice, texts.content !== null, note);
      role ??= nonEmptyText(delta['role']);
      const text = messageText(delta, note);
      if (finish_reason !== null && (text.content ?? '') + (text.refusal ?? '') !== '') {
        note('content_after_finish_reason');
      }
      if (text.content !== null) texts.content = (texts.content ?? '') + text.content;
      if (text.reasoning !== null) texts.reasoning = (texts.reasoning ?? '') + text.reasoning;
      if (text.refusal !== null) texts.refusal = (texts.refusal ?? '') + text.refusal;
      if (objectOf(delta['function_call']) !== null) note('legacy_function_call');
      const pieces = fragments(delta['tool_calls'], note);
      // Arguments after the finish_reason belong to the call; clients that stop at the finish_reason lose them.
      if (finish_reason !== null && pieces.length > 0) note('content_after_finish_reason');
      for (const fragment of pieces) calls.add(fragment);
      if (listIsEmpty(delta['tool_calls'])) emptyList = true;
      const finish = readFinish(choice, note);
      if (finish.reason !== null && finish_reason !== null) note('finish_reason_repeated');
      finish_reason = finish.reason ?? finish_reason;
      native = finish.native ?? native;
    },
    state: () => {
      const tool_calls = calls.calls();
      if (emptyList && tool_calls.length === 0) note('tool_calls_empty_list');
      return {
        parts: { role, text: texts, tool_calls, finish: { reason: finish_reason, native } },
        quirks,
      };
    },
  };
}

/** A loop: a service may send more choices than a call can have arguments. */
function lowestOf(byIndex: ReadonlyMap<number, ChoiceState>): ChoiceState | null {
  let lowest: readonly [number, ChoiceState] | null = null;
  for (const entry of byIndex) if (lowest === null || entry[0] < lowest[0]) lowest = entry;
  return lowest?.[1] ?? null;
}

/** The delta, or a whole `message` in its place when no delta came before. */
function readChoiceDelta(choice: JsonObject, began: boolean, note: (quirk: Quirk) => void): JsonObject {
  const delta = objectOf(choice['delta']);
  const message = objectOf(choice['message']);
  if (message === null) return delta ?? {};
  note('message_in_chunk');
  return delta !== null || began ? (delta ?? {}) : message;
}

function listIsEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function fragments(value: Json | undefined, note: (quirk: Quirk) => void): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  note('tool_calls_not_a_list');
  return [value];
}

function endingOf(finishReason: string | null, done: boolean): Reply['ending'] {
  if (finishReason !== null) return done ? 'finish_reason_and_done' : 'finish_reason_only';
  return done ? 'done_only' : 'open';
}

interface OpenCall {
  /** The place among the calls. */
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
  /**
   * Characters that may still be looked at to tell whether arguments are whole: a hostile stream asks again and again.
   */
  patience: number;
}

interface ToolCallAssembly {
  readonly add: (fragment: Json) => void;
  readonly calls: () => readonly ToolCall[];
}

/** Assembles the fragments of streamed tool calls, in the order in which they arrived, in linear time. */
function assembleToolCalls(note: (quirk: Quirk) => void): ToolCallAssembly {
  const open: OpenCalls = { inOrder: [], lastByIndex: new Map(), lastById: new Map(), patience: 1e7 };
  return {
    add: (fragment) => {
      const entry = objectOf(fragment);
      if (entry === null) return;
      noteNulls(entry, note);
      const call = openCallFor(entry, open, note);
      addTo(call, entry, open, note);
    },
    calls: () => {
      if (open.inOrder.some(({ typed }) => !typed)) note('tool_call_type_missing');
      return open.inOrder.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    },
  };
}

/** The call that a fragment belongs to: by index, by id, or the last one; a new one where none fits. */
function openCallFor(entry: JsonObject, open: OpenCalls, note: (quirk: Quirk) => void): OpenCall {
  const id = nonEmptyText(entry['id']);
  const name = functionNameOf(entry);
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
  if (call.id === null) identify(call, nonEmptyText(entry['id']), open);
  call.typed ||= nonEmptyText(entry['type']) !== null;
  const name = functionNameOf(entry);
  if (name !== null) {
    if (call.name === null) {
      call.name = name;
    } else if (call.name === name) {
      note('tool_call_name_repeated');
    } else {
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

function functionNameOf(entry: JsonObject): string | null {
  return nonEmptyText((objectOf(entry['function']) ?? {})['name']);
}

function noteNulls(entry: JsonObject, note: (quirk: Quirk) => void): void {
  const named = entry['function'];
  const isNull = entry['id'] === null || entry['type'] === null || entry['index'] === null;
  const holdsNull = isObject(named) && (named['name'] === null || named['arguments'] === null);
  if (isNull || named === null || holdsNull) note('null_tool_delta_fields');
}
