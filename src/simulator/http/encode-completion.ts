import type { Json, JsonObject } from '../../json/json.js';
import type { AnswerForm, Choice, Completion, DraftCall } from '../answers/draft.js';
import { tokenize } from '../answers/tokens.js';

/** The body of an answer that is not streamed. */
export function completionBody(completion: Completion): JsonObject {
  const { id, created, model, others, form, usage } = completion;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: 'fp_simulator',
    choices: [completion, ...others].map((choice, index) => choiceBody(choice, index, form)),
    ...(usage !== null && { usage }),
  };
}

function choiceBody(choice: Choice, index: number, { reasoningField, legacyCalls }: AnswerForm): JsonObject {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  const calls = (toolCalls ?? []).map((call) => ({ name: call.name, arguments: call.arguments }));
  const message = {
    role: 'assistant',
    content,
    ...(reasoning !== null && { [reasoningField]: reasoning }),
    ...(refusal !== null && { refusal }),
    ...(toolCalls !== null &&
      !legacyCalls && {
        tool_calls: toolCalls.map(({ id }, place) => ({ id, type: 'function', function: calls[place] ?? null })),
      }),
    ...(legacyCalls && calls[0] !== undefined && { function_call: calls[0] }),
  };
  return {
    index,
    message,
    finish_reason: finishReason,
  };
}

/** One event of a stream. */
export type StreamEvent =
  | { readonly kind: 'chunk'; readonly chunk: JsonObject }
  /** Written as it is, apart from line ends. */
  | { readonly kind: 'raw'; readonly text: string };

export const doneEvent: StreamEvent = { kind: 'raw', text: 'data: [DONE]\n\n' };

/** For each text; more would only cost time. */
const mostChunks = 24;

/** The events of a streamed answer; joined, they equal {@link completionBody}. */
export function completionEvents(completion: Completion): readonly StreamEvent[] {
  const { others, usage } = completion;
  return [
    ...[completion, ...others].flatMap((choice, index) => choiceEvents(choice, index, completion)),
    ...(usage === null ? [] : [{ kind: 'chunk' as const, chunk: { ...chunkHead(completion), choices: [], usage } }]),
    doneEvent,
  ];
}

function choiceEvents(choice: Choice, index: number, whole: Completion): readonly StreamEvent[] {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  const { reasoningField, legacyCalls } = whole.form;
  const chunk = (delta: Json, finish: Json = null): StreamEvent => ({
    kind: 'chunk',
    chunk: { ...chunkHead(whole), choices: [{ index, delta, finish_reason: finish }] },
  });
  return [
    chunk({ role: 'assistant', content: content === null ? null : '' }),
    ...pieces(reasoning).map((piece) => chunk({ [reasoningField]: piece })),
    ...pieces(content).map((piece) => chunk({ content: piece })),
    ...pieces(refusal).map((piece) => chunk({ refusal: piece })),
    ...(legacyCalls
      ? (toolCalls ?? []).slice(0, 1).flatMap(legacyDeltas)
      : (toolCalls ?? []).flatMap((call, place) => callDeltas(call, place).map((delta) => ({ tool_calls: [delta] })))
    ).map((delta) => chunk(delta)),
    ...(toolCalls?.length === 0 ? [chunk({ tool_calls: [] })] : []),
    chunk({}, finishReason),
  ];
}

function legacyDeltas({ name, arguments: args }: DraftCall): readonly JsonObject[] {
  if (typeof args !== 'string') return [{ function_call: { name, arguments: args } }];
  const rest = pieces(args).map((piece) => ({ function_call: { arguments: piece } }));
  return [{ function_call: { name, arguments: '' } }, ...rest];
}

function chunkHead({ id, created, model }: Completion): JsonObject {
  return { id, object: 'chat.completion.chunk', created, model, system_fingerprint: 'fp_simulator' };
}

function callDeltas(call: DraftCall, index: number): readonly JsonObject[] {
  const first = (args: Json): JsonObject => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: args },
  });
  if (typeof call.arguments !== 'string') return [first(call.arguments)];
  return [first(''), ...pieces(call.arguments).map((piece) => ({ index, function: { arguments: piece } }))];
}

/** A text in pieces of whole tokens. */
function pieces(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const tokens = tokenize(text);
  const size = Math.max(3, Math.ceil(tokens.length / mostChunks));
  return Array.from({ length: Math.ceil(tokens.length / size) }, (_, index) =>
    tokens.slice(index * size, (index + 1) * size).join(''),
  );
}
