import { outputCap } from '../chat/output-cap.js';
import { completionTokens } from '../chat/token-use.js';
import { breaksOff } from './json/wrapped-json.js';
import { callsOf, documentOf, replyOf, type JudgeContext } from './context.js';

/** How a text ends that may be whole: with a mark or an emoji, not in a word or behind a comma. */
const maySayAll = /[^\p{L}\p{N}\s,]\s*$/u;

/**
 * Whether an answer shows that its cap cut it although its finish_reason does not say so. The usage must have reached the
 * cap. That alone proves nothing: a whole answer may take just as many tokens, and a service that ignores the cap takes more.
 */
export function isCutWithoutLength(context: JudgeContext, reason: string): boolean {
  if (reason === 'length' || reason === 'content_filter') return false;
  const reply = replyOf(context);
  const completion = completionTokens(reply);
  const cap = completion === null ? null : outputCap(context.request);
  if (completion === null || cap === null || completion < cap) return false;
  if (reply.tool_calls.length > 0) return callsOf(context).some((read) => read.kind === 'unreadable' && read.cut);
  const content = reply.content ?? '';
  if (content.trim() === '') return true;
  const { content: wanted } = context.expectation;
  if (wanted === 'json' || wanted === 'object') {
    const read = documentOf(context);
    return read.kind === 'cut' && breaksOff(read);
  }
  return completion === cap && !maySayAll.test(content);
}
