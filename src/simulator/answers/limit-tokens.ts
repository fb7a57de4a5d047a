import type { Json } from '../../json/json.js';
import type { Completion, Draft, DraftCall } from './draft.js';
import type { AnswerContext } from './answer-context.js';
import { tokenize } from './tokens.js';

/**
 * Applies the limit on output tokens and counts the usage: reasoning comes first, then the content, then each call.
 * An answer that was cut has the finish_reason `length`.
 */
export function limitTokens(draft: Draft, { request, profile, random, now }: AnswerContext): Completion {
  const budget = tokenBudget((profile.traits.obeys_limit ? request.maxTokens : null) ?? Infinity);
  const reasoning = budget.spend(draft.reasoning);
  const thinkingTokens = budget.spent();
  const content = budget.spend(draft.content);
  const refusal = budget.spend(draft.refusal);
  const toolCalls = draft.toolCalls?.flatMap((call) => limitCall(call, budget)) ?? null;
  const { field, counted } = profile.traits.thinking;
  const promptTokens = countPrompt(request.body);
  return {
    id: `chatcmpl-${random.hex('id', 24)}`,
    created: Math.floor(now / 1000),
    model: request.model,
    content: content === '' && toolCalls !== null && toolCalls.length > 0 ? null : content,
    reasoning: field === null ? null : reasoning,
    refusal,
    toolCalls: toolCalls?.length === 0 && draft.toolCalls?.length !== 0 ? null : toolCalls,
    finishReason: budget.exceeded() ? 'length' : toolCalls !== null ? 'tool_calls' : 'stop',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: budget.spent() - (counted === 'total' ? thinkingTokens : 0),
      total_tokens: promptTokens + budget.spent(),
      ...(counted === 'details' && { completion_tokens_details: { reasoning_tokens: thinkingTokens } }),
    },
  };
}

interface TokenBudget {
  /** As much of the text as still fits; null stays null. */
  readonly spend: (text: string | null) => string | null;
  readonly spent: () => number;
  readonly exceeded: () => boolean;
}

function tokenBudget(most: number): TokenBudget {
  let spent = 0;
  let exceeded = false;
  return {
    spend: (text) => {
      if (text === null || text === '') return text;
      const tokens = tokenize(text);
      const fitting = Math.min(tokens.length, most - spent);
      spent += fitting;
      if (fitting === tokens.length) return text;
      exceeded = true;
      return tokens.slice(0, fitting).join('');
    },
    spent: () => spent,
    exceeded: () => exceeded,
  };
}

/** A call whose name does not fit is left out. */
function limitCall(call: DraftCall, budget: TokenBudget): DraftCall[] {
  const name = budget.spend(call.name);
  if (name !== call.name) return [];
  return [{ ...call, arguments: typeof call.arguments === 'string' ? budget.spend(call.arguments) : call.arguments }];
}

/** Counts messages, tools and schemas, because the model reads all of them. */
function countPrompt(body: Json): number {
  return Math.max(1, Math.ceil(JSON.stringify(body).length / 4));
}
