import { isObject, type Json } from '../../json/json.js';
import { innerJson, type JsonText } from './wrapped-json.js';

/** A tool call that was written as text instead of being made. */
export interface WrittenCall {
  /** The kind of markup, for people. */
  readonly markup: string;
  /** null where the markup names no function. */
  readonly name: string | null;
}

/** Forms in which models write calls. The first group, if any, captures the name. */
const forms: readonly (readonly [markup: string, pattern: RegExp])[] = [
  ['<function=…>', /<function=["']?([\w.-]+)/i],
  ['<invoke name=…>', /<(?:\w+:)?invoke\s+name=["']([\w.-]+)/i],
  ['harmony channel tokens', /to=functions\.([\w.-]+)/i],
  ['Kimi tool tokens', /<\|tool_call_begin\|>\s*(?:functions\.)?([\w.-]+?)(?::\d+)?\s*<\|/i],
  ['Kimi tool tokens', /<\|tool_calls_section_begin\|>/i],
  ['DeepSeek tool tokens', /<[|｜]tool[▁_]call[▁_]begin[|｜]>(?:function<[|｜]tool[▁_]sep[|｜]>)?([\w.-]+)/i],
  ['DeepSeek tool tokens', /<[|｜](?:tool[▁_]calls?[▁_]begin|DSML)[|｜]/i],
  ['[TOOL_CALLS]', /\[TOOL_CALLS\]\s*(?:\[?\s*\{\s*"name"\s*:\s*")?([\w.-]*)/],
  ['<|python_tag|>', /<\|python_tag\|>/i],
  ['harmony channel tokens', /<\|(?:channel|start|message)\|>/i],
  ['<tool_call>', /<\|?(?:[\w]+:)?tool_calls?\|?>/i],
  ['<function_call>', /<\|?function_calls?\|?>/i],
  ['<tools>', /<tools?>\s*[[{]/i],
];

/** Each form holds one of these. To look for them is many times faster than to try all forms, and most texts hold none. */
const mayHoldForm = (text: string): boolean =>
  text.includes('<') || text.includes('=') || text.includes('[TOOL_CALLS]');

/**
 * Finds a call written as text; null where there is none.
 * @param read the text read as JSON
 */
export function writtenCall(text: string, read: () => JsonText): WrittenCall | null {
  for (const [markup, pattern] of mayHoldForm(text) ? forms : []) {
    const match = pattern.exec(text);
    if (match !== null)
      return { markup, name: match[1] === undefined || match[1] === '' ? nameInJson(text, read()) : match[1] };
  }
  const name = text.includes('{') ? nameInJson(text, read()) : null;
  return name === null ? null : { markup: 'JSON with name and arguments', name };
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
