import {
  isObject,
  jsonOrUndefined,
  type Json,
  type JsonObject,
  writtenJson,
  at,
  withValueAt,
} from '../../json/json.js';
import type { ChatMessage, ChatRequest } from '../http/request.js';
import { serviceError, type ServiceError } from '../http/response.js';
import type { Traits } from '../profiles/profile.js';
import { conformingValue, compileProblem, checkOf, enforcedSchema, memberNames } from '../values/conforming-value.js';
import type { KnownTask } from './known-tasks.js';
import type { Draft } from '../http/encode-completion.js';
import { saidOfPictures } from './pictures.js';
import { markedFields } from './field-markers.js';
import { jsonObjectsIn, schemaIn } from './quoted-text.js';
import { thinkingText, type AnswerContext } from './thinking.js';

type OfferedTool = ChatRequest['tools'][number];
type IgnoringPlace = keyof Traits['ignore_keywords_in'];

/** The tool to call, or null for an answer in words. */
function chooseTool(request: ChatRequest, task: KnownTask | null): OfferedTool | null {
  const { toolChoice, tools } = request;
  switch (toolChoice.kind) {
    case 'none':
      return null;
    case 'object':
      return tools.find((tool) => tool.name === toolChoice.name) ?? null;
    case 'required':
      return bestTool(tools, request, task).tool;
    case 'allowed': {
      const allowed = tools.filter((tool) => toolChoice.names.includes(tool.name));
      return toolChoice.mode === 'required' ? bestTool(allowed, request, task).tool : ifWanted(allowed, request, task);
    }
    case 'absent':
    case 'auto':
      return ifWanted(tools, request, task);
  }
}

/**
 * The tool that the last turn asks for. The result of a tool is used and not asked for again, unless a later turn of
 * the user names the tool.
 */
function ifWanted(tools: readonly OfferedTool[], request: ChatRequest, task: KnownTask | null): OfferedTool | null {
  const { messages } = request;
  if (messages.at(-1)?.role === 'tool') return null;
  const answered = messages.findLastIndex(({ role }) => role === 'tool');
  if (answered === -1) return scored(bestTool(tools, request, task));
  const later = messages.slice(answered + 1).filter(({ role }) => role === 'user');
  const called = new Set(messages.flatMap(({ calls }) => calls.map(({ name }) => name)));
  const named = later.map(({ text }) => text).join('\n');
  const open = tools.filter(({ name }) => !called.has(name) || named.includes(name));
  return called.size === 0 ? null : scored(bestTool(open, { messages: later }, null));
}

function scored({ tool, score }: { readonly tool: OfferedTool | null; readonly score: number }): OfferedTool | null {
  return score > 0 ? tool : null;
}

function bestTool(
  tools: readonly OfferedTool[],
  { messages }: { readonly messages: readonly ChatMessage[] },
  task: KnownTask | null,
): { tool: OfferedTool | null; score: number } {
  const promptWords = wordStems(
    messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join(' '),
  );
  return tools
    .map((tool) => ({ tool, score: overlap(promptWords, tool) + taskScore(task, tool) }))
    .reduce<{ tool: OfferedTool | null; score: number }>((best, next) => (next.score > best.score ? next : best), {
      tool: tools[0] ?? null,
      score: 0,
    });
}

/** A tool of the known answer outweighs any likeness of words; the answer's first tool outweighs its others. */
function taskScore(task: KnownTask | null, tool: OfferedTool): number {
  const place = isObject(task?.answer) ? Object.keys(task.answer).indexOf(tool.name) : -1;
  return place === -1 ? 0 : 100 - 10 * place;
}

/** Common words of the prompt and of the tool's name, description and properties. */
function overlap(promptWords: ReadonlySet<string>, { name, description, parameters }: OfferedTool): number {
  const properties = isObject(parameters) && isObject(parameters['properties']) ? parameters['properties'] : {};
  const own = wordStems([name, description, ...Object.keys(properties)].join(' '));
  return [...promptWords].filter((word) => own.has(word)).length;
}

/** The beginnings of the words of a text that are long enough to mean something. */
function wordStems(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(found.filter((word) => !stopWords.has(word)).map((word) => word.slice(0, 5)));
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'about after also answer assistant been call called calls does from function functions good have hello help into ' +
    'just like make please some that their them then there these they this tool tools want what when which will with ' +
    'would your today return returns used use'
  ).split(' '),
);

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
  if (tool !== null) return composeCalls(tool, empty, context);
  const format = request.responseFormat;
  switch (format.kind) {
    case 'json_schema': {
      const content = await documentFor(format.schema, format.name, 'response_format', context);
      return content === null ? noConformingValue('response_format.json_schema.schema') : { ...empty, content };
    }
    case 'json_object':
      return { ...empty, content: await freeObject(format.schema, context) };
    case 'text':
      return { ...empty, content: await wordsOf(context) };
  }
}

/** The fields that are asked for by markers, else the document that is asked for in words, else a text. */
async function wordsOf(context: AnswerContext): Promise<string> {
  const text = freeText(context);
  const marked = await markedFields(context.request.messages, text, (schema) => documentOf(schema, context));
  return marked ?? (await statedDocument(context)) ?? text;
}

/** A call of the tool, or one for each of the arguments that the known answer lists, unless only one may be made. */
async function composeCalls(tool: OfferedTool, draft: Draft, context: AnswerContext): Promise<Draft | ServiceError> {
  const { task, request } = context;
  const listed = isObject(task?.answer) ? task.answer[tool.name] : undefined;
  if (task === null || !Array.isArray(listed)) return composeCall(tool, draft, context);
  const most = request.body['parallel_tool_calls'] === false ? 1 : listed.length;
  const calls: NonNullable<Draft['toolCalls']>[number][] = [];
  for (const [index, own] of (listed as readonly Json[]).slice(0, most).entries()) {
    const made = await composeCall(tool, draft, { ...context, task: { ...task, answer: { [tool.name]: own } } });
    if ('status' in made) return made;
    for (const call of made.toolCalls ?? []) {
      calls.push({ ...call, id: index === 0 ? call.id : `call_${context.words.hex(`call ${index}`, 24)}` });
    }
  }
  return { ...draft, content: null, toolCalls: calls };
}

/** A call of the tool with arguments that conform to its parameters. */
export async function composeCall(
  tool: OfferedTool,
  draft: Draft,
  context: AnswerContext,
): Promise<Draft | ServiceError> {
  const text = await documentFor(tool.parameters, tool.name, 'tools', context);
  if (text === null) return noConformingValue('tools[0].function.parameters');
  const id = `call_${context.words.hex('call', 24)}`;
  return { ...draft, content: null, toolCalls: [{ id, name: tool.name, arguments: text }] };
}

function documentFor(schema: Json, name: string, place: IgnoringPlace, context: AnswerContext): Promise<string | null> {
  const { textToRepeat, profile, words } = context;
  if (textToRepeat === null) return composeDocument({ schema, textToRepeat, stated: statedFor(name, context) }, words);
  // Made up from nothing else where it repeats nothing, so that what the model ignores shows.
  const text = profile.traits.repeats ? textToRepeat : null;
  return composeDocument(
    { schema: enforcedSchema(schema, place, profile.traits), textToRepeat: text, stated: [] },
    words,
  );
}

/** By the schema beside the type or in the messages, else what is known. */
async function freeObject(given: JsonObject | null, context: AnswerContext): Promise<string> {
  const { request, textToRepeat } = context;
  const schema = textToRepeat === null ? (given ?? statedSchema(request.messages)) : null;
  const document = schema === null ? null : await documentOf(schema, context);
  const turns = request.messages.filter((message) => !isInstruction(message)).map(({ text }) => text);
  return document ?? composeObject(textToRepeat, statedFor('', context), turns.join('\n'));
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
function statedSchema(messages: readonly ChatMessage[]): JsonObject | null {
  const instructions = messages.filter(isInstruction).map(({ text }) => text);
  const turns = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  for (const text of [instructions.join('\n'), ...turns.toReversed()]) {
    const schema = schemaIn(text);
    if (schema !== null) return schema;
  }
  return null;
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

/** null where the schema does not compile, or nothing conforms to it. */
async function documentOf(schema: JsonObject, context: AnswerContext): Promise<string | null> {
  if (compileProblem(schema) !== null) return null;
  return composeDocument({ schema, textToRepeat: null, stated: statedFor('', context) }, context.words);
}

function noConformingValue(param: string): ServiceError {
  return serviceError(400, 'Invalid schema: no value that conforms to it was found', param, 'invalid_schema');
}

/** Objects that the conversation states, the latest first, then the right answer to its task. */
function statedFor(name: string, { request, task }: AnswerContext): readonly JsonObject[] {
  const inMessages = request.messages
    .filter((message) => !isInstruction(message))
    .flatMap(({ text, calls }) => [text, ...calls.map((call) => call.arguments)].flatMap(jsonObjectsIn));
  const answer = isObject(task?.answer) ? task.answer : {};
  const own = answer[name];
  return [...inMessages.toReversed(), isObject(own) ? own : answer].filter((source) => Object.keys(source).length > 0);
}

const fillerSentences = [
  'A conformance test sends the same question to every model and reads each answer with care.',
  'An accepted request proves little; only the content shows what a model can do.',
  'Every answer is kept, so that a verdict can be traced back to the words behind it.',
  'One try is not a rate, and a rate needs enough tries to mean something.',
  'What worked yesterday is asked again today, because services change.',
  'A careful client checks the status, the end of the answer, its form and its values, in that order.',
] as const;

/** The text that it is asked to repeat or to say, the known answer, the result of a tool, or one of a few sentences. */
function freeText({ request, textToRepeat, task, words, profile }: AnswerContext): string {
  if (textToRepeat !== null && profile.traits.repeats) return textToRepeat;
  const { messages, tools } = request;
  const asksForJson =
    tools.length === 0 && messages.some(({ role, text }) => role === 'user' && /\bjson\b/i.test(text));
  if (typeof task?.answer === 'string') return task.answer;
  if (isObject(task?.answer) && asksForJson) return writtenJson(task.answer);
  const prompt = messages.findLast((message) => !isInstruction(message));
  const dictated = prompt?.role === 'user' ? dictatedText(prompt.text) : null;
  const latest = messages.findLast((message) => message.role !== 'user' && !isInstruction(message));
  if (dictated === null && latest?.role === 'tool') return `Done. The tool answered: ${toolResults(messages)}`;
  const digits = /\brandom number of (\d{1,2}) digits\b/i.exec(prompt?.text ?? '')?.[1];
  if (dictated === null && digits !== undefined) return randomDigits(Number(digits), words);
  const text =
    dictated ??
    instructed(messages) ??
    saidOfPictures(prompt?.text ?? '') ??
    fillerSentences[Math.floor(words.fraction('sentence') * fillerSentences.length)] ??
    fillerSentences[0];
  return asksForJson ? writtenJson({ answer: text }) : text;
}

/** The results of the tools that were called last, in their order. */
function toolResults(messages: readonly ChatMessage[]): string {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return messages
    .slice(from)
    .flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
    .join('; ');
}

function randomDigits(count: number, words: AnswerContext['words']): string {
  return Array.from({ length: count }, (_, index) => Math.floor(words.fraction(`digit ${index}`) * 10)).join('');
}

/** The reply that the instructions dictate, whatever is asked; null where they dictate none. */
function instructed(messages: readonly ChatMessage[]): string | null {
  const found = messages.flatMap((message) => (isInstruction(message) ? [dictatedText(message.text)] : []));
  return found.find((text) => text !== null) ?? null;
}

/** "Say 'pong'", "Reply with the word "ready"". */
function dictatedText(prompt: string): string | null {
  return /\b(?:reply|answer|respond|say)\b[^"'“\n.]{0,60}["'“]([^"'”\n]{1,200})["'”]/i.exec(prompt)?.[1] ?? null;
}

/**
 * The text to repeat where the schema allows it, else a conforming document with what is known in it; null when no
 * conforming document was found.
 */
async function composeDocument(
  { schema, textToRepeat, stated }: { schema: Json; textToRepeat: string | null; stated: readonly JsonObject[] },
  random: AnswerContext['random'],
): Promise<string | null> {
  const repeated = textToRepeat === null ? undefined : jsonOrUndefined(textToRepeat);
  if (repeated !== undefined && checkOf(schema)(repeated).length === 0) return textToRepeat;
  const sources = repeated === undefined ? stated : [repeated].filter(isObject);
  const made = await conformingValue(schema, random.seed('document'), sources.length === 0);
  if (made === undefined) return null;
  return writtenJson(withStated(made, sources, schema));
}

/** An object without a schema: the text to repeat, else the keys that the prompt names, else what is known. */
function composeObject(textToRepeat: string | null, stated: readonly JsonObject[], prompt: string): string {
  if (textToRepeat !== null && isObject(jsonOrUndefined(textToRepeat))) return textToRepeat;
  const merged = Object.assign({}, ...stated.toReversed()) as JsonObject;
  const named = namedMembers(prompt).map(([name, value]) => [name, merged[name] ?? value] as const);
  if (named.length > 0) return writtenJson(Object.fromEntries(named));
  return writtenJson(Object.keys(merged).length > 0 ? merged : { status: 'ok' });
}

/** "An object with the keys parcel (string), express (boolean) and weight (number)". */
function namedMembers(prompt: string): readonly (readonly [string, Json])[] {
  const listed = /\bkeys ((?:\w+(?: \(\w+\))?(?:, (?:and )?| and )?)+)/i.exec(prompt)?.[1] ?? '';
  const values: Readonly<Record<string, Json>> = { number: 1, integer: 1, boolean: true };
  return [...listed.matchAll(/(?!and\b)\b(\w+)(?: \((\w+)\))?/g)].map(([, name = '', type = '']) => [
    name,
    values[type] ?? 'sample',
  ]);
}

/**
 * A conforming document with what is known in place of what was made up: every member that the schema describes, where
 * the document still conforms. `stated`: the best source first.
 */
function withStated(document: Json, stated: readonly JsonObject[], schema: Json): Json {
  const check = checkOf(schema);
  const names = memberNames(schema);
  let best = document;
  const offer = (candidate: Json): void => {
    if (check(candidate).length === 0) best = candidate;
  };
  for (const source of stated.toReversed().flatMap(nestedObjects)) {
    const members = Object.entries(source).filter(([name]) => names.has(name));
    if (isObject(best)) offer(Object.fromEntries([...Object.entries(best), ...members]));
    for (const [name, value] of members) {
      for (const steps of memberPlaces(name, best)) {
        if (at(best, steps) !== value) offer(withValueAt(best, steps, value));
      }
    }
  }
  return best;
}

/** The objects within a value, the innermost first. */
function nestedObjects(value: Json): readonly JsonObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = (Object.values(value) as readonly Json[]).flatMap(nestedObjects);
  return isObject(value) ? [...inner, value] : inner;
}

/** Where members of this name stand. */
function memberPlaces(name: string, document: Json, steps: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof document !== 'object' || document === null) return [];
  const inner = Object.entries(document as JsonObject).flatMap(([key, value]) =>
    memberPlaces(name, value, [...steps, key]),
  );
  return isObject(document) && Object.hasOwn(document, name) ? [...inner, [...steps, name]] : inner;
}
