import { type Json, type JsonObject, writtenJson } from '../../json/json.js';
import { cachedDetails } from '../answers/prompt-cache.js';
import { tokenize, type AnswerContext } from '../answers/thinking.js';

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

function choiceBody(choice: CompletionChoice, index: number, form: AnswerForm): JsonObject {
  const { reasoningField, legacyCalls } = form;
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
    ...logprobsOf(content, form),
  };
}

/** The member `logprobs` of a choice, where the request asks for it. */
function logprobsOf(text: string | null, { alternatives }: AnswerForm): JsonObject {
  if (alternatives === null) return {};
  const entry = (token: string, rank: number): JsonObject => ({
    token,
    logprob: -(rank + 1) / 8,
    bytes: [...Buffer.from(token)],
  });
  const content = tokenize(text ?? '').map((token) => ({
    ...entry(token, 0),
    top_logprobs: Array.from({ length: alternatives }, (_, rank) =>
      entry(rank === 0 ? token : `${token}${rank}`, rank),
    ),
  }));
  return { logprobs: { content, refusal: null } };
}

/** One event of a stream. */
type SimulatedEvent =
  | { readonly kind: 'chunk'; readonly chunk: JsonObject }
  /** Written as it is, apart from line ends. */
  | { readonly kind: 'raw'; readonly text: string };

export const doneEvent: SimulatedEvent = { kind: 'raw', text: 'data: [DONE]\n\n' };

/** For each text; more would only cost time. */
const mostChunks = 24;

/** The events of a streamed answer; joined, they equal {@link completionBody}. */
export function completionEvents(completion: Completion): readonly SimulatedEvent[] {
  const { others, usage } = completion;
  return [
    ...[completion, ...others].flatMap((choice, index) => choiceEvents(choice, index, completion)),
    ...(usage === null ? [] : [{ kind: 'chunk' as const, chunk: { ...chunkHead(completion), choices: [], usage } }]),
    doneEvent,
  ];
}

function choiceEvents(choice: CompletionChoice, index: number, whole: Completion): readonly SimulatedEvent[] {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  const { reasoningField, legacyCalls } = whole.form;
  const chunk = (delta: Json, finish: Json = null, more: JsonObject = {}): SimulatedEvent => ({
    kind: 'chunk',
    chunk: { ...chunkHead(whole), choices: [{ index, delta, finish_reason: finish, ...more }] },
  });
  return [
    chunk({ role: 'assistant', content: content === null ? null : '' }),
    ...pieces(reasoning).map((piece) => chunk({ [reasoningField]: piece })),
    ...pieces(content).map((piece) => chunk({ content: piece }, null, logprobsOf(piece, whole.form))),
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
  const promptTokens = countPrompt(request.body, profile.traits.counts_tools);
  return {
    ...first.choice,
    id: `chatcmpl-${random.hex('id', 24)}`,
    created: Math.floor(now / 1000),
    model: request.model,
    others: others.map(({ choice }) => choice),
    form: {
      reasoningField: profile.traits.thinking.field ?? 'reasoning_content',
      legacyCalls: false,
      alternatives: request.alternatives,
    },
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: spent - (counted === 'total' ? thought : 0),
      total_tokens: promptTokens + spent,
      ...cachedDetails(context.cachedTokens),
      ...(counted === 'details' && { completion_tokens_details: { reasoning_tokens: thought } }),
    },
  };
}

interface Limited {
  readonly choice: CompletionChoice;
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
  const usualEnd = toolCalls === null ? 'stop' : 'tool_calls';
  const choice = {
    content: content === '' && toolCalls !== null && toolCalls.length > 0 ? null : content,
    reasoning: profile.traits.thinking.field === null ? null : reasoning,
    refusal,
    toolCalls: toolCalls?.length === 0 && draft.toolCalls?.length !== 0 ? null : toolCalls,
    finishReason: budget.exceeded() ? 'length' : usualEnd,
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
function countPrompt({ messages, tools }: JsonObject, countsTools: boolean): number {
  const read = [messages, countsTools ? tools : null].filter((part) => part !== undefined && part !== null);
  return Math.max(1, Math.ceil(writtenJson(read).length / 4));
}

interface DraftCall {
  readonly id: string | null;
  readonly name: string | null;
  /** JSON as text; faults may put any value here. */
  readonly arguments: Json;
}

/** The answer that a model is about to give, before the token limit is applied. */
export interface Draft {
  readonly content: string | null;
  /** null: the model does not think, or does not show its reasoning. */
  readonly reasoning: string | null;
  readonly refusal: string | null;
  /** null: the field is absent. */
  readonly toolCalls: readonly DraftCall[] | null;
}

/** A draft after stop texts and the token limit. */
interface CompletionChoice extends Draft {
  readonly finishReason: Json;
}

/** The first choice, with the others and what holds for the whole answer. */
interface Completion extends CompletionChoice {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly others: readonly CompletionChoice[];
  /** How calls and reasoning are written. */
  readonly form: AnswerForm;
  /** null: the field is absent. */
  readonly usage: JsonObject | null;
}

interface AnswerForm {
  /** The member that holds the reasoning. */
  readonly reasoningField: string;
  /** The first call is `function_call`. */
  readonly legacyCalls: boolean;
  /** How many likely tokens are listed for each token; null: `logprobs` is absent. */
  readonly alternatives: number | null;
}
