import { quirkTable, type Quirk } from '../../chat/quirks.js';
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
    // What showed could show, however odd the answer.
    could: [...new Set([...opportunitiesIn(context), ...seen.map((name) => quirkTable[name].shows)])],
    seen,
  };
}
