import { quirkTable, type Opportunity, type Quirk } from '../../chat/quirks.js';
import type { JudgeContext } from '../context.js';
import { opportunitiesIn } from './opportunities.js';
import type { WireSighting } from './wire-form.js';

/** null: the answer was not read as a completion. */
export function sightingOf(context: JudgeContext, quirks: readonly string[]): WireSighting | null {
  if (context.reading().kind !== 'reply') return null;
  const { streamed, tool_calls: calls } = context.reply();
  const seen = quirks.filter((name): name is Quirk => Object.hasOwn(quirkTable, name));
  return {
    step: null,
    form: `${streamed ? 'streamed' : 'plain'}_${calls.length > 0 ? 'call' : 'text'}`,
    could: couldShow(context, seen),
    seen,
  };
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
