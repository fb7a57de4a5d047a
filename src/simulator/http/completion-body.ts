import type { Json, JsonObject } from '../../json/json.js';
import type { Completion } from '../answers/draft.js';

/** The body of a plain answer. */
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
