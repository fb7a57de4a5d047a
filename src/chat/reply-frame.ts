import type { Json, JsonObject } from '../json/json.js';
import { objectOf, nonEmptyText } from './fields.js';
import type { messageText } from './message-text.js';
import type { Quirk } from './quirks.js';
import type { Reply, ToolCall } from './reply.js';

/** The quirks of one answer, each once. */
interface QuirkList {
  readonly seen: readonly Quirk[];
  readonly note: (quirk: Quirk) => void;
}

/** A list, since most answers have no quirk, hardly one has five, and a Set takes several times as long to make. */
export function quirkList(): QuirkList {
  const seen: Quirk[] = [];
  return {
    seen,
    note: (quirk) => {
      if (!seen.includes(quirk)) seen.push(quirk);
    },
  };
}

interface Finish {
  readonly reason: string | null;
  readonly native: string | null;
}

/** How a choice ended: its finish_reason, and the one an upstream gave where a router passes it on. */
export function readFinish(choice: JsonObject, note: (quirk: Quirk) => void): Finish {
  if (typeof choice['index'] !== 'number') note('choice_index_missing');
  const value: Json | undefined = choice['finish_reason'];
  if (value === '') note('finish_reason_empty_string');
  return { reason: nonEmptyText(value), native: nonEmptyText(choice['native_finish_reason']) };
}

/** The fields of an answer besides its choices. */
interface FrameFields {
  id: string | null;
  request_id: string | null;
  object: string | null;
  model: string | null;
  system_fingerprint: string | null;
  provider: string | null;
  usage: JsonObject | null;
}

/** The parts of a choice. */
interface ChoiceParts {
  readonly role: string | null;
  readonly text: ReturnType<typeof messageText>;
  readonly tool_calls: readonly ToolCall[];
  readonly finish: Finish;
}

/** Facts of an answer that was read to its end. */
type Totals = Pick<Reply, 'choices' | 'streamed' | 'ending' | 'empty_chunks'>;

/** Joins what bodies say besides their choices, and ends with the reply. */
interface Frame {
  /** Adds a body or a chunk: the first value of each field counts, except for usage, where the last does. */
  readonly add: (body: JsonObject, note: (quirk: Quirk) => void) => void;
  /** @param noted quirks seen so far, also repeatedly */
  readonly reply: (parts: ChoiceParts, totals: Totals, noted: readonly Quirk[]) => Reply;
}

export function openFrame(): Frame {
  const frame: FrameFields = {
    id: null,
    request_id: null,
    object: null,
    model: null,
    system_fingerprint: null,
    provider: null,
    usage: null,
  };
  return {
    add: (body, note) => {
      frame.id ??= nonEmptyText(body['id']);
      frame.request_id ??= nonEmptyText(body['request_id']);
      frame.object ??= nonEmptyText(body['object']);
      frame.model ??= nonEmptyText(body['model']);
      frame.system_fingerprint ??= nonEmptyText(body['system_fingerprint']);
      frame.provider ??= nonEmptyText(body['provider']);
      frame.usage = objectOf(body['usage']) ?? frame.usage;
      // Typed clients read every body, and every chunk of a stream, by itself.
      if (!Number.isInteger(body['created'])) note('created_missing');
    },
    reply: (parts, totals, noted) => {
      const { seen, note } = quirkList();
      for (const quirk of noted) note(quirk);
      noteFields(frame, totals, note);
      if (!seen.includes('message_missing')) noteRole(parts.role, note);
      if (totals.ending === 'finish_reason_only') note('done_missing');
      if (parts.finish.reason === null && totals.ending !== 'open') note('finish_reason_missing');
      noteUsage(frame.usage, parts, note);
      return replyOf(frame, parts, totals, seen);
    },
  };
}

function noteFields(frame: FrameFields, { streamed }: Totals, note: (quirk: Quirk) => void): void {
  if (frame.id === null) note('id_missing');
  if (frame.model === null) note('model_missing');
  const isRight = frame.object === 'chat.completion' || (streamed && frame.object === 'chat.completion.chunk');
  if (!isRight) note('object_unexpected');
  if (frame.usage === null && !streamed) note('usage_missing');
}

function noteRole(role: string | null, note: (quirk: Quirk) => void): void {
  if (role === null) {
    note('role_missing');
  } else if (role !== 'assistant') {
    note('role_unexpected');
  }
}

/**
 * Some services count reasoning in the total only, so the total may be larger than its parts but never smaller, and
 * only what is left beside the reasoning must have been counted as completion.
 */
function noteUsage(
  usage: JsonObject | null,
  { text, tool_calls }: Pick<ChoiceParts, 'text' | 'tool_calls'>,
  note: (quirk: Quirk) => void,
): void {
  if (usage === null) return;
  const prompt = usage['prompt_tokens'];
  const completion = usage['completion_tokens'];
  const total = usage['total_tokens'];
  const isCounted = typeof completion === 'number' && completion > 0;
  if (!isCounted && (tool_calls.length > 0 || (text.content ?? '') !== '')) note('usage_without_completion');
  if (typeof prompt !== 'number' || typeof completion !== 'number' || typeof total !== 'number') return;
  if (total < prompt + completion) note('usage_total_too_small');
}

/**
 * The reply of its parts, which are named one by one: where a spread is followed by other members, V8 makes a new shape
 * for each object, and that takes longer than JSON.parse of the answer.
 */
function replyOf(frame: FrameFields, parts: ChoiceParts, totals: Totals, quirks: readonly Quirk[]): Reply {
  const { role, text, tool_calls, finish } = parts;
  const reply: Reply = {
    id: frame.id,
    request_id: frame.request_id,
    object: frame.object,
    model: frame.model,
    system_fingerprint: frame.system_fingerprint,
    usage: frame.usage,
    role,
    content: text.content,
    reasoning: text.reasoning,
    refusal: text.refusal,
    tool_calls,
    finish_reason: finish.reason,
    choices: totals.choices,
    streamed: totals.streamed,
    ending: totals.ending,
    empty_chunks: totals.empty_chunks,
    quirks: quirks.length > 1 ? [...quirks].sort() : quirks,
  };
  if (frame.provider === null && finish.native === null) return reply;
  return {
    ...reply,
    ...(frame.provider !== null && { provider: frame.provider }),
    ...(finish.native !== null && { native_finish_reason: finish.native }),
  };
}
