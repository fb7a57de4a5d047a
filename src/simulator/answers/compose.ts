import { isObject, type Json } from '../../json/json.js';
import { chooseTool } from './choose-tool.js';
import { composeDocument, composeObject } from './compose-document.js';
import { composeText } from './compose-text.js';
import type { Draft } from './draft.js';
import { enforcedSchema } from '../values/enforced-schema.js';
import type { Sources } from '../values/fill.js';
import { jsonObjectsIn, parsed } from './prompt-json.js';
import type { Message, Tool } from '../http/request.js';
import type { Scene } from './answer-context.js';
import { serviceError, type ServiceError } from '../http/service-error.js';
import { thoughtText } from './think.js';

/** The right answer to a request, before the cap on tokens and before any fault. */
export async function compose(scene: Scene): Promise<Draft | ServiceError> {
  const { request, thought } = scene;
  const silent: Draft = {
    content: null,
    reasoning: thought.tokens > 0 ? thoughtText(thought.tokens) : null,
    refusal: null,
    toolCalls: null,
  };
  const tool = chooseTool(request, scene.task);
  if (tool !== null) return composeCall(tool, silent, scene);
  const format = request.responseFormat;
  switch (format.kind) {
    case 'json_schema': {
      const content = await documentFor(format.schema, format.name, scene);
      return content === null ? noValue('response_format.json_schema.schema') : { ...silent, content };
    }
    case 'json_object':
      return { ...silent, content: composeObject(scene.repeat, sourcesFor('', scene)) };
    case 'text':
      return { ...silent, content: freeText(scene) };
  }
}

/** A call of the tool with arguments that conform to its parameters. */
export async function composeCall(tool: Tool, draft: Draft, scene: Scene): Promise<Draft | ServiceError> {
  const text = await documentFor(tool.parameters, tool.name, scene);
  if (text === null) return noValue('tools[0].function.parameters');
  const id = `call_${scene.chance.hex('call', 24)}`;
  return { ...draft, content: null, toolCalls: [{ id, name: tool.name, arguments: text }] };
}

function documentFor(schema: Json, name: string, scene: Scene): Promise<string | null> {
  const enforced = enforcedSchema(schema, scene.profile.traits);
  return composeDocument({ schema, enforced, repeat: scene.repeat, sources: sourcesFor(name, scene) }, scene.chance);
}

function noValue(param: string): ServiceError {
  return serviceError(400, 'Invalid schema: no value that conforms to it was found', param, 'invalid_schema');
}

/** What earlier steps put into the conversation comes before what is known about its task. */
function sourcesFor(name: string, { request, task }: Scene): Sources {
  const said = request.messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const stated = said.flatMap(({ text }) => jsonObjectsIn(text)).toReversed();
  const answer = isObject(task?.answer) ? task.answer : {};
  const own = answer[name];
  return { objects: [...stated, isObject(own) ? own : answer], text: said.map(({ text }) => text).join('\n') };
}

function freeText({ request, repeat, task, chance }: Scene): string {
  if (repeat !== null) return repeat;
  const { messages, tools } = request;
  if (typeof task?.answer === 'string') return task.answer;
  if (isObject(task?.answer) && tools.length === 0 && asksForJson(messages)) return JSON.stringify(task.answer);
  const last = messages.at(-1);
  if (last?.role === 'tool') return `Done. The tool answered: ${last.text}`;
  const text = composeText(request, chance);
  return asksForJson(messages) && tools.length === 0 && parsed(text) === undefined
    ? JSON.stringify({ answer: text })
    : text;
}

/** Whether the user (and not only a standing instruction) wants JSON. */
function asksForJson(messages: readonly Message[]): boolean {
  return messages.some(({ role, text }) => role === 'user' && /\bjson\b/i.test(text));
}
