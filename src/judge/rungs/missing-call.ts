import type { Failure, JudgeContext } from '../context.js';

/** The failure of a missing call, with what came in its place. */
export function missingCall(context: JudgeContext): Failure {
  return { class: 'missing_tool_call', rung: 'complete', detail: whereItWent(context) };
}

function whereItWent(context: JudgeContext): string {
  const { content, quirks, finish_reason, native_finish_reason: native } = context.reply();
  if (quirks.includes('legacy_function_call')) return 'the call came in the retired function_call field';
  const inContent = context.callInContent();
  if (inContent !== null) return `the call was written as text into the content (${inContent.markup})`;
  const inReasoning = context.callInReasoning();
  if (inReasoning !== null) return `the call was written into the reasoning (${inReasoning.markup})`;
  if (isMalformedCall(native) || isMalformedCall(finish_reason)) return 'the service dropped a call that was malformed';
  if (finish_reason === 'tool_calls') return 'finish_reason announces a call, but the list of calls is empty';
  return (content ?? '').trim() === '' ? 'neither a call nor text came' : 'text came instead of a call';
}

/**
 * Where a call is optional: the failure of a call that the model made but that did not arrive as one. Text counts only
 * when it names a declared function, or contains tokens that no text contains by chance.
 */
export function triedToCall(context: JudgeContext): Failure | null {
  const { content, quirks, finish_reason, native_finish_reason: native } = context.reply();
  const empty = (content ?? '').trim() === '';
  const written = context.callInContent() ?? (empty ? context.callInReasoning() : null);
  const meant =
    written !== null && (written.name === null ? isSpecial(written.markup) : context.tools().has(written.name));
  const announced =
    empty && (finish_reason === 'tool_calls' || isMalformedCall(native) || isMalformedCall(finish_reason));
  return meant || announced || quirks.includes('legacy_function_call') ? missingCall(context) : null;
}

function isMalformedCall(reason: string | null | undefined): boolean {
  return /malformed_function_call|function_call_filter|unexpected_tool_call/i.test(reason ?? '');
}

function isSpecial(markup: string): boolean {
  return /Kimi|DeepSeek|python_tag|TOOL_CALLS/.test(markup);
}
