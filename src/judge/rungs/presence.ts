import { bodyForm } from '../../chat/body-form.js';
import { excerpt } from '../../chat/excerpt.js';
import { listOf, objectOf, own } from '../../chat/fields.js';
import {
  callInContent,
  callInReasoning,
  callsOf,
  replyOf,
  kindOf,
  type Failure,
  type JudgeContext,
  type RungCheck,
} from '../context.js';
import { whereTokensWent, wentToReasoning } from './finish-reason.js';
import { quoted } from '../json/read-call.js';
import { withoutThinking, innerJson } from '../json/wrapped-json.js';

/** What was asked for must be present: text, or a call of the right function. */
export const presence: RungCheck = (context) => {
  const reply = replyOf(context);
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
  const names = callsOf(context).map(({ call }) => (call.name === null ? 'a call without a name' : quoted(call.name)));
  return {
    class: 'unexpected_tool_call',
    rung: 'complete',
    detail: `made a call that was not allowed: ${names.join(', ')}`,
  };
}

/** Every call is checked: a client runs them all. */
function wrongCall(context: JudgeContext): Failure | null {
  const { toolCall } = context.expectation;
  const declared = kindOf(context).tools;
  const fail = (detail: string): Failure => ({ class: 'wrong_function', rung: 'complete', detail });
  for (const { call } of callsOf(context)) {
    if (call.name === null) return fail('a call came without a function name');
    if (!declared.has(call.name)) return fail(`called ${quoted(call.name)}, which the request does not declare`);
    if (toolCall.kind === 'named' && call.name !== toolCall.name) {
      return fail(`called ${quoted(call.name)} instead of ${quoted(toolCall.name)}`);
    }
  }
  for (const read of callsOf(context)) {
    if (read.kind === 'missing') return { class: 'missing_tool_call', rung: 'complete', detail: read.detail };
  }
  return null;
}

/** The failure of a missing call, with what came in its place. */
function missingCall(context: JudgeContext): Failure {
  return { class: 'missing_tool_call', rung: 'complete', detail: whereItWent(context) };
}

function whereItWent(context: JudgeContext): string {
  const { content, quirks, finish_reason, native_finish_reason: native } = replyOf(context);
  if (quirks.includes('legacy_function_call')) return 'the call came in the retired function_call field';
  const inContent = callInContent(context);
  if (inContent !== null) return `the call was written as text into the content (${inContent.markup})`;
  const inReasoning = callInReasoning(context);
  if (inReasoning !== null) return `the call was written into the reasoning (${inReasoning.markup})`;
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
  const { content, quirks, finish_reason, native_finish_reason: native } = replyOf(context);
  const empty = (content ?? '').trim() === '';
  const written = callInContent(context) ?? (empty ? callInReasoning(context) : null);
  const announced =
    empty && (finish_reason === 'tool_calls' || isMalformedCall(native) || isMalformedCall(finish_reason));
  return written?.isSure === true || announced || quirks.includes('legacy_function_call') ? missingCall(context) : null;
}

function isMalformedCall(reason: string | null | undefined): boolean {
  return /malformed_function_call|function_call_filter|unexpected_tool_call/i.test(reason ?? '');
}

function missingText(context: JudgeContext): Failure | null {
  if (context.expectation.content === 'any') return null;
  const { content } = replyOf(context);
  const visible = content === null ? '' : withoutThinking(content);
  if (!isBlank(visible)) return null;
  return { class: 'empty_content', rung: 'complete', detail: whyEmpty(context, content) };
}

/** Whitespace of every kind, including invisible characters. */
function isBlank(text: string): boolean {
  return /^[\s\u200B-\u200D\u2060\uFEFF]*$/u.test(text);
}

/** What stands in the place of the text, in a few words; null where nothing else does. */
function whatCameAsContent(context: JudgeContext): string | null {
  if (!replyOf(context).quirks.includes('content_unreadable')) return null;
  const body = bodyForm(context.exchange.answer.body.join(''));
  const choice = body.kind === 'json' ? listOf(own(objectOf(body.value) ?? {}, 'choices'))[0] : undefined;
  const content = own(objectOf(own(objectOf(choice) ?? {}, 'message')) ?? {}, 'content');
  if (content === undefined) return 'no text in some chunks';
  return typeof content === 'object' ? 'an object' : `a ${typeof content}`;
}

function whyEmpty(context: JudgeContext, content: string | null): string {
  const { reasoning } = replyOf(context);
  const tokens = whereTokensWent(context);
  const spent = tokens === null ? '' : ` (${tokens})`;
  const unreadable = whatCameAsContent(context);
  if (unreadable !== null) return `the content is ${unreadable}, where a string belongs${spent}`;
  if (content !== null && !isBlank(content)) return `nothing follows the <think> block of the content${spent}`;
  if (reasoning !== null && context.expectation.content !== 'text' && innerJson(reasoning) !== undefined) {
    return 'the content is empty; JSON stands in the reasoning field';
  }
  if (reasoning !== null && !isBlank(reasoning))
    return `the content is empty; only the reasoning field has text${spent}`;
  if (wentToReasoning(context)) return `the content is empty; the tokens went to reasoning${spent}`;
  return `the content is ${content === null ? 'null' : content === '' ? 'empty' : 'white space'}${spent}`;
}
