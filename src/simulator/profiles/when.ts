import { keywordsOf } from '../values/enforced-schema.js';
import type { When } from './profile.js';
import type { Scene } from '../answers/answer-context.js';

type Conditions = {
  readonly [K in keyof When]-?: (value: Exclude<When[K], undefined>, scene: Scene, label: string) => boolean;
};

/** Whether every condition holds. `label` tells the draws of a model's several faults apart. */
export function holds(when: When, scene: Scene, label: string): boolean {
  return Object.entries(when).every(([name, value]) => {
    // Profiles are checked against their schema when they are read, so the name is known and the value has its type.
    const condition = conditions[name as keyof When] as (value: unknown, scene: Scene, label: string) => boolean;
    return condition(value, scene, label);
  });
}

const conditions: Conditions = {
  response_format: (kinds, { request: { responseFormat } }) =>
    kinds.includes(responseFormat.kind === 'text' ? 'none' : responseFormat.kind),
  strict: (strict, { request: { responseFormat } }) =>
    responseFormat.kind === 'json_schema' && responseFormat.strict === strict,
  tools: (wanted, { request }) => request.tools.length > 0 === wanted,
  tool_choice: (kinds, { request }) => request.tools.length > 0 && kinds.includes(request.toolChoice.kind),
  stream: (wanted, { request }) => request.stream === wanted,
  thinking: (wanted, { thought }) => thought.tokens > 0 === wanted,
  max_tokens_below: (bound, { request }) => request.maxTokens !== null && request.maxTokens < bound,
  max_tokens_from: (bound, { request }) => request.maxTokens === null || request.maxTokens >= bound,
  json_word: (wanted, scene) => /json/i.test(allText(scene)) === wanted,
  prompt: (pattern, scene) => new RegExp(pattern, 'i').test(allText(scene)),
  task: (files, { task }) => task !== null && files.includes(task.file),
  repeat: (wanted, { repeat }) => (repeat !== null) === wanted,
  keywords: (keywords, scene) => {
    const used = schemasOf(scene).map((schema) => keywordsOf(schema));
    return keywords.some((keyword) => used.some((found) => found.has(keyword)));
  },
  has: (members, { request }) => members.every((member) => request.body[member] !== undefined),
  authorization: (wanted, { request }) => (request.authorization !== null) === (wanted === 'present'),
  rate: (share, { chance }, label) => chance.share(`fault ${label}`) < share,
  attempts_below: (bound, { attempt }) => attempt < bound,
};

function allText({ request }: Scene): string {
  return request.messages.map(({ text }) => text).join('\n');
}

function schemasOf({ request: { responseFormat, tools } }: Scene) {
  const own = responseFormat.kind === 'json_schema' ? [responseFormat.schema] : [];
  return [...own, ...tools.map((tool) => tool.parameters)];
}
