import type { Finding } from '../../decide/course.js';
import { groupBy } from '../../json/group-by.js';
import type { Ticket } from '../../plan/ticket.js';
import { defaultTest } from '../../stats/sequential-test.js';
import { againTag, capAxis, choiceAxis, strictAxis } from './check-suite.js';

/**
 * Fresh trials that must all pass before a form is relied on: of several forms, one that fails once in six passes its first
 * ten more often than not, and forty of those once in 1,500 times.
 */
export const confirming = 40;

/** Values of max_tokens that are tried unless the user names some. */
export const usualCaps: readonly number[] = [256, 512, 1024, 2048, 4096, 16384];
/** The one that every form is asked with first; what is cut may pass with more, what is refused with fewer. */
const [ampleCap, capForCut, capForRefused] = [4096, 16384, 1024];

/** Decided by its own trials alone, by the same rates as everywhere; but a user is waiting. */
export function ticketFor(ticket: Ticket, trials: number | null): Ticket {
  const alone = { ...ticket, confirm: false };
  return trials === null && !isAgain(ticket)
    ? { ...alone, course: 'sequential', trials: { kind: 'decided', ...defaultTest, max: 20 } }
    : { ...alone, course: 'fixed', trials: { kind: 'count', count: trials ?? confirming } };
}

type Findings = ReadonlyMap<string, Finding>;

export interface CourseOptions {
  /** The caps were named: all of them are asked, and no other. */
  readonly fixedCaps: boolean;
  /** Output tokens of the longest answer of a cell that passed; null: unknown. */
  readonly longest: (cell: string) => number | null;
}

/** Asked first: every form without settings, under one ample cap or under those that were named. */
export function isFirst(ticket: Ticket, { fixedCaps }: Pick<CourseOptions, 'fixedCaps'>): boolean {
  return !isAgain(ticket) && isPlain(ticket) && (fixedCaps || isAmple(ticket));
}

/**
 * What the findings ask for: fresh trials of the first form that has no failure, with the smallest cap that leaves room for
 * its answers; where no form is left, what never passed is asked otherwise.
 */
export function nextCells(tickets: readonly Ticket[], findings: Findings, options: CourseOptions): readonly Ticket[] {
  const sameForm = ({ cell }: Ticket): string =>
    JSON.stringify([cell.capability, { ...cell.point, [capAxis]: undefined }]);
  for (const form of groupBy(inOrder(tickets), sameForm).values()) {
    const next = confirmationOf(form, findings, options);
    if (next === 'confirmed') return [];
    if (next !== null) return [next];
  }
  const failed = tickets.filter((one) => isFirst(one, options) && findings.get(one.cell.key)?.verdict === 'fail');
  const otherwise = (ticket: Ticket, { cell }: Ticket): boolean => {
    if (ticket.cell.capability !== cell.capability) return false;
    if (!isPlain(ticket)) return options.fixedCaps || isAmple(ticket);
    const failure = findings.get(cell.key)?.class;
    const cap = failure === 'truncated' ? capForCut : failure === 'http_error' ? capForRefused : null;
    return !options.fixedCaps && capOf(ticket) === cap;
  };
  return tickets.filter(
    (ticket) => !isAgain(ticket) && !findings.has(ticket.cell.key) && failed.some((one) => otherwise(ticket, one)),
  );
}

/** A ticket, `confirmed`, or null: it cannot be relied on. A failure counts for every cap, unless the answer was only cut. */
function confirmationOf(
  form: readonly Ticket[],
  findings: Findings,
  { fixedCaps, longest }: CourseOptions,
): Ticket | 'confirmed' | null {
  const seen = form.flatMap((ticket) => {
    const finding = findings.get(ticket.cell.key);
    return finding === undefined
      ? []
      : [{ ticket, finding, passes: finding.verdict === 'pass' && finding.needed === 0 }];
  });
  if (seen.some(({ passes, finding }) => !passes && finding.class !== 'truncated')) return null;
  if (seen.some(({ passes, ticket }) => passes && isAgain(ticket))) return 'confirmed';
  const passing = seen.filter(({ passes, ticket }) => passes && !isAgain(ticket)).map(({ ticket }) => ticket);
  const caps = passing.map(capOf);
  const room = Math.max(...passing.map(({ cell }) => longest(cell.key) ?? Infinity));
  const mayConfirm = (ticket: Ticket): boolean => {
    const cap = capOf(ticket);
    return caps.includes(cap) || (!fixedCaps && cap >= room && cap < Math.max(...caps));
  };
  return form.find((one) => isAgain(one) && !findings.has(one.cell.key) && mayConfirm(one)) ?? null;
}

/** 0 where the cap is not varied. */
export function capOf({ cell }: Ticket): number {
  return Number(cell.point[capAxis] ?? 0);
}

/** The settings of the config in its point. */
export function settingsIn({ cell }: Ticket): readonly (readonly [axis: string, label: string])[] {
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
export const isAgain = ({ cell }: Ticket): boolean => cell.probe.tags.includes(againTag);

/** Settings under which the body stays the same are no setting, and others are tried with strict schemas alone. */
export function isNeeded(ticket: Ticket): boolean {
  const { model, point } = ticket.cell;
  const settings = settingsIn(ticket);
  const changes = settings.every(([axis, label]) => Object.keys(model.settings[axis]?.[label] ?? {}).length > 0);
  return changes && (settings.length === 0 || point[strictAxis] !== 'false');
}

const isPlain = (ticket: Ticket): boolean =>
  settingsIn(ticket).length === 0 && ticket.cell.point[strictAxis] !== 'false';
const isAmple = (ticket: Ticket): boolean => capOf(ticket) === 0 || capOf(ticket) === ampleCap;
