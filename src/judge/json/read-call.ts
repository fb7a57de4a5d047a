import type { Quirk } from '../../chat/quirks.js';
import type { ToolCall } from '../../chat/reply.js';
import type { DeclaredTool } from '../../chat/request-kind.js';
import { isObject, type Json } from '../../json/json.js';
import type { Engine } from '../engine.js';
import { readJsonText, whyNotJson } from './wrapped-json.js';

/** A call and its arguments, as read. */
export type ReadCall =
  | { readonly kind: 'read'; readonly call: ToolCall; readonly value: Json; readonly quirks: readonly Quirk[] }
  /** No arguments came although the function needs some. */
  | { readonly kind: 'missing'; readonly call: ToolCall; readonly detail: string }
  | {
      readonly kind: 'unreadable';
      readonly call: ToolCall;
      readonly cut: boolean;
      readonly why: (inPieces: boolean) => string;
    };

export function readCall(call: ToolCall, tools: ReadonlyMap<string, DeclaredTool>, engine: Engine): ReadCall {
  const args = call.arguments;
  if (args === undefined || args === null)
    return withoutArguments(call, tools, engine, args === null ? 'null' : 'absent');
  if (isObject(args)) return { kind: 'read', call, value: args, quirks: ['arguments_object'] };
  if (typeof args !== 'string') {
    return { kind: 'unreadable', call, cut: false, why: () => `the arguments are ${kindOf(args)}, not a JSON string` };
  }
  if (args.trim() === '') return withoutArguments(call, tools, engine, 'an empty string');
  const read = readJsonText(args);
  if (read.kind === 'json' && read.value === null) return withoutArguments(call, tools, engine, 'the text "null"');
  if (read.kind === 'json') return { kind: 'read', call, value: read.value, quirks: read.quirks };
  return {
    kind: 'unreadable',
    call,
    cut: read.kind === 'cut',
    why: (inPieces) => `the arguments are ${whyNotJson(read, inPieces)}`,
  };
}

/** Missing arguments mean `{}` where the function accepts `{}` or its parameters are unknown. */
function withoutArguments(
  call: ToolCall,
  tools: ReadonlyMap<string, DeclaredTool>,
  { checkSchema }: Engine,
  how: string,
): ReadCall {
  const tool = call.name === null ? undefined : tools.get(call.name);
  const takesNothing =
    tool !== undefined && (tool.parameters === null || checkSchema({}, tool.parameters).kind !== 'violates');
  if (takesNothing) return { kind: 'read', call, value: {}, quirks: ['arguments_empty'] };
  return {
    kind: 'missing',
    call,
    detail: `the call${call.name === null ? '' : ` of ${quoted(call.name)}`} came without arguments (${how})`,
  };
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** The name of a function in a sentence: a blank at its end, or none at all, would not be seen. */
export function quoted(name: string): string {
  return JSON.stringify(name);
}
