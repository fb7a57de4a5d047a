import type { PastOf } from '../history/past.js';
import { dayOf, sinceText } from '../history/since-text.js';
import { verdictMarks } from '../view/phrases.js';

/** What earlier runs say of a cell, as the drawer shows it; null if no other run is known. */
export function cellPast(past: PastOf, key: string) {
  if (past.runs.length < 2) return null;
  const found = past.cell(key);
  const marks = found.strip.map((verdict) =>
    verdict === null ? { look: 'none', glyph: '·' } : { look: verdict, glyph: verdictMarks[verdict].glyph },
  );
  const words = found.strip.map((verdict, index) => {
    const day = dayOf(past.runs[index]?.run.started_at ?? null);
    return `${day} ${verdict === null ? 'not planned' : verdictMarks[verdict].title}`;
  });
  return { marks, since: sinceText(found), label: words.join(', ') };
}
