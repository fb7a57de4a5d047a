import { quirks } from '../../chat/quirks.js';
import type { ReportQuirk } from '../../matrix/report-format.js';
import { count, raised } from './phrases.js';

/** How many cells a sentence names. */
const mostCells = 3;

/** Which answers are counted, in words. */
const answers: Readonly<Record<NonNullable<ReportQuirk['only']>, string>> = {
  all: 'answers',
  streamed: 'streamed answers',
  plain: 'answers that are not streamed',
  text: 'answers without a call',
  call: 'answers with a call',
  plain_text: 'answers without a call that are not streamed',
  plain_call: 'answers with a call that are not streamed',
  streamed_text: 'streamed answers without a call',
  streamed_call: 'streamed answers with a call',
};

/**
 * "tool_call_index_missing has become the rule (4 of 4 answers in which it can show): Fragments of a call carry no index."
 * @param since ", since the run of 2026-11-20 (3 runs)", or nothing
 */
export function wireChange({ quirk, standing, seen, of, only }: ReportQuirk, since = ''): string {
  const meaning = wireMeaning({ quirk });
  const means = meaning === null ? '' : `: ${meaning}`;
  const which = `${answers[only ?? 'all']} in which it can show`;
  if (standing === 'gone') return `${quirk} has ended: it showed in none of ${of} ${which}${since}`;
  return `${quirk} has become the rule (${seen} of ${of} ${which})${since}${means}`;
}

/** What a quirk is; null for one of another version. */
export function wireMeaning({ quirk }: Pick<ReportQuirk, 'quirk'>): string | null {
  return Object.hasOwn(quirks, quirk) ? quirks[quirk as keyof typeof quirks] : null;
}

/** What it breaks, and where it shows. */
export function wireDetail({ standing, breaks, reads, cells }: ReportQuirk): string {
  const whose =
    standing === 'gone'
      ? 'clients that were adapted to it may need a look'
      : whoBreaks({ breaks, ...(reads && { reads }) });
  const more = cells.length > mostCells ? ` and ${count(cells.length - mostCells, 'more cell', 'more cells')}` : '';
  const where = cells.length === 0 ? '' : ` (in ${cells.slice(0, mostCells).join(', ')}${more})`;
  return `${whose}${where}`;
}

/** What a quirk is, as the present or, of one that has ended, as what was before, and then what it breaks; in sentences. */
export function wireEvidence(quirk: ReportQuirk): string {
  const meaning = wireMeaning(quirk);
  const means = meaning === null ? [] : [quirk.standing === 'gone' ? `Before: ${meaning}` : meaning];
  // Others begin with the name of a library.
  const detail = wireDetail(quirk).replace(/^(?:breaks|clients)\b/, raised);
  return [...means, detail].join(' ');
}

/** "breaks: openai 6.49: throws; ai 5.0 reads it" */
export function whoBreaks({ breaks, reads = [] }: Pick<ReportQuirk, 'breaks' | 'reads'>): string {
  const broken = breaks.length === 0 ? [] : [`breaks: ${breaks.join('; ')}`];
  const reading = reads.length === 0 ? [] : [`${reads.join(' and ')} ${reads.length === 1 ? 'reads' : 'read'} it`];
  return [...broken, ...reading].join('; ');
}
