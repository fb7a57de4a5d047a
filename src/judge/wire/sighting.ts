import { quirkTable, type Opportunity, type Quirk, type QuirkFacts } from '../../chat/quirks.js';
import type { Reply } from '../../chat/reply.js';
import { readingOf, replyOf, type JudgeContext } from '../context.js';
import { opportunitiesIn } from './opportunities.js';
import type { WireForm, WireSighting } from './wire-form.js';

/** null: the answer was not read as a completion. */
export function sightingOf(context: JudgeContext, quirks: readonly string[]): WireSighting | null {
  if (readingOf(context).kind !== 'reply') return null;
  const seen = quirks.length === 0 ? [] : quirks.filter(isKnown);
  return { step: null, form: formOf(replyOf(context)), could: couldShow(context, seen), seen };
}

function isKnown(name: string): name is Quirk {
  return Object.hasOwn(quirkTable, name);
}

function formOf({ streamed, tool_calls: calls }: Reply): WireForm {
  if (streamed) return calls.length > 0 ? 'streamed_call' : 'streamed_text';
  return calls.length > 0 ? 'plain_call' : 'plain_text';
}

/** What showed could show, however odd the answer. */
function couldShow(context: JudgeContext, seen: readonly Quirk[]): readonly Opportunity[] {
  const could = opportunitiesIn(context);
  if (seen.length === 0) return could;
  const further = seen.map(whereShown).filter((shows) => !could.includes(shows));
  return further.length === 0 ? could : [...could, ...new Set(further)];
}

function whereShown(name: Quirk): Opportunity {
  const facts: QuirkFacts = quirkTable[name];
  return facts.mayShow ?? facts.shows;
}
