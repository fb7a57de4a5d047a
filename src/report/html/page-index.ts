import { withoutModel } from '../../cell/cell-key.js';
import { verdicts } from '../../cell/verdict.js';
import { outcomeClasses, outcomeProse } from '../../judge/outcome-classes.js';
import { rungs } from '../../judge/outcome.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import { configOption, shellWord } from '../view/shell-word.js';
import { whatFailed, verdictMarks } from '../view/phrases.js';
import { cellCard } from './cell-card.js';
import type { PastOf } from '../history/past.js';
import { cellPast } from './cell-past.js';
import type { PageEvidence } from './page-evidence.js';
import { shownIds } from './wanted-exchanges.js';
import { plainCondition } from './short-condition.js';
import type { Pack } from './store/pack.js';

/** What the script knows of every cell without decoding its card: enough to search, and to draw the matrix by level. */
export interface PageIndex {
  readonly models: readonly string[];
  readonly capabilities: readonly string[];
  readonly verdicts: readonly { readonly name: string; readonly glyph: string }[];
  readonly rungs: readonly string[];
  /** What to do, by outcome class. */
  readonly advice: Readonly<Record<string, string>>;
  /** Keys without their model, and words to search for: most models share them. */
  readonly names: readonly string[];
  readonly words: readonly string[];
  /** The command that shows the exchanges of a cell, before its key and behind it. */
  readonly evidence: readonly [string, string];
  /** By cell: name, model, capability, verdict, rung (-1: none), words, 1 where it deviates, card, exchanges. */
  readonly cells: readonly (readonly [number, number, number, number, number, number, 0 | 1, number, ...number[]])[];
}

export interface IndexOptions {
  readonly folder: string | null;
  readonly past: PastOf | null;
  readonly pack: Pack;
  /** Capabilities in the order of the matrix. */
  readonly rows: readonly string[];
  /** How many exchanges each cell has. */
  readonly counts: readonly number[];
}

/** Keeps a card for every cell, and returns the index of them. */
export function indexCells(
  report: Report,
  evidence: PageEvidence,
  { folder, past, pack, rows, counts }: IndexOptions,
): PageIndex {
  const run = shellWord(folder ?? 'RUN');
  const deviating = new Set(deviationsOf(report).flatMap((one) => ('cell' in one ? one.cell.key : [])));
  const models = positions(report.models.map(({ id }) => id));
  const capabilities = positions(rows);
  const known = new Map(
    report.capabilities.map((one) => [
      `${one.capability}@${one.model}`,
      { condition: plainCondition(one), cells: one.cells },
    ]),
  );
  const [names, words] = [new Map<string, number>(), new Map<string, number>()];
  const cells = report.cells.map((cell, number): PageIndex['cells'][number] => {
    const deviates = deviating.has(cell.key);
    const exchanges = shownIds(cell, deviates).flatMap((id) => evidence.numbers.get(id) ?? []);
    const ofCapability = known.get(`${cell.capability}@${cell.model}`);
    const around = {
      condition: ofCapability?.condition ?? null,
      past: past === null ? null : cellPast(past, cell.key, ofCapability?.cells ?? []),
      left: leftOut(counts[number] ?? 0, exchanges.length),
    };
    return [
      placeOf(withoutModel(cell.key), names),
      models.get(cell.model) ?? -1,
      capabilities.get(cell.capability) ?? -1,
      verdicts.indexOf(cell.verdict),
      cell.rung === null ? -1 : rungs.indexOf(cell.rung),
      placeOf(`${whatFailed(cell)} ${cell.title} ${(cell.detail ?? '').slice(0, 200)}`, words),
      deviates ? 1 : 0,
      pack.once(cellCard(cell, around)),
      ...exchanges,
    ];
  });
  return {
    ...{ models: [...models.keys()], capabilities: [...capabilities.keys()], rungs },
    verdicts: verdicts.map((name) => ({ name, glyph: verdictMarks[name].glyph })),
    advice: Object.fromEntries(outcomeClasses.map((name) => [name, outcomeProse[name].advice])),
    ...{ names: [...names.keys()], words: [...words.keys()] },
    evidence: [`chatspec evidence ${run} `, configOption(report.run.config)],
    cells,
  };
}

/** Where a text stands in a list that grows with it. */
function placeOf(text: string, places: Map<string, number>): number {
  const place = places.get(text) ?? places.size;
  places.set(text, place);
  return place;
}

function leftOut(of: number, shown: number): string | null {
  if (of <= shown) return null;
  return shown === 0
    ? `This page holds none of the exchanges of this cell.`
    : `This page holds ${shown} of the ${of} exchanges of this cell.`;
}

function positions(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(names)].map((name, index) => [name, index]));
}
