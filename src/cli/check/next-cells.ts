import type { Finding } from '../../decide/course.js';
import { groupBy } from '../../json/group-by.js';
import type { Ticket } from '../../plan/ticket.js';
import { type BoundedTest, defaultTest } from '../../stats/sequential-test.js';
import { capAxis, choiceAxis, strictAxis } from './check-suite.js';

/** The same rates as everywhere, but a user is waiting. */
export const checkTest: BoundedTest = { ...defaultTest, max: 20 };

/**
 * Fresh trials that must all pass before a form is relied on: of several forms, one that fails once in six passes its first
 * ten more often than not, and forty of those once in 1,500 times.
 */
export const confirming = 40;

/** Values of max_tokens that are tried unless the user names some. */
export const usualCaps: readonly number[] = [256, 512, 1024, 2048, 4096, 16384];
/** The one that every form is asked with first. */
const ampleCap = 4096;
/** What cannot pass with it may pass with more tokens, or where fewer are asked for. */
const otherCaps = { cut: 16384, refused: 1024 };

type Findings = ReadonlyMap<string, Finding>;

export interface CheckOptions {
  /** The caps were named: all of them are asked, and no other. */
  readonly fixedCaps: boolean;
  /** Output tokens of the longest answer of a cell that passed; null: unknown. */
  readonly longest: (cell: string) => number | null;
}

/** Asked first: every form without settings, under one ample cap or under those that were named. */
export function isFirst(ticket: Ticket, { fixedCaps }: CheckOptions): boolean {
  return !isAgain(ticket) && isPlain(ticket) && (fixedCaps || isAmple(ticket));
}

/**
 * What the findings ask for: fresh trials of the first form that has no failure, with the smallest cap that leaves room for
 * its answers; where no form is left, what never passed is asked otherwise.
 */
export function nextCells(tickets: readonly Ticket[], findings: Findings, options: CheckOptions): readonly Ticket[] {
  for (const variant of variantsAsked(tickets, findings)) {
    const next = confirmationOf(variant, findings, options);
    if (next === 'confirmed') return [];
    if (next !== null) return [next];
  }
  const never = tickets.filter((one) => isFirst(one, options) && findings.get(one.cell.key)?.verdict === 'fail');
  return tickets.filter(
    (ticket) =>
      !isAgain(ticket) &&
      !findings.has(ticket.cell.key) &&
      never.some(
        (one) => one.cell.capability === ticket.cell.capability && isOtherwise(ticket, one, findings, options),
      ),
  );
}

/** The tickets of each form with its settings, whatever the cap, of which some were asked: the best form first. */
function variantsAsked(tickets: readonly Ticket[], findings: Findings): readonly (readonly Ticket[])[] {
  const variants = groupBy(inOrder(tickets), variantOf);
  return [...variants.values()].filter((own) => own.some(({ cell }) => findings.has(cell.key)));
}

/** A ticket, `confirmed`, or null: it cannot be relied on. A failure counts for every cap, unless the answer was only cut. */
function confirmationOf(
  variant: readonly Ticket[],
  findings: Findings,
  { fixedCaps, longest }: CheckOptions,
): Ticket | 'confirmed' | null {
  const findingOf = ({ cell }: Ticket): Finding | undefined => findings.get(cell.key);
  const asked = variant.filter((one) => findingOf(one) !== undefined);
  if (asked.some((one) => !passes(findingOf(one)) && findingOf(one)?.class !== 'truncated')) return null;
  if (asked.some((one) => isAgain(one) && passes(findingOf(one)))) return 'confirmed';
  const passing = asked.filter((one) => !isAgain(one) && passes(findingOf(one)));
  const most = Math.max(...passing.map(({ cell }) => longest(cell.key) ?? Infinity));
  const caps = passing.map(capOf);
  return (
    variant.find((one) => {
      const cap = capOf(one);
      if (!isAgain(one) || findingOf(one) !== undefined) return false;
      return caps.includes(cap) || (!fixedCaps && cap >= most && cap < Math.max(...caps));
    }) ?? null
  );
}

/** Whether what never passed may pass so: with another cap, without strict, or with a setting of the config. */
function isOtherwise(ticket: Ticket, never: Ticket, findings: Findings, { fixedCaps }: CheckOptions): boolean {
  if (!isPlain(ticket)) return fixedCaps || isAmple(ticket);
  const failure = findings.get(never.cell.key)?.class;
  if (fixedCaps) return false;
  return (
    (failure === 'truncated' && capOf(ticket) === otherCaps.cut) ||
    (failure === 'http_error' && capOf(ticket) === otherCaps.refused)
  );
}

const passes = (finding: Finding | undefined): boolean => finding?.verdict === 'pass' && finding.needed === 0;

/** Of all caps of one form with its settings. */
function variantOf({ cell }: Ticket): string {
  return JSON.stringify([cell.capability, Object.entries(cell.point).filter(([axis]) => axis !== capAxis)]);
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

/** Whether it is asked with fresh trials, which did not choose its form. */
export const isAgain = ({ cell }: Ticket): boolean => cell.probe.tags.includes('again');
const isPlain = (ticket: Ticket): boolean =>
  settingsIn(ticket).length === 0 && ticket.cell.point[strictAxis] !== 'false';
const isAmple = (ticket: Ticket): boolean => capOf(ticket) === 0 || capOf(ticket) === ampleCap;
