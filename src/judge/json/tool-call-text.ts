import { isObject, type Json } from '../../json/json.js';
import { innerJson, type JsonText } from './wrapped-json.js';

/** A tool call that was written as text instead of being made. */
export interface WrittenCall {
  /** The kind of markup, for people. */
  readonly markup: string;
  /** null where the markup names no function. */
  readonly name: string | null;
}

/** Forms in which models write calls, each with what it holds. The first group, if any, captures the name. */
const forms: readonly (readonly [markup: string, holds: string, pattern: RegExp])[] = [
  ['<function=…>', '<function=', /<function=["']?([\w.-]+)/i],
  ['<invoke name=…>', 'invoke', /<(?:\w+:)?invoke\s+name=["']([\w.-]+)/i],
  ['harmony channel tokens', 'to=functions.', /to=functions\.([\w.-]+)/i],
  ['Kimi tool tokens', '<|tool_call_begin|>', /<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+?)(?::\d+)?\s*<\|/i],
  ['Kimi tool tokens', '<|tool_calls_section_begin|>', /<\|tool_calls_section_begin\|>/i],
  ['DeepSeek tool tokens', 'tool', /<[|｜]tool[▁_]call[▁_]begin[|｜]>(?:function<[|｜]tool[▁_]sep[|｜]>)?([\w.-]+)/i],
  ['DeepSeek tool tokens', '<', /<[|｜](?:tool[▁_]calls?[▁_]begin|DSML)[|｜]/i],
  ['[TOOL_CALLS]', '[tool_calls]', /\[TOOL_CALLS\]\s*(?:\[?\s*\{\s*"name"\s*:\s*")?([\w.-]*)/],
  ['<|python_tag|>', '<|python_tag|>', /<\|python_tag\|>/i],
  ['harmony channel tokens', '<|', /<\|(?:channel|start|message)\|>/i],
  ['<tool_call>', 'tool_call', /<\|?(?:[\w]+:)?tool_calls?\|?>/i],
  ['<function_call>', 'function_call', /<\|?function_calls?\|?>/i],
  ['<tools>', '<tool', /<tools?>\s*[[{]/i],
];

/** Each form holds one of these. Most texts hold none, and are not even put into lower case. */
const mayHoldForm = (text: string): boolean =>
  text.includes('<') || text.includes('=') || text.includes('[TOOL_CALLS]');

/**
 * Finds a call written as text; null where there is none.
 * @param read the text read as JSON
 */
export function writtenCall(text: string, read: () => JsonText): WrittenCall | null {
  const found = mayHoldForm(text) ? formIn(text) : null;
  if (found !== null) return found.name === '' ? { ...found, name: nameInJson(text, read()) } : found;
  const name = text.includes('{') ? nameInJson(text, read()) : null;
  return name === null ? null : { markup: 'JSON with name and arguments', name };
}

/** The first form of the list, with an empty name where the form has none. */
function formIn(text: string): WrittenCall | null {
  const lower = text.toLowerCase();
  for (const [markup, holds, pattern] of forms) {
    // Many times faster than the pattern, and a text holds one or two of them.
    const match = lower.includes(holds) ? pattern.exec(text) : null;
    if (match !== null) return { markup, name: match[1] ?? '' };
  }
  return null;
}

/** The name in `{"name": ..., "arguments": ...}`, its list, or its wrapped forms. */
function nameInJson(text: string, read: JsonText): string | null {
  return nameOf(read.kind === 'json' ? read.value : innerJson(text));
}

function nameOf(value: Json | undefined): string | null {
  if (Array.isArray(value)) return nameOf((value as readonly Json[])[0]);
  if (!isObject(value)) return null;
  for (const wrapper of ['function', 'function_call', 'tool_call', 'tool_calls']) {
    if (Object.hasOwn(value, wrapper) && typeof value[wrapper] === 'object') return nameOf(value[wrapper]);
  }
  const carries = ['arguments', 'parameters', 'args', 'input'].some((name) => Object.hasOwn(value, name));
  for (const field of ['name', 'tool', 'tool_name', 'function', 'recipient_name']) {
    const name = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof name === 'string' && carries) return name;
  }
  return null;
}
