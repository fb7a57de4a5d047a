import { quirkTable, type Opportunity, type Quirk } from '../../chat/quirks.js';
import type { Reply } from '../../chat/reply.js';
import { readingOf, replyOf, type JudgeContext } from '../context.js';
import { opportunitiesIn } from './opportunities.js';
import type { WireForm, WireSighting } from './wire-form.js';

/** null: the answer was not read as a completion. */
export function sightingOf(context: JudgeContext, quirks: readonly string[]): WireSighting | null {
  if (readingOf(context).kind !== 'reply') return null;
  const seen = quirks.filter((name): name is Quirk => Object.hasOwn(quirkTable, name));
  return { step: null, form: formOf(replyOf(context)), could: couldShow(context, seen), seen };
}

function formOf({ streamed, tool_calls: calls }: Reply): WireForm {
  if (streamed) return calls.length > 0 ? 'streamed_call' : 'streamed_text';
  return calls.length > 0 ? 'plain_call' : 'plain_text';
}

/** What showed could show, however odd the answer. */
function couldShow(context: JudgeContext, seen: readonly Quirk[]): Opportunity[] {
  const could = opportunitiesIn(context);
  for (const name of seen) {
    const { shows } = quirkTable[name];
    if (!could.includes(shows)) could.push(shows);
  }
  return could;
}
