import type { Json, JsonObject } from '../../json/json.js';
import { listOf, objectOf, textOf } from '../fields.js';
import { messageText } from '../message-text.js';
import {
  quirkList,
  addToFrame,
  emptyFrame,
  finishOf,
  noteCreated,
  noteFrame,
  noteIndex,
  noteRole,
  noteUsage,
  replyOf,
  type ChoiceParts,
} from '../reply-frame.js';
import type { Quirk } from '../quirks.js';
import type { Ending, Reply } from '../reply.js';
import { assembleToolCalls } from './tool-call-deltas.js';

interface Assembly {
  readonly add: (chunk: JsonObject) => void;
  /** The reply so far; null while no chunk carried a choice. */
  readonly reply: (done: boolean) => Reply | null;
  readonly note: (quirk: Quirk) => void;
}

/** Builds one reply from the chunks of a stream, as if it had come in one piece. */
export function assembleChunks(): Assembly {
  const { seen, note } = quirkList();
  const frame = emptyFrame();
  // Several choices (n > 1) are interleaved; the one with the lowest index is the reply.
  const byIndex = new Map<number, ChoiceState>();
  let emptyChunks = 0;
  let usageChunks = 0;
  let firstId: string | null = null;

  const add = (chunk: JsonObject): void => {
    addToFrame(frame, chunk);
    noteCreated(chunk, note);
    const id = textOf(chunk['id']);
    firstId ??= id;
    if (id !== null && id !== firstId) note('id_changes_in_stream');
    const hasUsage = objectOf(chunk['usage']) !== null;
    if (hasUsage && ++usageChunks > 1) note('usage_repeated');
    const choices = chunk['choices'];
    if (!Array.isArray(choices)) note('choices_missing_in_chunk');
    else if (choices.length === 0) {
      emptyChunks++;
      // The usage of a stream belongs into a last chunk without choices, which every client knows.
      if (!hasUsage) note('empty_choices_chunk');
    }
    let position = -1;
    for (const item of listOf(choices)) {
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
    const { seen: quirks, note: noteHere } = quirkList();
    for (const quirk of seen) noteHere(quirk);
    for (const quirk of choice.quirks) noteHere(quirk);
    noteFrame(frame, ['chat.completion.chunk', 'chat.completion'], noteHere);
    noteRole(choice.parts.role, noteHere);
    noteUsage(frame.usage, choice.parts, noteHere);
    const ending = endingOf(choice.parts.finish.reason, done);
    if (ending === 'finish_reason_only') noteHere('done_missing');
    if (ending === 'done_only') noteHere('finish_reason_missing');
    return replyOf(
      frame,
      choice.parts,
      { choices: byIndex.size, streamed: true, ending, empty_chunks: emptyChunks },
      quirks,
    );
  };
  return { add, reply, note };
}

interface ChoiceState {
  readonly add: (choice: JsonObject) => void;
  readonly state: () => { readonly parts: ChoiceParts; readonly quirks: readonly Quirk[] };
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
      noteIndex(choice, note);
      const delta = deltaOf(choice, texts.content !== null, note);
      role ??= textOf(delta['role']);
      const text = messageText(delta, note);
      if (finish_reason !== null && (text.content ?? '') + (text.refusal ?? '') !== '')
        note('content_after_finish_reason');
      if (text.content !== null) texts.content = (texts.content ?? '') + text.content;
      if (text.reasoning !== null) texts.reasoning = (texts.reasoning ?? '') + text.reasoning;
      if (text.refusal !== null) texts.refusal = (texts.refusal ?? '') + text.refusal;
      if (objectOf(delta['function_call']) !== null) note('legacy_function_call');
      const pieces = fragments(delta['tool_calls'], note);
      // They belong to the call all the same; clients that stop at the finish_reason lose them.
      if (finish_reason !== null && pieces.length > 0) note('content_after_finish_reason');
      for (const fragment of pieces) calls.add(fragment);
      if (listIsEmpty(delta['tool_calls'])) emptyList = true;
      const finish = finishOf(choice, note);
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
function deltaOf(choice: JsonObject, began: boolean, note: (quirk: Quirk) => void): JsonObject {
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

function endingOf(finishReason: string | null, done: boolean): Ending {
  if (finishReason !== null) return done ? 'finish_reason_and_done' : 'finish_reason_only';
  return done ? 'done_only' : 'open';
}
