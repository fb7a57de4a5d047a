import { isObject, type Json } from '../../json/json.js';
import { chooseTool } from './choose-tool.js';
import { composeDocument, composeObject, makeUpDocument } from './compose-document.js';
import { composeText } from './compose-text.js';
import type { Draft } from './draft.js';
import { enforcedSchema } from '../values/enforced-schema.js';
import type { SchemaPlace } from '../profiles/profile.js';
import type { Sources } from '../values/value-from-sources.js';
import { jsonObjectsIn, parseJson, schemaIn } from './quoted-text.js';
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
      return { ...empty, content: await freeObject(context) };
    case 'text':
      return { ...empty, content: freeText(context) };
  }
}

/** A call of the tool with arguments that conform to its parameters. */
export async function composeCall(tool: Tool, draft: Draft, context: AnswerContext): Promise<Draft | ServiceError> {
  const text = await documentFor(tool.parameters, tool.name, 'tools', context);
  if (text === null) return noConformingValue('tools[0].function.parameters');
  const id = `call_${context.random.hex('call', 24)}`;
  return { ...draft, content: null, toolCalls: [{ id, name: tool.name, arguments: text }] };
}

function documentFor(schema: Json, name: string, place: SchemaPlace, context: AnswerContext): Promise<string | null> {
  const { traits } = context.profile;
  const enforced = enforcedSchema(schema, place, traits);
  // Made up from nothing else, so that what the model ignores shows.
  if (!traits.repeats && context.textToRepeat !== null) return makeUpDocument(enforced, context.random);
  return composeDocument(
    { schema, enforced, textToRepeat: context.textToRepeat, sources: sourcesFor(name, context) },
    context.random,
  );
}

/** By the schema that the instructions state, else as the prompt asks. */
async function freeObject(context: AnswerContext): Promise<string> {
  const { request, textToRepeat, random } = context;
  const instructions = request.messages.filter(({ role }) => role === 'system' || role === 'developer');
  const schema = textToRepeat === null ? schemaIn(instructions.map(({ text }) => text).join('\n')) : null;
  const sources = sourcesFor('', context);
  const task = { schema, enforced: schema, textToRepeat: null, sources };
  const document = schema === null ? null : await composeDocument(task, random);
  return document ?? composeObject(textToRepeat, sources);
}

function noConformingValue(param: string): ServiceError {
  return serviceError(400, 'Invalid schema: no value that conforms to it was found', param, 'invalid_schema');
}

/** Values from earlier steps of the conversation come before those known for its task. */
function sourcesFor(name: string, { request, task }: AnswerContext): Sources {
  const messages = request.messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const stated = messages.flatMap(({ text }) => jsonObjectsIn(text)).toReversed();
  const answer = isObject(task?.answer) ? task.answer : {};
  const own = answer[name];
  return { objects: [...stated, isObject(own) ? own : answer], text: messages.map(({ text }) => text).join('\n') };
}

function freeText({ request, textToRepeat, task, random, profile }: AnswerContext): string {
  if (textToRepeat !== null && profile.traits.repeats) return textToRepeat;
  const { messages, tools } = request;
  if (typeof task?.answer === 'string') return task.answer;
  if (isObject(task?.answer) && tools.length === 0 && asksForJson(messages)) return JSON.stringify(task.answer);
  const last = messages.at(-1);
  if (last?.role === 'tool') return `Done. The tool answered: ${last.text}`;
  const text = composeText(request, random);
  return asksForJson(messages) && tools.length === 0 && parseJson(text) === undefined
    ? JSON.stringify({ answer: text })
    : text;
}

/** Whether the user asks for JSON; an instruction in a system message alone does not count. */
function asksForJson(messages: readonly Message[]): boolean {
  return messages.some(({ role, text }) => role === 'user' && /\bjson\b/i.test(text));
}
