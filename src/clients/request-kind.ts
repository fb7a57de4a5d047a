import { requestKind } from '../chat/request-kind.js';
import { isObject, type Json } from '../json/json.js';

/** What a request asks for beyond a plain text, as parts of a sentence: `stream: true`, `tools`, `tool_choice: required`. */
export type RequestKind = readonly string[];

const usageAsked = 'stream_options: include_usage';
const toolResult = 'a tool result among the messages';
const parameterless = 'a tool without parameters';

export function requestParts(text: string): RequestKind {
  const body = parsed(text);
  if (!isObject(body)) return [];
  const { messages } = body;
  const { stream, streamsUsage, format, tools, choice, isParallelOff } = requestKind(body);
  const chosen = choice === 'object' ? 'a function' : choice;
  return [
    ...(stream ? ['stream: true'] : []),
    ...(streamsUsage ? [usageAsked] : []),
    ...(format !== null && format !== 'text' ? [`response_format: ${format}`] : []),
    ...(choice === null ? [] : ['tools']),
    ...(chosen === null || chosen === 'auto' ? [] : [`tool_choice: ${chosen}`]),
    ...([...tools.values()].some(takesNothing) ? [parameterless] : []),
    ...(isParallelOff ? ['parallel_tool_calls: false'] : []),
    ...(Array.isArray(messages) && messages.some(isToolResult) ? [toolResult] : []),
  ];
}

const isToolResult = (message: Json): boolean => isObject(message) && message['role'] === 'tool';

function takesNothing({ parameters }: { readonly parameters: Json | null }): boolean {
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
