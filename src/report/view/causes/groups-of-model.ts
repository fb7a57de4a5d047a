import { isJudged } from '../../../cell/verdict.js';
import type { SharedFailure } from '../../../decide/shared-failure.js';
import { groupBy } from '../../../json/group-by.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import type { Deviation } from '../../../matrix/standing/deviations.js';
import { isSameKind } from '../../../matrix/standing/shared-failures.js';
import { cellChange } from './cell-change.js';
import { type Direction, directionOf } from './direction.js';
import { faultOf } from './fault.js';
import { onlyFamilies } from './only-families.js';
import { byFault, kindInWords, type OfCell, type SameFault, saidBy, withEnforcement } from './same-fault.js';
import { sharedTrait, type Trait } from './shared-trait.js';

/** Deviations with the same words, before their sentence is made. */
export interface Group {
  readonly direction: Direction;
  readonly subject: string | null;
  readonly before: string;
  readonly now: string;
  /** What the failures of its cells say, each once and in order; models that say the same share a cause. */
  readonly says: readonly string[];
  readonly deviations: readonly Deviation[];
  /** The judged cells of the subject; null: it has none. */
  readonly of: number | null;
  /** "json_object and json_word": the only ones of a larger subject that show it. */
  readonly only?: string;
}

/** Every deviation of a model in exactly one group. */
export function groupsOfModel(
  deviations: readonly Deviation[],
  cells: readonly ReportCell[],
  shared: readonly SharedFailure[],
): readonly Group[] {
  const groups: Group[] = [];
  const ofCells: OfCell[] = [];
  for (const deviation of deviations) {
    if (deviation.kind === 'gone') {
      const now = 'no longer known to the service, while another model answers';
      groups.push({
        direction: 'gone',
        subject: null,
        before: 'known',
        now,
        says: [],
        deviations: [deviation],
        of: null,
      });
    } else if (deviation.kind === 'wire') {
      const { quirk, standing } = deviation.quirk;
      const [before, now] = standing === 'gone' ? ['is the rule', 'has ended'] : ['is not the rule', 'is the rule'];
      groups.push({ direction: 'wire', subject: quirk, before, now, says: [], deviations: [deviation], of: null });
    } else {
      ofCells.push(deviation);
    }
  }
  const alike = groupBy(ofCells, (one) => {
    const { before, now } = cellChange(one.kind, one.cell);
    return JSON.stringify([one.kind, before, now]);
  });
  const [ofAnswers, ofOwn] = [true, false].map((isShared) =>
    [...alike.values()].filter(([first]) => (first?.cell.shared !== undefined) === isShared),
  );
  const faults = withEnforcement((ofOwn ?? []).flatMap(byFault));
  const { apart, shown } = shownByAnswers(faults, ofAnswers ?? [], cells);
  return [
    ...groups,
    ...shown.flatMap((same) => groupOfAnswers(same, cells, shared)),
    ...apart.flatMap((fault) => groupOfChange(fault, cells) ?? []),
  ];
}

/**
 * What spoils most answers of a model fails some cells altogether, which do not need the others to prove it. It is the same
 * fault, unless something tells those cells from the others.
 */
function shownByAnswers(
  faults: readonly SameFault[],
  ofAnswers: readonly (readonly OfCell[])[],
  cells: readonly ReportCell[],
): { readonly apart: readonly SameFault[]; readonly shown: readonly (readonly OfCell[])[] } {
  const hostOf = ({ alike }: SameFault): readonly OfCell[] | null =>
    ofAnswers.find((host) => alike.every((one) => isShownBy(one, host)) && !isToldApart(alike, host, cells)) ?? null;
  const guests = groupBy(faults, hostOf);
  return {
    apart: guests.get(null) ?? [],
    shown: ofAnswers.map((host) => [...host, ...(guests.get(host) ?? []).flatMap(({ alike }) => alike)]),
  };
}

function isShownBy({ kind, cell }: OfCell, host: readonly OfCell[]): boolean {
  const { shared } = host[0]?.cell ?? {};
  const isSame = kind === 'regression' && shared !== undefined && isSameKind(shared, { ...shared, ...kindOf(cell) });
  return isSame && host.some((one) => faultOf(one.cell).sort === faultOf(cell).sort);
}

const kindOf = ({ class: outcome, reason }: ReportCell) => (outcome === null ? {} : { class: outcome, reason });

function isToldApart(alike: readonly OfCell[], host: readonly OfCell[], cells: readonly ReportCell[]): boolean {
  if (alike.length < 2) return false;
  const own = alike.map(({ cell }) => cell);
  const others = [...othersThan(own, cells.filter(isJudged)), ...host.map(({ cell }) => cell)];
  return sharedTrait(own, others).kind !== 'several';
}

function othersThan(own: readonly ReportCell[], judged: readonly ReportCell[]): readonly ReportCell[] {
  const members = new Set(own);
  return judged.filter((cell) => cell.verdict === 'pass' && !members.has(cell));
}

/** What all cells of a model have in common. */
export const answers = 'answers';

/** Cells that together prove a fault: any answer may show it, unless all that do are of few capabilities. */
function groupOfAnswers(
  alike: readonly OfCell[],
  cells: readonly ReportCell[],
  shared: readonly SharedFailure[],
): readonly Group[] {
  const judged = cells.filter(isJudged);
  return alike.slice(0, 1).map(({ kind, cell }) => {
    const { shared: kindOfCell } = cell;
    const failure = shared.find((one) => kindOfCell !== undefined && isSameKind(one, kindOfCell));
    const only = failure === undefined ? null : onlyFamilies(failure, judged);
    return {
      ...{ direction: directionOf(kind), subject: answers, ...cellChange(kind, cell) },
      ...{ says: saidBy(alike.map((one) => one.cell)), deviations: alike, of: judged.length },
      ...(only !== null && { only }),
    };
  });
}

/** Cells of one model that changed alike, with what they have in common. */
function groupOfChange({ alike, kind, also }: SameFault, cells: readonly ReportCell[]): Group | null {
  const [first] = alike;
  if (first === undefined) return null;
  const members = alike.map(({ cell }) => cell);
  const judged = cells.filter(isJudged);
  // What got better elsewhere says nothing against an improvement, but what always passed does.
  const others = othersThan(members, judged).filter(
    ({ standing }) => !(first.kind === 'improvement' && standing === 'improvement'),
  );
  const trait = sharedTrait(members, others);
  return {
    ...{ direction: directionOf(first.kind), subject: subjectOf(trait, members, judged) },
    ...cellChange(first.kind, first.cell, { detail: kindInWords(kind, first.cell), ...(also && { also }) }),
    ...{ says: saidBy(members), deviations: alike, of: judged.filter(trait.isTrueOf).length },
  };
}

/** "part of budget and stream": a family of which only some cells changed has not changed. */
function subjectOf(
  { kind, text, isTrueOf }: Trait,
  members: readonly ReportCell[],
  judged: readonly ReportCell[],
): string {
  const mayBePart = kind === 'family' || kind === 'several';
  return mayBePart && judged.filter(isTrueOf).length > members.length ? partOf(text) : text;
}

/** A trait of which only some cells are meant. */
export const partOf = (subject: string): string =>
  subject.startsWith('part of ') ? subject : `part of ${subject.replace(/^each of /, '')}`;
