import { bodyForm } from '../../chat/parse-json.js';
import { excerpt } from '../../chat/excerpt.js';
import { itemsOrEmpty, memberOf } from '../../chat/fields.js';
import { outputCap, hiddenTokens, type TokenUse } from '../../chat/tokens.js';
import { type Failure, type JudgeContext, type RungCheck } from '../context.js';
import { beginsJsonCall, quotedName } from '../json/read-call.js';
import { withoutThinking, innerJson } from '../json/wrapped-json.js';
import type { CutContent } from '../clue.js';
import { runawayEnd } from './cut-content.js';

/** The answer must hold the form that was asked for: text, or a call of the right function. */
export const presence: RungCheck = (context) => {
  const reply = context.reply;
  const { toolCall } = context.expectation;
  const calls = reply.tool_calls;
  if (reply.refusal !== null && calls.length === 0) {
    return { class: 'refused', rung: 'complete', detail: `the model refused: ${excerpt(reply.refusal, 160)}` };
  }
  if (calls.length > 0) return toolCall.kind === 'none' ? unexpectedCall(context) : wrongCall(context);
  if (toolCall.kind === 'named' || toolCall.kind === 'any') return missingCall(context);
  if (toolCall.kind === 'optional') {
    const tried = triedToCall(context);
    if (tried !== null) return tried;
  }
  return missingText(context);
};

function unexpectedCall(context: JudgeContext): Failure {
  const names = context.calls.map(({ call }) => (call.name === null ? 'a call without a name' : quotedName(call.name)));
  return {
    class: 'unexpected_tool_call',
    rung: 'complete',
    detail: `called ${names.join(', ')} although no call was allowed`,
  };
}

/** Every call is checked: a client runs them all. */
function wrongCall(context: JudgeContext): Failure | null {
  const { toolCall } = context.expectation;
  const declared = context.kind.tools;
  const fail = (detail: string): Failure => ({ class: 'wrong_function', rung: 'complete', detail });
  for (const { call } of context.calls) {
    if (call.name === null) return fail('a call came without a function name');
    if (!declared.has(call.name)) return fail(`called ${quotedName(call.name)}, which the request does not declare`);
    if (toolCall.kind === 'named' && call.name !== toolCall.name) {
      return fail(`called ${quotedName(call.name)} instead of ${quotedName(toolCall.name)}`);
    }
  }
  for (const read of context.calls) {
    if (read.kind === 'missing') return { class: 'missing_tool_call', rung: 'complete', detail: read.detail };
  }
  return null;
}

/** The failure of a missing call, with what came in its place. */
function missingCall(context: JudgeContext): Failure {
  return { class: 'missing_tool_call', rung: 'complete', detail: whereItWent(context) };
}

function whereItWent(context: JudgeContext): string {
  const { content, quirks, finish_reason, native_finish_reason: native } = context.reply;
  if (quirks.includes('legacy_function_call')) return 'the call came in the retired function_call field';
  const inContent = context.callInContent;
  if (inContent !== null) return `the call came as text in the content (${inContent.markup})`;
  const inReasoning = context.callInReasoning;
  if (inReasoning !== null) return `the call came as text in the reasoning (${inReasoning.markup})`;
  const dropped = [native, finish_reason].find(isMalformedCall);
  if (typeof dropped === 'string') {
    return /malformed/i.test(dropped)
      ? 'the service dropped a call that was malformed'
      : `the service dropped a call: finish_reason is ${dropped}`;
  }
  if (finish_reason === 'tool_calls') return 'finish_reason announces a call, but the list of calls is empty';
  return (content ?? '').trim() === '' ? 'neither a call nor text came' : 'text came instead of a call';
}

/**
 * Where a call is optional: the failure of a call that the model made but that did not arrive as one. Text counts only
 * when it names a declared function, or contains tokens that no text contains by chance.
 */
function triedToCall(context: JudgeContext): Failure | null {
  const { content, quirks, finish_reason, native_finish_reason: native } = context.reply;
  const empty = (content ?? '').trim() === '';
  const written = context.callInContent ?? (empty ? context.callInReasoning : null);
  const announced =
    empty && (finish_reason === 'tool_calls' || isMalformedCall(native) || isMalformedCall(finish_reason));
  return written?.isSure === true || announced || quirks.includes('legacy_function_call') ? missingCall(context) : null;
}

function isMalformedCall(reason: string | null | undefined): boolean {
  return /malformed_function_call|function_call_filter|unexpected_tool_call/i.test(reason ?? '');
}

function missingText(context: JudgeContext): Failure | null {
  if (context.expectation.content === 'any') return null;
  const { content } = context.reply;
  const visible = content === null ? '' : withoutThinking(content);
  if (!isBlank(visible)) return null;
  return { class: 'empty_content', rung: 'complete', detail: whyEmpty(context, content) };
}

/** Whitespace of every kind, including invisible characters. */
function isBlank(text: string): boolean {
  return /^[\s\u200B-\u200D\u2060\uFEFF]*$/u.test(text);
}

/** The thing in the place of the text, in a few words; null where there is none. */
function whatCameAsContent(context: JudgeContext): string | null {
  if (!context.reply.quirks.includes('content_unreadable')) return null;
  const body = bodyForm(context.exchange.answer.body.join(''));
  const choice = body.kind === 'json' ? itemsOrEmpty(memberOf(body.value, 'choices'))[0] : undefined;
  const content = memberOf(memberOf(choice, 'message'), 'content');
  if (content === undefined) return 'no text in some chunks';
  return typeof content === 'object' ? 'an object' : `a ${typeof content}`;
}

function whyEmpty(context: JudgeContext, content: string | null): string {
  const { reasoning } = context.reply;
  const tokens = whereTokensWent(context);
  const spent = tokens === null ? '' : ` (${tokens})`;
  const unreadable = whatCameAsContent(context);
  if (unreadable !== null) return `the content is ${unreadable}, where a string belongs${spent}`;
  if (content !== null && !isBlank(content)) return `nothing follows the <think> block of the content${spent}`;
  if (reasoning !== null && context.expectation.content !== 'text' && innerJson(reasoning) !== undefined) {
    return 'the content is empty; JSON stands in the reasoning field';
  }
  if (reasoning !== null && !isBlank(reasoning)) {
    return `the content is empty; only the reasoning field has text${spent}`;
  }
  if (wentToReasoning(context)) return `the content is empty; the tokens went to reasoning${spent}`;
  const white = content === '' ? 'empty' : 'white space';
  return `the content is ${content === null ? 'null' : white}${spent}`;
}

/** Other services' words for `length` and `content_filter`. */
const cutWords = /^(?:length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/i;
const filterWords =
  /^(?:content_filter|content_filtered|content-filter|safety|sensitive|recitation|prohibited_content|blocklist|spii)$/i;

/** How the generation ended is checked before its content: a truncated answer is never called bad JSON. */
export const finishReason: RungCheck = (context) => {
  const { finish_reason: reason } = context.reply;
  const { finishReasons } = context.expectation;
  if (finishReasons !== null) {
    if (reason !== null && finishReasons.includes(reason)) return null;
    return cutOrFilteredFailure(context) ?? unexpectedFinish(reason, finishReasons);
  }
  return cutOrFilteredFailure(context);
};

function cutOrFilteredFailure(context: JudgeContext): Failure | null {
  const { finish_reason: reason } = context.reply;
  // Most answers end so, and these are neither.
  if (reason === null || reason === 'stop' || reason === 'tool_calls') return null;
  if (cutWords.test(reason)) return cutFailure(context, `finish_reason is ${reason}`);
  if (!filterWords.test(reason)) return null;
  return { class: 'filtered', reason: 'content_filtered', rung: 'accepted', detail: `finish_reason is ${reason}` };
}

/** The failure of an answer that was cut, with what it holds. */
export function cutFailure(context: JudgeContext, said: string): Failure {
  const clue = cutContent(context);
  const tokens = belowCap(context) ?? whereTokensWent(context);
  const what = wentToReasoning(context) ? 'the budget went to reasoning and no answer was left' : 'the answer was cut';
  const { completion } = context.tokens;
  const spent = tokens === null ? '' : ` ${completion === null ? 'with' : 'after'} ${tokens}`;
  const held = clue === null ? '' : heldWords(clue);
  const detail = `${what}: ${said}${spent}${held}`;
  return { class: 'truncated', rung: 'accepted', detail, ...(clue !== null && { clue }) };
}

/** The content of an answer that was cut: more tokens help none of the first three. */
function cutContent(context: JudgeContext): CutContent | null {
  const { content, reasoning, tool_calls: calls } = context.reply;
  if (context.expectation.toolCall.kind !== 'none' && calls.length === 0 && beginsCall(context)) {
    return { kind: 'call_as_text' };
  }
  const sent = calls.at(-1)?.arguments ?? '';
  const written = calls.length > 0 ? sent : (content ?? '');
  // Reasoning may run away as well, so that no text comes.
  const runaway = runawayEnd(typeof written === 'string' && written !== '' ? written : (reasoning ?? ''));
  if (runaway !== null) return runaway;
  if (wentToReasoning(context)) return { kind: 'reasoning' };
  return belowCap(context) === null ? null : { kind: 'short_of_cap' };
}

function beginsCall({ reply: { content }, kind, callInContent }: JudgeContext): boolean {
  if (content === null) return false;
  return callInContent !== null || beginsJsonCall(content, [...kind.tools.keys()]);
}

const repeatedText = (length: number): string => (length === 1 ? 'character' : `${length} characters`);

function heldWords(clue: CutContent): string {
  switch (clue.kind) {
    case 'call_as_text':
      return '; it holds a call that was written as text';
    case 'repetition':
      return `; its end is the same ${repeatedText(clue.length)} ${clue.times} times`;
    case 'white_space':
      return `; its end is ${clue.characters} characters of white space`;
    case 'reasoning':
    case 'short_of_cap':
      return '';
  }
}

function unexpectedFinish(reason: string | null, expected: readonly string[]): Failure {
  const detail = `finish_reason is ${reason ?? 'missing'}; expected ${expected.join(' or ')}`;
  return { class: 'unexpected_finish_reason', rung: 'accepted', detail };
}

/** Whether the usage says that the cap was reached, whatever the finish_reason says. */
export function reachedCap(context: JudgeContext): boolean {
  const cap = outputCap(context.request);
  const { completion } = context.tokens;
  return cap !== null && completion !== null && completion >= cap;
}

/** Whether an answer took exactly the tokens of the cap, as services count; one that goes beyond does not keep it. */
export function endedAtCap(context: JudgeContext): boolean {
  const cap = outputCap(context.request);
  const { completion } = context.tokens;
  return cap !== null && completion !== null && completion >= cap && completion <= cap + 1;
}

/**
 * Whether the usage shows that something other than the cap ended an answer that was cut. Services count a little
 * differently, so the cap must be clearly missed, and where the total counts hidden tokens, nobody knows.
 */
export function endedBelowCap(use: TokenUse, cap: number | null): boolean {
  if (use.completion === null || cap === null || hiddenTokens(use) > 0) return false;
  return cap - Math.max(use.completion, use.reasoning ?? 0) > Math.max(2, cap * 0.03);
}

/** The reason why an answer was cut below its cap, in words; null for any other. */
function belowCap(context: JudgeContext): string | null {
  const cap = outputCap(context.request);
  const use = context.tokens;
  const { prompt, completion } = use;
  if (completion === null || hiddenTokens(use) > 0 || (cap !== null && !endedBelowCap(use, cap))) return null;
  const short = cap === null ? 'and the request sets no cap' : `short of the cap of ${cap}`;
  const window =
    prompt === null ? 'the context window is full' : `a context window of ${prompt + completion} tokens is full`;
  return `${completion} completion tokens, ${short}: ${window}, or the service has a cap of its own`;
}

/** The use of the tokens, in words; null where the usage does not say. */
export function whereTokensWent(context: JudgeContext): string | null {
  const use = context.tokens;
  const cap = outputCap(context.request);
  const hidden = hiddenTokens(use);
  const parts: string[] = [];
  const amounts = [use.completion, cap === null ? null : `at most ${cap}`].filter((amount) => amount !== null);
  if (amounts.length > 0) parts.push(`${amounts.join(' of ')} completion tokens`);
  if (use.reasoning !== null && use.reasoning > 0) {
    parts.push(`${use.reasoning} of them for reasoning`);
  } else if (hidden > 0) {
    parts.push(`${hidden} further tokens of the total went to hidden reasoning`);
  }
  return parts.length === 0 ? null : parts.join(', ');
}

/** Whether reasoning used up what the answer would have needed. */
function wentToReasoning(context: JudgeContext): boolean {
  const reply = context.reply;
  const visible = (reply.content ?? '').trim() !== '' || reply.tool_calls.length > 0;
  if (visible) return false;
  const use = context.tokens;
  return (use.reasoning ?? 0) > 0 || hiddenTokens(use) > 0 || (reply.reasoning ?? '') !== '';
}
