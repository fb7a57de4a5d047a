export const thinkingFields = [
  ...['reasoning_effort', 'reasoning_content', 'enable_thinking', 'thinking_budget', 'chat_template_kwargs'],
];
export const knownFields = new Set([
  ...thinkingFields,
  ...['max_tokens', 'max_completion_tokens', 'stream_options', 'include_usage', 'parallel_tool_calls'],
  ...['tool_call_id', 'tool_calls', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty'],
  ...['repetition_penalty', 'logit_bias', 'image_url', 'top_logprobs', 'service_tier', 'prompt_cache_key'],
  ...['safety_identifier', 'function_call', 'thought_signature', 'max_output_tokens', 'max_new_tokens'],
]);

export function isRequestField(name: string): boolean {
  return knownFields.has(name) || name === 'response_format' || name === 'tool_choice';
}

/** `RateLimitExceeded.EndpointRPMExceeded` as `rate_limit_exceeded_endpoint_rpm_exceeded`. */
export function snakeCase(code: string): string {
  return code
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$&_')
    .replaceAll(/\W+/g, '_')
    .toLowerCase();
}
