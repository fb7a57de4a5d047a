import type { Json, JsonObject } from '../../json/json.js';
import type { Completion, DraftCall } from '../answers/draft.js';
import { tokenize } from '../answers/tokens.js';

/** The body of an answer that is not streamed; `field` names the member that holds the reasoning. */
export function completionBody(completion: Completion, field: string): JsonObject {
  const { id, created, model, content, reasoning, refusal, toolCalls, finishReason, usage } = completion;
  const message = {
    role: 'assistant',
    content,
    ...(reasoning !== null && { [field]: reasoning }),
    ...(refusal !== null && { refusal }),
    ...(toolCalls !== null && {
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: 'fp_simulator',
    choices: [{ index: 0, message, finish_reason: finishReason }] as Json,
    ...(usage !== null && { usage }),
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
export function completionEvents(completion: Completion, field: string): readonly StreamEvent[] {
  const { content, reasoning, refusal, toolCalls, finishReason, usage } = completion;
  const chunk = (delta: Json, finish: Json = null): StreamEvent => ({
    kind: 'chunk',
    chunk: { ...chunkHead(completion), choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  return [
    chunk({ role: 'assistant', content: content === null ? null : '' }),
    ...pieces(reasoning).map((piece) => chunk({ [field]: piece })),
    ...pieces(content).map((piece) => chunk({ content: piece })),
    ...pieces(refusal).map((piece) => chunk({ refusal: piece })),
    ...(toolCalls ?? []).flatMap((call, index) =>
      callDeltas(call, index).map((delta) => chunk({ tool_calls: [delta] })),
    ),
    ...(toolCalls?.length === 0 ? [chunk({ tool_calls: [] })] : []),
    chunk({}, finishReason),
    ...(usage === null ? [] : [{ kind: 'chunk' as const, chunk: { ...chunkHead(completion), choices: [], usage } }]),
    doneEvent,
  ];
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
