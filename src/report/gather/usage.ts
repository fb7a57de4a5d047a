import { isObject, type Json } from '../../json/json.js';
import { isCount } from '../../chat/token-use.js';
import { noUsage, type Usage } from '../../matrix/gathered.js';

/** The counts in a `usage` as it was sent; 0 for what is missing or is no count. */
export function usageIn(usage: Json | undefined = null): Usage {
  if (!isObject(usage)) return noUsage;
  const prompt_tokens = count(usage['prompt_tokens']);
  const completion_tokens = count(usage['completion_tokens']);
  const details = usage['completion_tokens_details'];
  return {
    prompt_tokens,
    completion_tokens,
    reasoning_tokens: isObject(details) ? count(details['reasoning_tokens']) : 0,
    total_tokens: count(usage['total_tokens']) || prompt_tokens + completion_tokens,
  };
}

function count(value: Json | undefined): number {
  return isCount(value) ? value : 0;
}
