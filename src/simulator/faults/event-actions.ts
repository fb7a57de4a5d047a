import {
  isObject,
  objectsIn,
  type Json,
  type JsonObject,
  writtenJson,
  at,
  pointerSteps,
  withValueAt,
} from '../../json/json.js';
import { doneEvent, type completionEvents } from '../http/encode-completion.js';
import type { ActionsOn } from '../profiles/profile.js';

/** Faults of an answer after the token limit. */
export const completionActions: ActionsOn<StreamedCompletion> = {
  finish_reason: (completion, finishReason) => ({
    ...completion,
    finishReason,
    others: completion.others.map((other) => ({ ...other, finishReason })),
  }),
  finish_reasons: (completion, reasons) => ({
    ...completion,
    finishReason: replacedReason(completion.finishReason, reasons),
    others: completion.others.map((other) => ({ ...other, finishReason: replacedReason(other.finishReason, reasons) })),
  }),
  usage: (completion, usage) => ({ ...completion, usage }),
  legacy_calls: (completion) => ({
    ...completion,
    form: { ...completion.form, legacyCalls: true },
    finishReason: completion.finishReason === 'tool_calls' ? 'function_call' : completion.finishReason,
  }),
};

function replacedReason(reason: Json, reasons: Readonly<Record<string, Json>>): Json {
  return typeof reason === 'string' && Object.hasOwn(reasons, reason) ? (reasons[reason] ?? null) : reason;
}

/** Faults of the body of an answer that is not streamed. */
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
function changed(body: JsonObject, changes: readonly (readonly [string, Json | undefined])[]): JsonObject {
  return changes.reduce<Json>((whole, [pointer, value]) => {
    const steps = pointerSteps(pointer);
    return at(whole, steps.slice(0, -1)) === undefined ? whole : withValueAt(whole, steps, value);
  }, body) as JsonObject;
}

type StreamedCompletion = Parameters<typeof completionEvents>[0];
type Events = ReturnType<typeof completionEvents>;
type FaultableEvent = Events[number];

/** Faults of the events of a stream. */
export const eventActions: ActionsOn<Events> = {
  keep_events: (events, count) => events.slice(0, count),
  only_done: () => [doneEvent],
  drop_done: (events) => events.filter((event) => event !== doneEvent),
  drop_finish: (events) => events.filter((event) => eventFinishReason(event) === null),
  repeat_finish: (events) => events.flatMap((event) => (eventFinishReason(event) === null ? [event] : [event, event])),
  finish_at: moveFinish,
  empty_finish: (events) =>
    eachChoice(events, (choice) => ({ ...choice, finish_reason: choice['finish_reason'] ?? '' })),
  content_blocks: (events) =>
    eachDelta(events, (delta) =>
      typeof delta['content'] === 'string' ? { ...delta, content: [{ type: 'text', text: delta['content'] }] } : delta,
    ),
  null_ids: (events) =>
    eachCall(
      eachChunk(events, (chunk) => ({ ...chunk, id: null })),
      (call) => ('id' in call ? { ...call, id: null } : call),
    ),
  null_fields: (events) =>
    eachCall(events, (call) => ({ id: null, type: null, ...call, function: { name: null, ...functionOf(call) } })),
  drop_indexes: (events) => eachCall(eachChoice(events, withoutField('index')), withoutField('index')),
  duplicate_index: joinCallStarts,
  drifting_index: (events) => eachCall(events, (call) => ('id' in call ? call : { ...call, index: 1 })),
  usage_in_content: usageInContent,
  cut_letters: (events) => events.flatMap(cutLetter),
  set_in_chunks: (events, members) => eachChunk(events, (chunk) => changed(chunk, Object.entries(members))),
  unset_in_chunks: (events, pointers) =>
    eachChunk(events, (chunk) =>
      changed(
        chunk,
        pointers.map((pointer) => [pointer, undefined]),
      ),
    ),
  split_names: (events) => events.flatMap(splitName),
  repeat_names: repeatNames,
  set_in_chunk: (events, { at, set }) =>
    events.map((event, place) =>
      place === at && event.kind === 'chunk'
        ? { kind: 'chunk', chunk: changed(event.chunk, Object.entries(set)) }
        : event,
    ),
  insert_event: (events, { at, chunk, ...event }) =>
    events.toSpliced(at, 0, chunk === undefined ? eventFrom(event) : neighbouring(events, at, chunk)),
  append_event: (events, event) => [...events, eventFrom(event)],
  comments: (events, text) => events.flatMap((event) => [{ kind: 'raw', text: `: ${text}\n\n` } as const, event]),
};

function eventFrom({ data, raw }: { readonly data?: Json; readonly raw?: string }): FaultableEvent {
  return { kind: 'raw', text: raw ?? `data: ${writtenJson(data ?? null)}\n\n` };
}

/**
 * A chunk of the same stream: what it does not say itself, apart from choices and usage, is as in the chunk beside it.
 */
function neighbouring(events: Events, place: number, members: JsonObject): FaultableEvent {
  const beside = [...events.slice(0, place).toReversed(), ...events.slice(place)].find(({ kind }) => kind === 'chunk');
  const head = withoutField('choices')(withoutField('usage')(beside?.kind === 'chunk' ? beside.chunk : {}));
  return { kind: 'chunk', chunk: { ...head, ...members } };
}

/** The first chunk stays where it is, since it opens the message. */
function moveFinish(events: Events, place: number): Events {
  const from = events.findIndex((event) => eventFinishReason(event) !== null);
  const to = place < 0 ? from + place : place;
  return from < 0 ? events : events.toSpliced(from, 1).toSpliced(Math.max(1, to), 0, ...events.slice(from, from + 1));
}

function eachChunk(events: Events, change: (chunk: JsonObject) => JsonObject): Events {
  return events.map((event) => (event.kind === 'chunk' ? { kind: 'chunk', chunk: change(event.chunk) } : event));
}

const chunkChoices = (chunk: JsonObject): readonly JsonObject[] => objectsIn(chunk['choices']);

function eachChoice(events: Events, change: (choice: JsonObject) => JsonObject): Events {
  return eachChunk(events, (chunk) => ({ ...chunk, choices: chunkChoices(chunk).map(change) }));
}

function choiceDelta(choice: JsonObject): JsonObject {
  return isObject(choice['delta']) ? choice['delta'] : {};
}

function eachDelta(events: Events, change: (delta: JsonObject) => JsonObject): Events {
  return eachChoice(events, (choice) => ({ ...choice, delta: change(choiceDelta(choice)) }));
}

const callsOf = (delta: JsonObject): readonly JsonObject[] => objectsIn(delta['tool_calls']);

function eachCall(events: Events, change: (call: JsonObject) => JsonObject): Events {
  return eachDelta(events, (delta) =>
    'tool_calls' in delta ? { ...delta, tool_calls: callsOf(delta).map(change) } : delta,
  );
}

function functionOf(call: JsonObject): JsonObject {
  return isObject(call['function']) ? call['function'] : {};
}

function withoutField(name: string): (value: JsonObject) => JsonObject {
  return (value) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function eventFinishReason(event: FaultableEvent): Json {
  return event.kind === 'chunk' ? (chunkChoices(event.chunk)[0]?.['finish_reason'] ?? null) : null;
}

function callsIn(event: FaultableEvent | undefined): readonly JsonObject[] {
  return event?.kind === 'chunk' ? chunkChoices(event.chunk).flatMap((choice) => callsOf(choiceDelta(choice))) : [];
}

/** A fragment with a name as two fragments, the second of which carries the rest of the name. */
function splitName(event: FaultableEvent): Events {
  const name = callsIn(event).map((call) => functionOf(call)['name'])[0];
  if (typeof name !== 'string') return [event];
  const named = (part: string, rest: (call: JsonObject) => JsonObject): Events =>
    eachCall([event], (call) => rest({ ...call, function: { ...functionOf(call), name: part } }));
  const half = Math.ceil(name.length / 2);
  return [
    ...named(name.slice(0, half), (call) => call),
    ...named(name.slice(half), ({ index = 0, function: rest = {} }) => ({
      index,
      function: { ...(isObject(rest) ? rest : {}), arguments: '' },
    })),
  ];
}

/** A piece with a letter of several bytes as two, which were cut within that letter and then decoded one by one. */
function cutLetter(event: FaultableEvent): Events {
  const cut = (part: (text: string, at: number) => string): Events =>
    eachDelta([event], (delta) => ({
      ...delta,
      ...(typeof delta['content'] === 'string' && { content: part(delta['content'], letterIn(delta['content'])) }),
      ...('tool_calls' in delta && {
        tool_calls: callsOf(delta).map((call) => {
          const { arguments: args } = functionOf(call);
          if (typeof args !== 'string') return call;
          return { ...call, function: { ...functionOf(call), arguments: part(args, letterIn(args)) } };
        }),
      }),
    }));
  if (!eventTexts(event).some((text) => letterIn(text) >= 0)) return [event];
  return [
    ...cut((text, at) => (at < 0 ? text : `${text.slice(0, at)}\uFFFD`)),
    ...cut((text, at) => (at < 0 ? '' : `\uFFFD${text.slice(at).replace(/^[^\0-\u007f]/u, '')}`)),
  ];
}

/** Where the first letter of several bytes stands; -1 where there is none. */
function letterIn(text: string): number {
  return text.search(/[^\0-\u007f]/u);
}

function eventTexts(event: FaultableEvent): readonly string[] {
  if (event.kind !== 'chunk') return [];
  const deltas = chunkChoices(event.chunk).map(choiceDelta);
  const texts = [
    ...deltas.map((delta) => delta['content']),
    ...deltas.flatMap(callsOf).map((call) => functionOf(call)['arguments']),
  ];
  return texts.filter((text) => typeof text === 'string');
}

function repeatNames(events: Events): Events {
  let latest: Json = null;
  return eachCall(events, (call) => {
    const { name = latest, ...rest } = functionOf(call);
    latest = name;
    return { ...call, function: { name, ...rest } };
  });
}

/** Sends a call's first two deltas in one chunk, as two entries with the same index. */
function joinCallStarts(events: Events): Events {
  const start = events.findIndex((event) => callsIn(event).length > 0);
  const [first, second] = [events[start], events[start + 1]];
  if (first === undefined || callsIn(second).length === 0) return events;
  const joined = eachDelta([first], (delta) => ({ ...delta, tool_calls: [...callsOf(delta), ...callsIn(second)] }));
  return events.toSpliced(start, 2, ...joined);
}

/** Sends usage with the last chunk of content instead of in a chunk of its own. */
function usageInContent(events: Events): Events {
  const tail = events.findLast((event) => event.kind === 'chunk' && 'usage' in event.chunk);
  const usage = tail?.kind === 'chunk' ? tail.chunk['usage'] : undefined;
  const kept = events.filter((event) => event !== tail);
  const last = kept.findLastIndex((event) => event.kind === 'chunk' && eventFinishReason(event) === null);
  return usage === undefined
    ? events
    : kept.map((event, index) =>
        index === last && event.kind === 'chunk' ? { kind: 'chunk', chunk: { ...event.chunk, usage } } : event,
      );
}
