import { stateOf } from '../../../baseline/knowledge.js';
import type { Ticket } from '../../../plan/ticket.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { boundOver } from '../../../stats/evidence.js';
import { sumOf } from '../../../stats/count.js';
import type { Finding } from '../../course.js';
import { type RunSoFar, settleKnown } from '../compare-with-known.js';
import type { Asking, Sample } from '../sample.js';
import type { Sign } from '../settle-doubt.js';
import { knownEnforcement, mapChange, type MapChange } from './map-change.js';

type Known = Exclude<Ticket['expected'], { kind: 'new' }>;

/**
 * Settles a change of the map: the question that showed it is asked again. A reply that keeps to an ignored keyword is no
 * news, nor is a failure unlike the known one, as long as one reply shows what is known; an enforced keyword is one that
 * passes.
 */
export function* confirmMap(
  ticket: Ticket & { readonly expected: Known },
  spec: EnforceSpec,
  { sample, conclude }: { readonly sample: Sample; readonly conclude: () => Finding },
  run: RunSoFar,
): Asking<Finding> {
  const finding = conclude();
  const change = mapChange(ticket.expected, finding, spec);
  if (change === null) return { ...finding, law: unchanged(ticket.expected, finding, run) };
  const isProof = change.from === 'ignored' || change.to === 'refused' || change.from === change.to;
  const settled = yield* settleKnown(
    ticket,
    { sample, conclude },
    {
      ...{ expectation: isProof ? 'fail' : 'pass', state: stateAgainst(ticket.expected, change, isProof) },
      question: { kind: change.question, patch: {} },
      isCounted: ({ ask }) => ask.kind === change.question,
      sign: ({ outcome }) => signFor(change.sign(outcome), isProof),
    },
    run,
  );
  const { law } = settled;
  return law === null || law.suspicion === null
    ? settled
    : { ...settled, law: { ...law, suspicion: change.suspicion } };
}

function signFor(sign: ReturnType<MapChange['sign']>, isProof: boolean): Sign {
  if (sign === null) return null;
  if (isProof) return sign === 'as_known' ? 'failed' : 'other';
  return sign === 'as_known' ? 'passed' : 'failed';
}

/** In counts of what is known: of a keyword that is refused or spoilt, and of an enforced one that is refused, all trials. */
function stateAgainst(expected: Known, { from }: MapChange, isProof: boolean) {
  const { known, doubt } = stateOf(expected);
  if (from === 'ignored' || (from === 'enforced' && !isProof)) return { known, doubt };
  return { known: { passed: isProof ? 0 : known.total, total: known.total }, doubt };
}

/** Replies as they were known end an earlier doubt; if they say nothing, it stays. */
function unchanged(expected: Known, { enforcement, trials }: Finding, { plannedCells }: RunSoFar): Finding['law'] {
  const { known, doubt } = stateOf(expected);
  const isAsKnown = enforcement === knownEnforcement(expected);
  const state = isAsKnown ? { known: sumOf([known, trials]), doubt: [] } : { known, doubt };
  return { ...state, log10: 0, bound: boundOver(plannedCells), suspicion: null };
}
