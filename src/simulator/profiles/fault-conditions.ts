import { objectsIn, type Json, type JsonObject, writtenJson } from '../../json/json.js';
import { keywordsOf } from '../values/conforming-value.js';
import type { When } from './profile.js';
import type { AnswerContext } from '../answers/thinking.js';

type Conditions = {
  readonly [K in keyof When]-?: (value: Exclude<When[K], undefined>, context: AnswerContext, label: string) => boolean;
};

/** Whether every condition is met. `label` gives each fault of a model a random draw of its own. */
export function conditionsMet(when: When, context: AnswerContext, label: string): boolean {
  return Object.entries(when).every(([name, value]) => {
    // Profiles are checked when they are loaded, so the name is known and the value has the right type.
    const condition = conditions[name as keyof When] as (
      value: unknown,
      context: AnswerContext,
      label: string,
    ) => boolean;
    return condition(value, context, label);
  });
}

const conditions: Conditions = {
  response_format: (kinds, { request: { responseFormat } }) =>
    kinds.includes(responseFormat.kind === 'text' ? 'none' : responseFormat.kind),
  strict: (strict, { request: { responseFormat } }) =>
    responseFormat.kind === 'json_schema' && responseFormat.strict === strict,
  tools: (wanted, { request }) => request.tools.length > 0 === wanted,
  tool_choice: (kinds, { request: { tools, toolChoice } }) =>
    // A service that knows only the texts rejects every object.
    tools.length > 0 && kinds.includes(toolChoice.kind === 'allowed' ? 'object' : toolChoice.kind),
  stream: (wanted, { request }) => request.stream === wanted,
  thinking: (wanted, { thinking }) => thinking.tokens > 0 === wanted,
  max_tokens_below: (bound, { request }) => request.maxTokens !== null && request.maxTokens < bound,
  max_tokens_from: (bound, { request }) => request.maxTokens === null || request.maxTokens >= bound,
  json_word: (wanted, context) => /json/i.test(allText(context)) === wanted,
  prompt: (pattern, context) => new RegExp(pattern, 'i').test(allText(context)),
  task: (files, { task }) => task !== null && files.includes(task.file),
  repeat: (wanted, { textToRepeat }) => (textToRepeat !== null) === wanted,
  keywords: (keywords, context) => {
    const used = requestSchemas(context).map((schema) => keywordsOf(schema));
    return keywords.some((keyword) => used.some((found) => found.has(keyword)));
  },
  has: (members, { request }) => members.every((member) => request.body[member] !== undefined),
  calls_with: (kinds, { request }) => kinds.some((kind) => lastCallIs[kind](lastCall(request.body['messages']))),
  body: (pattern, { sent }) => new RegExp(pattern).test(writtenJson(sent)),
  body_from: (bound, { request }) => writtenJson(request.body).length >= bound,
  in_flight_from: (bound, { inFlight }) => inFlight >= bound,
  authorization: (wanted, { request }) => (request.authorization !== null) === (wanted === 'present'),
  rate: (share, { random }, label) => random.fraction(`fault ${label}`) < share,
  attempts_below: (bound, { attempt }) => attempt < bound,
};

const lastCallIs: Record<NonNullable<When['calls_with']>[number], (turn: JsonObject | null) => boolean> = {
  null_content: (turn) => turn?.['content'] === null,
  empty_content: (turn) => turn?.['content'] === '',
  reasoning: (turn) => turn?.['reasoning_content'] !== undefined,
  no_reasoning: (turn) => turn !== null && turn['reasoning_content'] === undefined,
};

/** The last turn of the assistant that called a tool. */
function lastCall(messages: Json | undefined): JsonObject | null {
  return (
    objectsIn(messages).findLast(({ role, tool_calls }) => role === 'assistant' && Array.isArray(tool_calls)) ?? null
  );
}

function allText({ request }: AnswerContext): string {
  return request.messages.map(({ text }) => text).join('\n');
}

function requestSchemas({ request: { responseFormat, tools } }: AnswerContext) {
  const own = responseFormat.kind === 'json_schema' ? [responseFormat.schema] : [];
  return [...own, ...tools.map((tool) => tool.parameters)];
}
