import type { Verdict } from '../../cell/verdict.js';
import type { Past, PastOf } from '../history/past.js';
import { startOf } from '../history/since.js';
import { pastText, startText } from '../history/since-text.js';
import { verdictMarks } from '../view/phrases.js';

/**
 * What earlier runs say of a cell, and of all cells of its capability, as the drawer shows it; null if no other run is
 * known.
 * @param ofCapability the keys of the same model, this one among them
 */
export function cellPast(past: PastOf, key: string, ofCapability: readonly string[]) {
  if (past.runs.length < 2) return null;
  return {
    ...stripView(past, past.cell(key), verdictMarks.flaky),
    capability: ofCapability.length < 2 ? null : stripView(past, past.cells(ofCapability), someCells),
  };
}

/** Cells of a capability that differ are not flaky for it. */
const someCells = { look: 'partial', glyph: verdictMarks.partial.glyph, title: 'some of its cells pass' };

/** @param mixed how to show what neither passed nor failed as a whole */
function stripView(past: PastOf, found: Past, mixed: { look?: string; glyph: string; title: string }) {
  const markOf = (verdict: Verdict) => (verdict === 'flaky' ? mixed : verdictMarks[verdict]);
  const marks = found.strip.map((verdict) =>
    verdict === null
      ? { look: 'none', glyph: '·' }
      : { look: verdict === 'flaky' ? (mixed.look ?? verdict) : verdict, glyph: markOf(verdict).glyph },
  );
  const words = found.strip.map((verdict, index) => {
    const run = past.runs[index];
    const day = run === undefined ? '' : startText(startOf(run, past.runs));
    return `${day} ${verdict === null ? 'not planned' : markOf(verdict).title}`;
  });
  return { marks, since: pastText(found), label: words.join(', ') };
}
