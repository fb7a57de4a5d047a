import type { JsonObject } from '../../json/json.js';
import type { Choice, Completion, Draft, DraftCall } from './draft.js';
import type { AnswerContext } from './answer-context.js';
import { tokenize } from './tokens.js';

/** The whole answer of these drafts, one for each choice, within the request's limits. */
export function completionOf(drafts: readonly [Draft, ...Draft[]], context: AnswerContext): Completion {
  const { request, profile, random, now } = context;
  const [draft, ...more] = drafts;
  const first = limitTokens(draft, context);
  const others = more.map((other) => limitTokens(other, context));
  const sum = (of: (limited: Limited) => number): number =>
    others.reduce((total, limited) => total + of(limited), of(first));
  const { counted } = profile.traits.thinking;
  const [spent, thought] = [sum((limited) => limited.spent), sum((limited) => limited.thought)];
  const promptTokens = countPrompt(request.body);
  return {
    ...first.choice,
    id: `chatcmpl-${random.hex('id', 24)}`,
    created: Math.floor(now / 1000),
    model: request.model,
    others: others.map(({ choice }) => choice),
    form: { reasoningField: profile.traits.thinking.field ?? 'reasoning_content', legacyCalls: false },
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: spent - (counted === 'total' ? thought : 0),
      total_tokens: promptTokens + spent,
      ...(counted === 'details' && { completion_tokens_details: { reasoning_tokens: thought } }),
    },
  };
}

interface Limited {
  readonly choice: Choice;
  /** Tokens. */
  readonly spent: number;
  /** Tokens of the reasoning. */
  readonly thought: number;
}

/**
 * Ends the content at a stop text and applies the limit on output tokens: reasoning comes first, then the content, then
 * each call. An answer that was cut by the limit has the finish_reason `length`.
 */
function limitTokens(draft: Draft, { request, profile }: AnswerContext): Limited {
  const budget = tokenBudget((profile.traits.obeys_limit ? request.maxTokens : null) ?? Infinity);
  const reasoning = budget.spend(draft.reasoning);
  const thought = budget.spent();
  const content = budget.spend(endedAt(request.stop, draft.content));
  const refusal = budget.spend(draft.refusal);
  const toolCalls = draft.toolCalls?.flatMap((call) => limitCall(call, budget)) ?? null;
  const choice = {
    content: content === '' && toolCalls !== null && toolCalls.length > 0 ? null : content,
    reasoning: profile.traits.thinking.field === null ? null : reasoning,
    refusal,
    toolCalls: toolCalls?.length === 0 && draft.toolCalls?.length !== 0 ? null : toolCalls,
    finishReason: budget.exceeded() ? 'length' : toolCalls === null ? 'stop' : 'tool_calls',
  };
  return { choice, spent: budget.spent(), thought };
}

/** The text before the first of the stop texts that it holds. */
function endedAt(stop: readonly string[], text: string | null): string | null {
  if (text === null) return null;
  const ends = stop.map((end) => text.indexOf(end)).filter((place) => place !== -1);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

type TokenBudget = ReturnType<typeof tokenBudget>;

function tokenBudget(most: number) {
  let spent = 0;
  let exceeded = false;
  return {
    spend: (text: string | null): string | null => {
      if (text === null || text === '') return text;
      const tokens = tokenize(text);
      const fitting = Math.min(tokens.length, most - spent);
      spent += fitting;
      if (fitting === tokens.length) return text;
      exceeded = true;
      return tokens.slice(0, fitting).join('');
    },
    spent: (): number => spent,
    exceeded: (): boolean => exceeded,
  };
}

/** A call whose name does not fit is left out. */
function limitCall(call: DraftCall, budget: TokenBudget): DraftCall[] {
  const name = budget.spend(call.name);
  if (name !== call.name) return [];
  return [{ ...call, arguments: typeof call.arguments === 'string' ? budget.spend(call.arguments) : call.arguments }];
}

/** Counts messages and tools; settings and the form of the answer change nothing. */
function countPrompt({ messages, tools }: JsonObject): number {
  const read = [messages, tools].filter((part) => part !== undefined && part !== null);
  return Math.max(1, Math.ceil(JSON.stringify(read).length / 4));
}
