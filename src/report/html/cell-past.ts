import type { Past, PastOf } from '../history/past.js';
import { dayOf, sinceText } from '../history/since-text.js';
import { verdictMarks } from '../view/phrases.js';

/**
 * What earlier runs say of a cell, and of all cells of its capability, as the drawer shows it; null if no other run is
 * known.
 * @param ofCapability the keys of the same model, this one among them
 */
export function cellPast(past: PastOf, key: string, ofCapability: readonly string[]) {
  if (past.runs.length < 2) return null;
  return {
    ...stripView(past, past.cell(key)),
    capability: ofCapability.length < 2 ? null : stripView(past, past.cells(ofCapability)),
  };
}

function stripView(past: PastOf, found: Past) {
  const marks = found.strip.map((verdict) =>
    verdict === null ? { look: 'none', glyph: '·' } : { look: verdict, glyph: verdictMarks[verdict].glyph },
  );
  const words = found.strip.map((verdict, index) => {
    const day = dayOf(past.runs[index]?.run.started_at ?? null);
    return `${day} ${verdict === null ? 'not planned' : verdictMarks[verdict].title}`;
  });
  return { marks, since: sinceText(found), label: words.join(', ') };
}
