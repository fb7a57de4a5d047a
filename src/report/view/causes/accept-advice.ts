import { endsRun } from '../../../journal/stop.js';
import type { Report } from '../../../matrix/report-format.js';
import type { Deviation } from '../../../matrix/standing/deviations.js';
import { goneSentence } from '../gone-sentence.js';
import { isCheck } from '../is-check.js';
import { configOption, shellWord } from '../shell-word.js';
import { exactPatterns } from './accept-patterns.js';
import type { RunKeys } from './run-keys.js';
import type { AcceptAdvice } from './cause.js';

/** The command that accepts these deviations, or why there is none. */
export function acceptAdvice(
  deviations: readonly Deviation[],
  report: Report,
  { keys, folder }: { readonly keys: RunKeys; readonly folder: string | null },
): AcceptAdvice {
  const { run } = report;
  const gone = deviations.flatMap((one) => (one.kind === 'gone' ? [one.gone] : []));
  if (gone.length > 0) return { command: null, why: goneSentence(gone, run.config) };
  if (!run.complete || run.stops.some(endsRun))
    return { command: null, why: 'The run is truncated, so nothing of it can be accepted.' };
  if (run.profile === 'smoke') {
    return { command: null, why: 'A smoke run asks each cell once, which is too little to be accepted.' };
  }
  if (isCheck(report)) {
    return { command: null, why: 'A check of one schema and one prompt is no part of what a baseline covers.' };
  }
  const named = cellsToName(deviations, report);
  const patterns = named === null ? null : exactPatterns(named, keys);
  if (named === null || patterns === null) {
    return { command: null, why: 'No pattern names these cells alone: accept the whole run, or none of it.' };
  }
  const only = patterns.map((pattern) => ` --only ${shellWord(pattern)}`).join('');
  return {
    command: `chatspec baseline accept ${shellWord(folder ?? 'RUN')}${only}${configOption(run.config)}`,
    also: alsoAccepted(deviations, named, report),
  };
}

/** The cells of these deviations; of a quirk, one in which it shows and which stands as expected itself, if there is one. */
function cellsToName(deviations: readonly Deviation[], { cells }: Report): readonly string[] | null {
  const named: string[] = [];
  for (const one of deviations) {
    if (one.kind === 'gone') continue;
    if (one.kind !== 'wire') {
      named.push(one.cell.key);
      continue;
    }
    const shows = new Set(one.quirk.cells);
    const ofQuirk = cells.filter(({ key }) => shows.has(key));
    const quiet = ofQuirk.find(({ standing, verdict }) => standing === 'as_expected' && verdict === 'pass');
    const cell = quiet ?? ofQuirk[0];
    if (cell === undefined) return null;
    named.push(cell.key);
  }
  return named;
}

/** Accepting a cell accepts the quirks that show in it, and a quirk can only be accepted with a cell. */
function alsoAccepted(deviations: readonly Deviation[], named: readonly string[], report: Report): string | null {
  const meant = new Set(
    deviations.map((one) => (one.kind === 'wire' ? one.quirk : one.kind === 'gone' ? null : one.cell)),
  );
  const keys = new Set(named);
  const quirks = (report.wire ?? []).filter(
    (quirk) => quirk.standing !== 'as_expected' && !meant.has(quirk) && quirk.cells.some((key) => keys.has(key)),
  );
  const isOfWire = deviations.some(({ kind }) => kind === 'wire');
  const cells = isOfWire
    ? report.cells.filter((cell) => keys.has(cell.key) && cell.standing !== 'as_expected' && cell.standing !== null)
    : [];
  const also = [...quirks.map(({ quirk, model }) => `${quirk} of ${model}`), ...cells.map(({ key }) => key)];
  return also.length === 0 ? null : `This also accepts ${also.join(', ')}.`;
}
