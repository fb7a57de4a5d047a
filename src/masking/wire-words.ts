/** Words that are part of requests and answers with any service. */
const everywhere = JSON.stringify({
  id: 'chatcmpl-',
  object: ['chat.completion', 'chat.completion.chunk'],
  created: 0,
  model: '',
  system_fingerprint: null,
  service_tier: 'default',
  choices: [
    {
      index: 0,
      message: {
        role: ['assistant', 'user', 'system', 'developer', 'tool'],
        content: null,
        refusal: null,
        reasoning_content: null,
        annotations: [],
        audio: null,
        tool_calls: [{ id: 'call_', index: 0, type: 'function', function: { name: '', arguments: '' } }],
      },
      delta: {},
      logprobs: null,
      finish_reason: ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'],
    },
  ],
  usage: {
    ...{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    ...{ prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } },
  },
  error: { message: '', type: 'invalid_request_error', param: null, code: null },
});

/** Whether a value, forwards or backwards, is part of every answer: masking it would destroy the answers. */
export function isWireWord(value: string): boolean {
  const lower = value.toLowerCase();
  return everywhere.includes(lower) || everywhere.includes(Array.from(lower).reverse().join(''));
}
