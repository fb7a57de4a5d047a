import { isObject, type Json } from '../json/json.js';

/** What a request asks for beyond a plain text, as parts of a sentence: `stream: true`, `tools`, `tool_choice: required`. */
export type RequestKind = readonly string[];

export function requestKind(text: string): RequestKind {
  const body = parsed(text);
  if (!isObject(body)) return [];
  const { response_format: format, tools, tool_choice: choice, parallel_tool_calls: parallel } = body;
  const form = isObject(format) ? format['type'] : undefined;
  return [
    ...(body['stream'] === true ? ['stream: true'] : []),
    ...(typeof form === 'string' && form !== 'text' ? [`response_format: ${form}`] : []),
    ...(Array.isArray(tools) && tools.length > 0 ? toolParts(tools, choice) : []),
    ...(parallel === false ? ['parallel_tool_calls: false'] : []),
  ];
}

function toolParts(tools: readonly Json[], choice: Json | undefined): RequestKind {
  const named = isObject(choice) ? 'tool_choice: a function' : null;
  const chosen = typeof choice === 'string' && choice !== 'auto' ? `tool_choice: ${choice}` : named;
  return [
    'tools',
    ...(chosen === null ? [] : [chosen]),
    ...(tools.some(takesNothing) ? ['a tool without parameters'] : []),
  ];
}

function takesNothing(tool: Json): boolean {
  const own = isObject(tool) ? tool['function'] : undefined;
  const parameters = isObject(own) ? own['parameters'] : undefined;
  const properties = isObject(parameters) ? parameters['properties'] : undefined;
  return !isObject(properties) || Object.keys(properties).length === 0;
}

/** Those that ask for no more than they must: each is part of none of the others. */
export function leastKinds(kinds: readonly RequestKind[]): readonly RequestKind[] {
  const different = [...new Map(kinds.map((kind) => [kind.join(), kind])).values()];
  return different
    .filter((kind) => !different.some((other) => other !== kind && isWithin(other, kind)))
    .sort((one, other) => one.length - other.length || (one.join() < other.join() ? -1 : 1));
}

const isWithin = (part: RequestKind, whole: RequestKind): boolean => part.every((name) => whole.includes(name));

/** Which request would meet what none of these did; null where one of them is such a request, so that more is not known. */
export function requestNeeded(kinds: readonly RequestKind[], sent: readonly RequestKind[]): string | null {
  const isSame = (one: RequestKind, other: RequestKind): boolean => isWithin(one, other) && isWithin(other, one);
  if (kinds.length === 0 || kinds.some((kind) => sent.some((own) => isSame(kind, own)))) return null;
  const [least] = kinds;
  if (least?.length === 0) return 'a request without stream, tools and response_format';
  // What asks for more and did not meet it asked for too much.
  const parts = kinds.map((kind) => `${listed(kind)}${sent.some((own) => isWithin(kind, own)) ? ' only' : ''}`);
  return `a request with ${parts.slice(0, mostNamed).join(', or with ')}`;
}

const mostNamed = 3;

function listed(parts: RequestKind): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
