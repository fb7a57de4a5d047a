import type { Json } from '../../json/json.js';
import type { Completion, Draft, DraftCall } from '../answers/draft.js';
import type { Scene } from '../answers/answer-context.js';
import { tokenize } from '../answers/tokens.js';

/**
 * Applies the cap on output tokens: thinking is spent first, then the content, then each call's arguments.
 * What was cut ends with the finish_reason `length`.
 */
export function cap(draft: Draft, { request, profile, chance, now }: Scene): Completion {
  const budget = spender(request.maxTokens ?? Infinity);
  const reasoning = budget.spend(draft.reasoning);
  const thinkingTokens = budget.spent();
  const content = budget.spend(draft.content);
  const refusal = budget.spend(draft.refusal);
  const toolCalls = draft.toolCalls?.flatMap((call) => capCall(call, budget)) ?? null;
  const { field, counted } = profile.traits.thinking;
  const promptTokens = countPrompt(request.body);
  return {
    id: `chatcmpl-${chance.hex('id', 24)}`,
    created: Math.floor(now / 1000),
    model: request.model,
    content: content === '' && toolCalls !== null && toolCalls.length > 0 ? null : content,
    reasoning: field === null ? null : reasoning,
    refusal,
    toolCalls: toolCalls?.length === 0 && draft.toolCalls?.length !== 0 ? null : toolCalls,
    finishReason: budget.overdrawn() ? 'length' : toolCalls !== null ? 'tool_calls' : 'stop',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: budget.spent() - (counted === 'total' ? thinkingTokens : 0),
      total_tokens: promptTokens + budget.spent(),
      ...(counted === 'details' && { completion_tokens_details: { reasoning_tokens: thinkingTokens } }),
    },
  };
}

interface Spender {
  /** As much of the text as the budget still pays for. */
  readonly spend: (text: string | null) => string | null;
  readonly spent: () => number;
  readonly overdrawn: () => boolean;
}

function spender(most: number): Spender {
  let spent = 0;
  let overdrawn = false;
  return {
    spend: (text) => {
      if (text === null || text === '') return text;
      const tokens = tokenize(text);
      const paid = Math.min(tokens.length, most - spent);
      spent += paid;
      if (paid === tokens.length) return text;
      overdrawn = true;
      return tokens.slice(0, paid).join('');
    },
    spent: () => spent,
    overdrawn: () => overdrawn,
  };
}

/** A call of which not even the name was paid for does not appear. */
function capCall(call: DraftCall, budget: Spender): DraftCall[] {
  const name = budget.spend(call.name);
  if (name !== call.name) return [];
  return [{ ...call, arguments: typeof call.arguments === 'string' ? budget.spend(call.arguments) : call.arguments }];
}

/** Messages, tools and schemas are all read by the model. */
function countPrompt(body: Json): number {
  return Math.max(1, Math.ceil(JSON.stringify(body).length / 4));
}
