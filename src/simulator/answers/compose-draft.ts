import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { chooseTool } from './choose-tool.js';
import { composeDocument, composeObject, makeUpDocument } from './compose-document.js';
import { composeText, dictatedText } from './compose-text.js';
import type { Draft } from './draft.js';
import { enforcedSchema } from '../values/enforced-schema.js';
import { compileProblem } from '../values/schema-check.js';
import type { SchemaPlace } from '../profiles/profile.js';
import type { Sources } from '../values/value-from-sources.js';
import { jsonObjectsIn, parseJson, schemaIn, withoutSchemas } from './quoted-text.js';
import type { Message, Tool } from '../http/request.js';
import type { AnswerContext } from './answer-context.js';
import { serviceError, type ServiceError } from '../http/service-error.js';
import { thinkingText } from './thinking.js';

/** The right answer to a request, before the token limit and before any fault. */
export async function composeDraft(context: AnswerContext): Promise<Draft | ServiceError> {
  const { request, thinking } = context;
  const empty: Draft = {
    content: null,
    reasoning: thinking.tokens > 0 ? thinkingText(thinking.tokens) : null,
    refusal: null,
    toolCalls: null,
  };
  const tool = chooseTool(request, context.task);
  if (tool !== null) return composeCall(tool, empty, context);
  const format = request.responseFormat;
  switch (format.kind) {
    case 'json_schema': {
      const content = await documentFor(format.schema, format.name, 'response_format', context);
      return content === null ? noConformingValue('response_format.json_schema.schema') : { ...empty, content };
    }
    case 'json_object':
      return { ...empty, content: await freeObject(format.schema, context) };
    case 'text':
      return { ...empty, content: (await statedDocument(context)) ?? freeText(context) };
  }
}

/** A call of the tool with arguments that conform to its parameters. */
export async function composeCall(tool: Tool, draft: Draft, context: AnswerContext): Promise<Draft | ServiceError> {
  const text = await documentFor(tool.parameters, tool.name, 'tools', context);
  if (text === null) return noConformingValue('tools[0].function.parameters');
  const id = `call_${context.words.hex('call', 24)}`;
  return { ...draft, content: null, toolCalls: [{ id, name: tool.name, arguments: text }] };
}

function documentFor(schema: Json, name: string, place: SchemaPlace, context: AnswerContext): Promise<string | null> {
  const { traits } = context.profile;
  const enforced = enforcedSchema(schema, place, traits);
  // Made up from nothing else, so that what the model ignores shows.
  if (!traits.repeats && context.textToRepeat !== null) return makeUpDocument(enforced, context.words);
  return composeDocument(
    { schema, enforced, textToRepeat: context.textToRepeat, sources: sourcesFor(name, context) },
    context.words,
  );
}

/** By the schema beside the type or in the messages, else as the prompt asks. */
async function freeObject(given: JsonObject | null, context: AnswerContext): Promise<string> {
  const { request, textToRepeat } = context;
  const schema = textToRepeat === null ? (given ?? statedSchema(request.messages)) : null;
  const document = schema === null ? null : await documentOf(schema, context);
  return document ?? composeObject(textToRepeat, sourcesFor('', context));
}

/** JSON by a schema in the messages, where they ask for it in words only; null where they do not. */
async function statedDocument(context: AnswerContext): Promise<string | null> {
  const { messages, tools } = context.request;
  if (tools.length > 0 || context.textToRepeat !== null) return null;
  const stating = messages.map(({ text }) => text).join('\n');
  const schema = /\bjson\b/i.test(stating) ? statedSchema(messages) : null;
  const document = schema === null ? null : await documentOf(schema, context);
  return document !== null && /\bcode ?block\b/i.test(stating) ? `\`\`\`json\n${document}\n\`\`\`` : document;
}

/** The schema of the instructions, else of the latest turn that states one. */
function statedSchema(messages: readonly Message[]): JsonObject | null {
  const instructions = messages.filter(isInstruction).map(({ text }) => text);
  const turns = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  for (const text of [instructions.join('\n'), ...turns.toReversed()]) {
    const schema = schemaIn(text);
    if (schema !== null) return schema;
  }
  return null;
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** null where the schema does not compile, or nothing conforms to it. */
async function documentOf(schema: JsonObject, context: AnswerContext): Promise<string | null> {
  if (compileProblem(schema) !== null) return null;
  const task = { schema, enforced: schema, textToRepeat: null, sources: sourcesFor('', context) };
  return composeDocument(task, context.words);
}

function noConformingValue(param: string): ServiceError {
  return serviceError(400, 'Invalid schema: no value that conforms to it was found', param, 'invalid_schema');
}

/** Values from earlier steps of the conversation come before those known for its task. */
function sourcesFor(name: string, { request, task }: AnswerContext): Sources {
  const messages = request.messages.filter((message) => !isInstruction(message));
  const stated = messages
    .flatMap(({ text, calls }) => [text, ...calls.map((call) => call.arguments)].flatMap(jsonObjectsIn))
    .toReversed();
  const answer = isObject(task?.answer) ? task.answer : {};
  const own = answer[name];
  return {
    objects: [...stated, isObject(own) ? own : answer],
    text: messages.map(({ text }) => withoutSchemas(text)).join('\n'),
  };
}

function freeText({ request, textToRepeat, task, words, profile }: AnswerContext): string {
  if (textToRepeat !== null && profile.traits.repeats) return textToRepeat;
  const { messages, tools } = request;
  if (typeof task?.answer === 'string') return task.answer;
  if (isObject(task?.answer) && tools.length === 0 && asksForJson(messages)) return JSON.stringify(task.answer);
  const result = toolResult(messages);
  if (result !== null) return `Done. The tool answered: ${result}`;
  const text = composeText(request, words);
  return asksForJson(messages) && tools.length === 0 && parseJson(text) === undefined
    ? JSON.stringify({ answer: text })
    : text;
}

/** The latest result of a tool that no answer has used: nothing but turns of the user comes after it. */
function toolResult(messages: readonly Message[]): string | null {
  const last = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'system' && role !== 'developer');
  const turn = messages[last];
  if (turn?.role !== 'tool') return null;
  return last === messages.length - 1 || dictatedText(messages.at(-1)?.text ?? '') === null ? turn.text : null;
}

/** Whether the user asks for JSON; an instruction in a system message alone does not count. */
function asksForJson(messages: readonly Message[]): boolean {
  return messages.some(({ role, text }) => role === 'user' && /\bjson\b/i.test(text));
}
