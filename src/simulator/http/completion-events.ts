import type { Json, JsonObject } from '../../json/json.js';
import type { Completion, DraftCall } from '../answers/draft.js';
import { tokenize } from '../answers/tokens.js';

/** One event of a stream. */
export type StreamEvent =
  | { readonly kind: 'chunk'; readonly chunk: JsonObject }
  /** Written as it is, with the lines' ends of the stream. */
  | { readonly kind: 'raw'; readonly text: string };

export const done: StreamEvent = { kind: 'raw', text: 'data: [DONE]\n\n' };

/** More chunks would only cost time. */
const mostChunks = 24;

/** The events of a streamed answer; put together they say what the plain answer says. */
export function completionEvents(completion: Completion, field: string): readonly StreamEvent[] {
  const { content, reasoning, refusal, toolCalls, finishReason, usage } = completion;
  const chunk = (delta: Json, finish: Json = null): StreamEvent => ({
    kind: 'chunk',
    chunk: { ...head(completion), choices: [{ index: 0, delta, finish_reason: finish }] },
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
    ...(usage === null ? [] : [{ kind: 'chunk' as const, chunk: { ...head(completion), choices: [], usage } }]),
    done,
  ];
}

function head({ id, created, model }: Completion): JsonObject {
  return { id, object: 'chat.completion.chunk', created, model, system_fingerprint: 'fp_simulator' };
}

function callDeltas(call: DraftCall, index: number): readonly JsonObject[] {
  const first = (start: Json): JsonObject => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: start },
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
