import { excerpt } from '../../chat/excerpt.js';
import type { Failure, JudgeContext, RungCheck } from '../context.js';
import { whereTokensWent, wentToReasoning } from './spent-tokens.js';
import { withoutThinking, innerJson } from '../json/wrapped-json.js';
import { missingCall, triedToCall } from './missing-call.js';

/** What was asked for must be present: text, or a call of the right function. */
export const presence: RungCheck = (context) => {
  const reply = context.reply();
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

function unexpectedCall({ calls }: JudgeContext): Failure {
  const names = calls().map(({ call }) => call.name ?? 'a call without a name');
  return {
    class: 'unexpected_tool_call',
    rung: 'complete',
    detail: `called although none may come: ${names.join(', ')}`,
  };
}

/** Every call is checked: a client runs them all. */
function wrongCall({ calls, tools, expectation }: JudgeContext): Failure | null {
  const { toolCall } = expectation;
  const declared = [...tools().keys()];
  for (const { call } of calls()) {
    const fail = (detail: string): Failure => ({ class: 'wrong_function', rung: 'complete', detail });
    if (call.name === null) return fail('a call came without a function name');
    if (!declared.includes(call.name)) return fail(`called ${call.name}, which the request does not declare`);
    if (toolCall.kind === 'named' && call.name !== toolCall.name) {
      return fail(`called ${call.name} instead of ${toolCall.name}`);
    }
  }
  for (const read of calls()) {
    if (read.kind === 'missing') return { class: 'missing_tool_call', rung: 'complete', detail: read.detail };
  }
  return null;
}

function missingText(context: JudgeContext): Failure | null {
  if (context.expectation.content === 'any') return null;
  const { content } = context.reply();
  const visible = content === null ? '' : withoutThinking(content);
  if (!isBlank(visible)) return null;
  return { class: 'empty_content', rung: 'complete', detail: whyEmpty(context, content) };
}

/** Whitespace of every kind, including invisible characters. */
function isBlank(text: string): boolean {
  return /^[\s\u200B-\u200D\u2060\uFEFF]*$/u.test(text);
}

function whyEmpty(context: JudgeContext, content: string | null): string {
  const { reasoning } = context.reply();
  const tokens = whereTokensWent(context);
  const spent = tokens === null ? '' : ` (${tokens})`;
  if (content !== null && !isBlank(content)) return `nothing follows the <think> block of the content${spent}`;
  if (reasoning !== null && context.expectation.content !== 'text' && innerJson(reasoning) !== undefined) {
    return 'the content is empty; the JSON stands in the reasoning field';
  }
  if (reasoning !== null && !isBlank(reasoning))
    return `the content is empty; only the reasoning field holds text${spent}`;
  if (wentToReasoning(context)) return `the content is empty; the tokens went to reasoning${spent}`;
  return `the content is ${content === null ? 'null' : content === '' ? 'empty' : 'white space'}${spent}`;
}
