import type { Finding } from '../../decide/course.js';
import type { Ticket } from '../../plan/ticket.js';
import { type BoundedTest, defaultTest, stateOf } from '../../stats/sequential-test.js';
import { capAxis, choiceAxis, strictAxis } from './check-suite.js';
import { largest, type Measured } from './measured.js';

/**
 * What to ask first, and what the findings then ask for:
 *
 * - first every form under one ample cap, without settings;
 * - under a larger cap, what was cut there; under a smaller one, what was refused because of it;
 * - `strict: false` where strict does not hold;
 * - the settings of the config, where nothing holds without;
 * - the smallest cap for the form that is recommended: the least that the longest answer leaves open, then up from there.
 */
export interface CheckCourse {
  readonly isFirst: (ticket: Ticket) => boolean;
  readonly further: (findings: ReadonlyMap<string, Finding>) => readonly Ticket[];
  /** Whether the cell's form can be relied on, by its finding. */
  readonly holds: (finding: Finding | undefined) => boolean;
}

/** The same rates as everywhere, but a user is waiting. */
export const checkTest: BoundedTest = { ...defaultTest, max: 20 };

/** Values of max_tokens that are tried unless the user names some. */
export const usualCaps: readonly number[] = [256, 512, 1024, 2048, 4096, 16384];
/** The one that every form is asked with first. */
const ampleCap = 4096;
/** For a form that is refused because of its cap. */
const modestCap = 1024;

/** A refusal of the value of max_tokens, and not of the field. */
function isTooMuch(detail: string): boolean {
  return (
    /max_(?:completion_)?tokens/i.test(detail) && !/unsupported|not supported|unknown|unrecogni[sz]ed/i.test(detail)
  );
}

export interface CourseOptions {
  /** All that could be asked. */
  readonly tickets: readonly Ticket[];
  /** The caps were named: all of them are asked, and no other. */
  readonly fixedCaps: boolean;
  /** Every cell is asked this often; null: until it is decided. */
  readonly trials: number | null;
  /** How long the answers of a cell were. */
  readonly measured: (cell: string) => Measured;
}

export function checkCourse({ tickets, fixedCaps, trials, measured }: CourseOptions): CheckCourse {
  const settled = (ticket: Ticket): boolean => settingsIn(ticket).length === 0;
  const holds = (finding: Finding | undefined): boolean =>
    finding?.verdict === 'pass' && (trials !== null || stateOf(checkTest, finding.trials.passed, 0) === 'reliable');
  const isFirst = (ticket: Ticket): boolean =>
    settled(ticket) && ticket.cell.point[strictAxis] !== 'false' && (fixedCaps || isAmple(ticket));

  return {
    ...{ isFirst, holds },
    further(findings) {
      const asked = tickets.filter(({ cell }) => findings.has(cell.key));
      const open = tickets.filter(({ cell }) => !findings.has(cell.key));
      const judged = asked.filter(({ cell }) => isJudged(findings.get(cell.key)));
      if (judged.length === 0) return [];
      const holding = inOrder(judged.filter(({ cell }) => holds(findings.get(cell.key))));
      const others = fixedCaps
        ? []
        : open.filter((ticket) => judged.some((one) => wantsOtherCap(one, ticket, findings)));
      if (others.length > 0) return others;
      const variantHolds = (ticket: Ticket) => holding.some((one) => variantOf(one) === variantOf(ticket));
      const loose = open.filter(
        (ticket) =>
          settled(ticket) &&
          ticket.cell.point[strictAxis] === 'false' &&
          (fixedCaps || isAmple(ticket)) &&
          judged.some((one) => isStrictTwin(one, ticket)) &&
          !judged.some((one) => isStrictTwin(one, ticket) && variantHolds(one)),
      );
      if (loose.length > 0) return loose;
      const [best] = holding;
      if (best === undefined) {
        return open.filter(
          (ticket) =>
            !settled(ticket) &&
            changesBody(ticket) &&
            ticket.cell.point[strictAxis] !== 'false' &&
            (fixedCaps || isAmple(ticket)),
        );
      }
      return fixedCaps ? [] : smallerCap(best, holding, findings);
    },
  };

  /** Whether a judged cell was cut by its cap, or refused for it, so that the same form with another cap is a new question. */
  function wantsOtherCap(judged: Ticket, other: Ticket, findings: ReadonlyMap<string, Finding>): boolean {
    const finding = findings.get(judged.cell.key);
    if (finding === undefined || finding.verdict === 'pass' || variantOf(judged) !== variantOf(other)) return false;
    if (capOf(judged) !== ampleCap) return false;
    if (finding.class === 'truncated' || finding.class === 'empty_content') {
      // An answer that ended far below its cap was ended by something else.
      const { most } = measured(judged.cell.key);
      return capOf(other) > ampleCap && (most === 0 ? finding.class === 'truncated' : most * 2 >= ampleCap);
    }
    const forTheCap = finding.reason === 'context_length' || isTooMuch(finding.detail ?? '');
    return finding.class === 'http_error' && forTheCap && capOf(other) === modestCap;
  }

  /** The next smallest cap to try for a form that holds; none when it is known. */
  function smallerCap(
    best: Ticket,
    holding: readonly Ticket[],
    findings: ReadonlyMap<string, Finding>,
  ): readonly Ticket[] {
    const same = tickets.filter((ticket) => variantOf(ticket) === variantOf(best)).sort((a, b) => capOf(a) - capOf(b));
    const held = same.filter((ticket) => holding.includes(ticket));
    const longest = held.reduce<number | null>((most, { cell }) => {
      const one = largest(measured(cell.key).tokens);
      return one === null ? most : Math.max(most ?? 0, one);
    }, null);
    const least = held[0];
    if (longest === null || least === undefined) return [];
    const candidates = same.filter((ticket) => capOf(ticket) >= longest && capOf(ticket) < capOf(least));
    const next = candidates.find(({ cell }) => !findings.has(cell.key));
    return next === undefined ? [] : [next];
  }
}

/** Of all settings and caps of one form. */
export function variantOf({ cell }: Pick<Ticket, 'cell'>): string {
  return JSON.stringify([cell.probe.name, Object.entries(cell.point).filter(([axis]) => axis !== capAxis)]);
}

/** 0 where the cap is not varied. */
export function capOf({ cell }: Pick<Ticket, 'cell'>): number {
  return Number(cell.point[capAxis] ?? 0);
}

/** The settings of the config in its point. */
export function settingsIn({ cell }: Pick<Ticket, 'cell'>): readonly (readonly [axis: string, label: string])[] {
  return Object.entries(cell.point).filter(([axis]) => ![capAxis, strictAxis, choiceAxis].includes(axis));
}

/** The form to recommend before others, as in the built-in suites; fewer settings and smaller caps first. */
export function inOrder(tickets: readonly Ticket[]): readonly Ticket[] {
  const rank = ({ cell }: Ticket): number => {
    if (cell.capability === 'json_schema') return cell.point[strictAxis] === 'false' ? 15 : 10;
    if (cell.point[choiceAxis] !== undefined) return cell.point[choiceAxis] === 'required' ? 20 : 30;
    return 50;
  };
  return [...tickets].sort(
    (a, b) => settingsIn(a).length - settingsIn(b).length || rank(a) - rank(b) || capOf(a) - capOf(b),
  );
}

function isAmple(ticket: Ticket): boolean {
  return capOf(ticket) === 0 || capOf(ticket) === ampleCap;
}

const isJudged = (finding: Finding | undefined): boolean =>
  finding !== undefined && ['pass', 'fail', 'flaky'].includes(finding.verdict);

function isStrictTwin(one: Ticket, other: Ticket): boolean {
  if (one.cell.probe.name !== other.cell.probe.name) return false;
  if (one.cell.point[strictAxis] !== 'true' || other.cell.point[strictAxis] !== 'false') return false;
  return JSON.stringify(settingsIn(one)) === JSON.stringify(settingsIn(other));
}

function changesBody(ticket: Ticket): boolean {
  const { model } = ticket.cell;
  return settingsIn(ticket).every(([axis, label]) => {
    const patch = model.settings[axis]?.[label];
    return patch !== null && patch !== undefined && Object.keys(patch).length > 0;
  });
}
