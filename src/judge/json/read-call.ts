import type { Quirk } from '../../chat/quirks.js';
import type { ToolCall } from '../../chat/reply.js';
import type { RequestKind } from '../../chat/request-kind.js';
import { isObject, type Json, writtenJson } from '../../json/json.js';
import type { Engine } from '../expectation.js';
import { flawOf, readJsonText, whyNotJson, innerJson } from './wrapped-json.js';

type ReadJsonText = ReturnType<typeof readJsonText>;

/** A call and its arguments, as read. */
type ReadCall =
  | { readonly kind: 'read'; readonly call: ToolCall; readonly value: Json; readonly quirks: readonly Quirk[] }
  /** No arguments came although the function needs some. */
  | { readonly kind: 'missing'; readonly call: ToolCall; readonly detail: string }
  | {
      readonly kind: 'unreadable';
      readonly call: ToolCall;
      /** A code of {@link flawOf}. */
      readonly flaw: string;
      readonly why: (inPieces: boolean) => string;
    };

export function readCall(call: ToolCall, tools: RequestKind['tools'], engine: Engine): ReadCall {
  const args = call.arguments;
  if (args === undefined || args === null) {
    return withoutArguments(call, tools, engine, args === null ? 'null' : 'absent');
  }
  if (isObject(args)) return { kind: 'read', call, value: args, quirks: ['arguments_object'] };
  if (typeof args !== 'string') {
    return {
      kind: 'unreadable',
      call,
      flaw: 'no_string',
      why: () => `the arguments are ${jsonKind(args)}, not a JSON string`,
    };
  }
  if (args.trim() === '') return withoutArguments(call, tools, engine, 'an empty string');
  const read = readJsonText(args);
  if (read.kind === 'json' && read.value === null) return withoutArguments(call, tools, engine, 'the text "null"');
  if (read.kind === 'json') return { kind: 'read', call, value: read.value, quirks: read.quirks };
  return {
    kind: 'unreadable',
    call,
    flaw: flawOf(read),
    why: (inPieces) => `the arguments are ${whyNotJson(read, inPieces)}`,
  };
}

/** Missing arguments mean `{}` where the function accepts `{}` or its parameters are unknown. */
function withoutArguments(call: ToolCall, tools: RequestKind['tools'], { checkSchema }: Engine, how: string): ReadCall {
  const tool = call.name === null ? undefined : tools.get(call.name);
  const takesNothing =
    tool !== undefined && (tool.parameters === null || checkSchema({}, tool.parameters).kind !== 'violates');
  if (takesNothing) return { kind: 'read', call, value: {}, quirks: ['arguments_empty'] };
  return {
    kind: 'missing',
    call,
    detail: `the call${call.name === null ? '' : ` of ${quotedName(call.name)}`} came without arguments (${how})`,
  };
}

function jsonKind(value: Json): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** The name of a function in a sentence: a blank at its end, or none at all, would not be seen. */
export function quotedName(name: string): string {
  return writtenJson(name);
}

/** A tool call that was written as text instead of being made. */
interface WrittenCall {
  /** How it was written, for people. */
  readonly markup: string;
  /** Whether it names a declared function where a call would, or holds tokens that no text contains by chance. */
  readonly isSure: boolean;
}

/** Tokens of chat templates that announce a call. */
const callTokens =
  /<[|｜][^<>|｜\n]{0,30}(?:tool|function|plugin|python_tag|DSML)[^<>|｜\n]{0,30}[|｜]>?|\[TOOL_CALLS\]/i;
/** Tags by which models announce a call: `<tool_call>`, `<minimax:tool_call>`, `<function=`, `<invoke name=`. */
const callWord = String.raw`(?:tool|function|invoke|plugin|action|(?:api|func)_?call|\|call)`;
const callTag = String.raw`(?:<[|｜]?[\w:.-]{0,30}${callWord}[^<>\n]{0,60}>|\[[\w ]{0,20}(?:tool|function)_? ?call\])`;
const aCallTag = /<[|｜]?[\w:.-]{0,30}(?:(?:tool|function)_?(?:calls?|use|code)\b|function=|invoke\s)[^<>\n]{0,60}>?/i;
const harmony = /<\|(?:channel|start|message)\|>|to=functions\./i;

/**
 * Finds a call written as text; null where there is none. No list of model families: a call of a declared function is
 * recognised by the markup of any family, as a call in a programming language, or as JSON.
 * @param read the text read as JSON
 * @param names the functions that the request declares
 */
export function writtenCall(text: string, read: () => ReadJsonText, names: readonly string[]): WrittenCall | null {
  const inJson = text.includes('{') ? nameInJson(text, read()) : null;
  const named = names.find((name) => text.includes(name) && (name === inJson || isCalled(name, text)));
  const markup = markupIn(text) ?? (inJson === null ? null : 'JSON with name and arguments');
  if (named !== undefined) return { markup: markup ?? `a call of ${named}`, isSure: true };
  return markup === null ? null : { markup, isSure: callTokens.test(text) };
}

/** Whether a token of a chat template announces a call. */
export const isCallToken = (token: string): boolean => callTokens.test(token);

function markupIn(text: string): string | null {
  if (!/[<[=]/.test(text)) return null;
  if (harmony.test(text)) return 'harmony channel tokens';
  return (callTokens.exec(text) ?? aCallTag.exec(text))?.[0] ?? null;
}

const nameFields = 'name|tool|tool_name|function|action|recipient_name';
const jsonCallStart = new RegExp(
  String.raw`^\W{0,20}(?:json\s+)?\W{0,8}"(?:${nameFields}|function_call|tool_call|tool_calls)"\s*:` +
    String.raw`[\s[{]*(?:"(?:${nameFields})"\s*:\s*)?"([^"\n]{1,128})"`,
);

/** Whether a text begins as a call of one of these functions does in JSON, however it goes on. */
export function beginsJsonCall(text: string, names: readonly string[]): boolean {
  const named = jsonCallStart.exec(text)?.[1];
  return named !== undefined && names.includes(named);
}

/** Whether this function is named where a call has its name. */
function isCalled(name: string, text: string): boolean {
  const its = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const end = String.raw`(?![\w-])`;
  const bare = text.replaceAll(/<[^<>\n]{0,60}>|`{3,}\w*/g, ' ').trim();
  const callsIt = new RegExp(String.raw`^[\s[(]*(?:print\()?[\w.]{0,40}?\b${its}\((?:\)|\s*\w+\s*=|\s*[{"'[\d])`);
  const endsInCall = new RegExp(
    String.raw`(?:^|\n)\W{0,4}(?:\[call\W{1,4})?${its}(?:\(\w+\s*=[^\n]*\)|\s?\{["'][^\n]*\})$`,
  );
  return (
    // Behind a tag, a token or "call:"; as an attribute of a tag; as the receiver of a message.
    new RegExp(
      String.raw`(?:${callTag}|\[TOOL_CALLS\]|\bcall:)\W{0,20}(?:print\(|functions?\W|call:)*${its}${end}`,
      'i',
    ).test(text) ||
    new RegExp(String.raw`<[\w:.-]*(?:tool|function|invoke|call|action)[^<>\n]{0,60}?["'=]${its}["'\s>/]`, 'i').test(
      text,
    ) ||
    new RegExp(String.raw`\bto=(?:functions\.)?${its}${end}`).test(text) ||
    // Content of an element for names.
    new RegExp(String.raw`<(?:tool_?|function_?)?name>\s*${its}\s*<`, 'i').test(text) ||
    // Element whose children are the arguments.
    new RegExp(String.raw`<${its}>\s*<(\w+)>[^<]*</\1>`).test(text) ||
    // Whole of the text or its last line, in the syntax of a programming language.
    (callsIt.test(bare) && /\)[\s\])]*$/.test(bare)) ||
    (!text.includes('`') && endsInCall.test(bare)) ||
    // Line that is followed by one of the input.
    new RegExp(
      String.raw`^\W{0,4}(?:action|function|tool|call)\w*\W{0,4}[:：]\s*${its}\W{0,4}\n` +
        String.raw`\W{0,4}[\w ]{0,20}(?:input|arg|param)\w*\W{0,4}[:：]`,
      'im',
    ).test(text)
  );
}

/** The name in `{"name": ..., "arguments": ...}`, its list, or its wrapped forms. */
function nameInJson(text: string, read: ReadJsonText): string | null {
  return calledToolName(read.kind === 'json' ? read.value : innerJson(text));
}

function calledToolName(value: Json | undefined): string | null {
  if (Array.isArray(value)) return calledToolName((value as readonly Json[])[0]);
  if (!isObject(value)) return null;
  for (const wrapper of ['function', 'function_call', 'tool_call', 'tool_calls']) {
    if (Object.hasOwn(value, wrapper) && typeof value[wrapper] === 'object') return calledToolName(value[wrapper]);
  }
  const carries = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'];
  if (!carries.some((name) => Object.hasOwn(value, name))) return null;
  for (const field of ['name', 'tool', 'tool_name', 'function', 'action', 'recipient_name']) {
    const name = Object.hasOwn(value, field) ? value[field] : undefined;
    if (typeof name === 'string') return name;
  }
  return null;
}
