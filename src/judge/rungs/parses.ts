import type { ToolCall } from '../../chat/reply.js';
import { quoted } from '../json/quoted-name.js';
import { reachedCap } from './spent-tokens.js';
import { callsOf, documentOf, replyOf, type Failure, type JudgeContext, type RungCheck } from '../context.js';
import { whyNotJson } from '../json/wrapped-json.js';
import { whyCut } from './finish-reason.js';

/** Arguments, and content that should be JSON, must parse as they stand. */
export const parses: RungCheck = (context) => {
  for (const read of callsOf(context)) {
    if (read.kind !== 'unreadable') continue;
    return read.cut && reachedCap(context)
      ? cut(context)
      : notJson(`${nameOf(read.call)}: ${read.why(replyOf(context).streamed)}`);
  }
  if (callsOf(context).length > 0 || !wantsDocument(context)) return null;
  const read = documentOf(context);
  if (read.kind === 'json') return null;
  return read.kind === 'cut' && reachedCap(context)
    ? cut(context)
    : notJson(`the content is ${whyNotJson(read, replyOf(context).streamed)}`);
};

function nameOf({ name }: ToolCall): string {
  return name === null ? 'call' : quoted(name);
}

export function wantsDocument({ expectation }: JudgeContext): boolean {
  return expectation.content === 'json' || expectation.content === 'object';
}

function notJson(detail: string): Failure {
  return { class: 'not_json', rung: 'present', detail };
}

/** A document that breaks off at the output cap was cut by it, whatever the finish_reason says. */
function cut(context: JudgeContext): Failure {
  return { class: 'truncated', rung: 'accepted', detail: whyCut(context, replyOf(context).finish_reason ?? 'missing') };
}
