import type { Expected } from '../../../baseline/entries.js';
import { knowledgeOf, trialsOfKind } from '../../../baseline/knowledge.js';
import type { Ticket } from '../../../plan/ticket.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { probabilityOfFewer } from '../../../stats/exact-test.js';
import { failuresTo } from '../../../stats/sequential-test.js';
import type { Finding } from '../../course.js';
import { alarmBoundary, discoveryRate, rowAgainst, rowForAlarm } from '../../false-alarms.js';
import { freshForRate, freshLimit, settled, unsettled, type Conclusion } from '../conclusion.js';
import { repeated, type Asking, type Sample } from '../sample.js';
import { testOf } from '../sequential.js';
import { chanceOfNone } from './chance-test.js';
import { isRepeated, replyUnderSchema } from './reply-under-schema.js';
import { mapChange, signsKnown, type MapChange, type Sign } from './map-change.js';

type Known = Exclude<Expected, { kind: 'new' }>;

/**
 * Confirms or clears a change of the map by a fresh sample. A conforming reply to an ignored keyword is no news, since some
 * keep it by chance: only so many of them, without a violation, that the known rate of violations rules out chance. A
 * violation of an enforced keyword is news if all fresh replies break it, or more than the known ones make likely.
 */
export function* confirmMap(
  ticket: Ticket & { readonly expected: Known },
  spec: EnforceSpec,
  { sample, conclude }: { readonly sample: Sample; readonly conclude: () => Finding },
  plannedCells: number,
): Asking<Finding> {
  const change = mapChange(ticket.expected, conclude(), spec);
  if (change === null) return conclude();
  const isAsked = ({ kind }: { readonly kind: string }) => kind === change.question;
  const first = sample.judged(isAsked);
  const fresh = () =>
    sample
      .judged(isAsked)
      .slice(first.length)
      .map(({ outcome }) => outcome);
  const signs = (): readonly Sign[] => [...first.map(({ outcome }) => outcome), ...fresh()].map(change.sign);
  const conclusion = yield* settle({ ticket, change, sample, plannedCells, first: first.length, signs });
  const finding = conclude();
  const passed = fresh().filter((outcome) =>
    change.question === 'valid' ? isRepeated(outcome, spec) : replyUnderSchema(outcome, spec) === 'keeps',
  ).length;
  return {
    ...finding,
    needed: Math.max(finding.needed, conclusion.needed),
    surprise: conclusion.surprise,
    fresh: { suspicion: change.suspicion, passed, total: fresh().length, pValue: conclusion.pValue },
  };
}

interface Open {
  readonly ticket: Ticket & { readonly expected: Known };
  readonly change: MapChange;
  readonly sample: Sample;
  readonly plannedCells: number;
  /** How many of the signs are not fresh. */
  readonly first: number;
  readonly signs: () => readonly Sign[];
}

function* settle(open: Open): Asking<Conclusion> {
  const { change, signs, first } = open;
  const wanted = rowFor(open);
  if (wanted === null) return settled('cleared');
  const { row, chanceOf } = wanted;
  const isKnown = () => signs().includes('as_known');
  const others = () =>
    signs()
      .slice(first)
      .filter((sign) => sign === 'other').length;
  while (!isKnown() && others() < row && (yield* askMore(open, row - others())));
  // One reply under the schema shows that it is not refused, and one of the known failures that it still comes: how often it
  // came is known of no failure, since the baseline names a single one.
  const isProof = change.from === 'ignored' || change.to === 'refused' || change.from === change.to;
  if (isKnown()) return isProof ? settled('cleared') : yield* compareRates(open);
  const chance = chanceOf(others());
  if (chance > discoveryRate) return unsettled(Math.max(0, row - others()));
  return settled('confirmed');
}

/** How many fresh replies, all unlike what is known, confirm a change. */
interface Row {
  readonly row: number;
  /** How likely so many would be by chance; 0 where no cell of the run would show them. */
  readonly chanceOf: (replies: number) => number;
}

/** null: too little is known for any change. */
function rowFor({ ticket, change, plannedCells }: Open): Row | null {
  const { expected } = ticket;
  const known = knowledgeOf(expected);
  const { suspicion, from, to } = change;
  if (from === 'ignored' && to !== 'refused') return rowWithoutViolation(expected, plannedCells);
  if (known === null) {
    const evidence = failuresTo(testOf(ticket), 0, alarmBoundary(plannedCells));
    return rowOf(Math.min(freshLimit, suspicion === 'changed' ? rowForAlarm(plannedCells) : evidence));
  }
  // Whatever it was, each of the trials that were accepted showed it.
  const accepted = trialsOfKind(expected) ?? known.total;
  const shown = from === 'enforced' ? known : { passed: accepted, total: accepted };
  const row = rowAgainst(shown, suspicion, plannedCells, freshLimit);
  return row === null ? null : rowOf(row);
}

const rowOf = (row: number): Row => ({ row, chanceOf: (replies) => (replies < row ? 1 : 0) });

/** Where nobody counted the violations, the keyword may be one that every fourth reply breaks. */
const uncounted = { passed: 1, total: 1 };

function rowWithoutViolation(expected: Known, plannedCells: number): Row {
  const violations = signsKnown(expected);
  const usual = rowAgainst(uncounted, 'improvement', plannedCells, freshLimit) ?? freshLimit;
  if (violations === null) return rowOf(usual);
  const rare = Math.exp(-alarmBoundary(plannedCells));
  const chanceOf = (replies: number) => {
    const chance = chanceOfNone(violations.passed, violations.total, replies);
    return chance <= rare ? 0 : chance;
  };
  let row = 1;
  while (row < freshLimit && chanceOf(row) > 0) row += 1;
  // A row that proves nothing is only as long as it takes to meet a violation.
  return { row: chanceOf(row) > discoveryRate ? usual : row, chanceOf };
}

/**
 * Some fresh replies show what is known and some do not: an exact test says whether that is new. Where the baseline knows
 * a keyword as enforced, it was perhaps never quite so; that stays open until it is accepted as it is.
 */
function* compareRates(open: Open): Asking<Conclusion> {
  const { signs, first, change } = open;
  const telling = () =>
    signs()
      .slice(first)
      .filter((sign) => sign !== null);
  while (telling().length < freshForRate && (yield* askMore(open, freshForRate - telling().length)));
  const total = telling().length;
  if (total < freshForRate) return unsettled(freshForRate - total);
  const known = signsKnown(open.ticket.expected);
  if (known === null || known.total === 0) return unsettled(0);
  const pValue = probabilityOfFewer({ passed: telling().filter((sign) => sign === 'as_known').length, total }, known);
  if (pValue <= discoveryRate) {
    return { surprise: 'confirmed', needed: 0, pValue: change.suspicion === 'regression' ? pValue : null };
  }
  return change.from === 'enforced' && change.to === 'ignored' ? unsettled(0) : settled('cleared');
}

/** Replies that settle most differences, before the whole row is asked. */
const firstBatch = 7;

/** @returns false when no more may be asked, or no more answers arrive */
function* askMore({ change, sample, signs, first }: Open, wanted: number): Asking<boolean> {
  const asked = signs().length - first;
  const count = Math.min(wanted, freshLimit - asked, asked === 0 ? firstBatch : freshLimit);
  if (count <= 0 || sample.isExhausted()) return false;
  yield* sample.take(repeated({ kind: change.question, patch: {} }, count));
  return true;
}
