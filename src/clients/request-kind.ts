import { isObject, type Json } from '../json/json.js';

/** What a request asks for beyond a plain text, as parts of a sentence: `stream: true`, `tools`, `tool_choice: required`. */
export type RequestKind = readonly string[];

const usageAsked = 'stream_options: include_usage';
const toolResult = 'a tool result among the messages';
const parameterless = 'a tool without parameters';

export function requestParts(text: string): RequestKind {
  const body = parsed(text);
  if (!isObject(body)) return [];
  const {
    messages,
    response_format: format,
    stream_options: options,
    tools,
    tool_choice: choice,
    parallel_tool_calls: parallel,
  } = body;
  const form = isObject(format) ? format['type'] : undefined;
  return [
    ...(body['stream'] === true ? ['stream: true'] : []),
    ...(isObject(options) && options['include_usage'] === true ? [usageAsked] : []),
    ...(typeof form === 'string' && form !== 'text' ? [`response_format: ${form}`] : []),
    ...(Array.isArray(tools) && tools.length > 0 ? toolParts(tools, choice) : []),
    ...(parallel === false ? ['parallel_tool_calls: false'] : []),
    ...(Array.isArray(messages) && messages.some(isToolResult) ? [toolResult] : []),
  ];
}

function toolParts(tools: readonly Json[], choice: Json | undefined): RequestKind {
  const named = isObject(choice) ? 'tool_choice: a function' : null;
  const chosen = typeof choice === 'string' && choice !== 'auto' ? `tool_choice: ${choice}` : named;
  return ['tools', ...(chosen === null ? [] : [chosen]), ...(tools.some(takesNothing) ? [parameterless] : [])];
}

const isToolResult = (message: Json): boolean => isObject(message) && message['role'] === 'tool';

function takesNothing(tool: Json): boolean {
  const own = isObject(tool) ? tool['function'] : undefined;
  const parameters = isObject(own) ? own['parameters'] : undefined;
  const properties = isObject(parameters) ? parameters['properties'] : undefined;
  return !isObject(properties) || Object.keys(properties).length === 0;
}

/** Each kind once, those that ask for little first. */
export function kindsIn(kinds: readonly RequestKind[]): readonly RequestKind[] {
  const different = [...new Map(kinds.map((kind) => [kind.join(), kind])).values()];
  return different.sort((one, other) => one.length - other.length || (one.join() < other.join() ? -1 : 1));
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Which request is known to meet what none of those sent did; null where one of them is such a request, or none is known. */
export function requestNeeded(kinds: readonly RequestKind[], sent: readonly RequestKind[]): string | null {
  const [least] = kindsIn(kinds);
  const own = new Set(sent.map(nameOf));
  if (least === undefined || kinds.some((kind) => own.has(nameOf(kind)))) return null;
  return least.length === 0 ? 'a request for nothing but a plain text' : `a request with only ${least.join(', ')}`;
}

const nameOf = (kind: RequestKind): string => [...kind].sort().join();
