import type { BaselineEntry, Expected } from '../../../baseline/entries.js';
import { failsAsKnown } from '../../../baseline/expected.js';
import type { Enforcement } from '../../../cell/verdict.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Finding, Suspicion } from '../../course.js';
import { onlyAccepted } from './enforcement.js';
import { isAccepted, isRepeated, replyUnderSchema } from './reply-under-schema.js';

/** What a baseline knows of how a service treats a keyword. */
export type KnownEnforcement = Exclude<Enforcement, 'unclear'>;

/** What one fresh answer says: as the baseline knows it, otherwise, or (null) neither. */
export type Sign = 'as_known' | 'other' | null;

/** A difference from what the baseline knows, and which fresh answers tell whether it is real. */
export interface MapChange {
  readonly suspicion: Exclude<Suspicion, 'new'>;
  readonly from: KnownEnforcement;
  readonly to: Enforcement;
  readonly question: 'valid' | 'invalid';
  readonly sign: (outcome: Outcome) => Sign;
}

type Known = Exclude<Expected, { kind: 'new' }>;

/** A flaky entry is one of a keyword that some replies broke. */
export function knownEnforcement(expected: Known): KnownEnforcement {
  if (expected.kind === 'pass') return 'enforced';
  const { class: failure, verdict, status } = expected.entry;
  if (failure === 'not_enforced' || verdict === 'flaky') return 'ignored';
  return failure === 'http_error' && (status === null || status < 500) ? 'refused' : 'broken';
}

/** null: the map is as the baseline knows it, or nothing is proven tonight. */
export function mapChange(expected: Known, finding: Finding, spec: EnforceSpec): MapChange | null {
  const from = knownEnforcement(expected);
  const to = enforcementIn(finding, spec);
  if (to === 'unclear') return null;
  const suspicion = from === 'enforced' ? 'regression' : to === 'enforced' ? 'improvement' : 'changed';
  if (from !== to) {
    const question = asksValid(from, to) || onlyAccepted(spec) ? 'valid' : 'invalid';
    return { suspicion, from, to, question, sign: (outcome) => signOf(outcome, from, to, spec) };
  }
  return expected.kind === 'entry' &&
    (from === 'refused' || from === 'broken') &&
    !failsAsKnown(expected.entry, finding)
    ? {
        suspicion: 'changed',
        from,
        to,
        question: from === 'broken' ? 'valid' : 'invalid',
        sign: sameFailure(expected.entry),
      }
    : null;
}

/** A keyword without a constraint is as good as enforced where it is accepted. */
const enforcementIn = ({ enforcement, verdict }: Finding, spec: EnforceSpec): Enforcement =>
  onlyAccepted(spec) && verdict === 'pass' ? 'enforced' : (enforcement ?? 'unclear');

const asksValid = (from: KnownEnforcement, to: Enforcement): boolean =>
  (from === 'broken' && to !== 'ignored') || (from === 'enforced' && to === 'broken');

function signOf(outcome: Outcome, from: KnownEnforcement, to: Enforcement, spec: EnforceSpec): Sign {
  const shown = replyUnderSchema(outcome, spec);
  const tells = shown !== 'nothing' && shown !== 'wrapped';
  switch (from) {
    case 'ignored':
      if (to === 'refused') return isAccepted(outcome) ? 'as_known' : shown === 'refusal' ? 'other' : null;
      return shown === 'breaks' ? 'as_known' : tells ? 'other' : null;
    case 'refused':
      return shown === 'refusal' ? 'as_known' : isAccepted(outcome) || shown === 'error' ? 'other' : null;
    case 'broken':
      if (to === 'ignored') return shown === 'breaks' ? 'other' : tells ? 'as_known' : null;
      if (isRepeated(outcome, spec)) return 'other';
      return shown === 'refusal' ? 'other' : tells ? 'as_known' : null;
    case 'enforced':
      return signAgainstEnforced(outcome, to, spec);
  }
}

function signAgainstEnforced(outcome: Outcome, to: Enforcement, spec: EnforceSpec): Sign {
  const shown = replyUnderSchema(outcome, spec);
  if (to === 'ignored') return shown === 'keeps' ? 'as_known' : shown === 'breaks' ? 'other' : null;
  if (to === 'refused' || onlyAccepted(spec)) {
    return isAccepted(outcome) ? 'as_known' : shown === 'refusal' || shown === 'error' ? 'other' : null;
  }
  if (isRepeated(outcome, spec)) return 'as_known';
  return shown === 'nothing' || shown === 'wrapped' || shown === 'refusal' ? null : 'other';
}

/** Another document than the valid one passes by itself, and is a broken rule only in its cell. */
const sameFailure =
  (entry: BaselineEntry) =>
  (outcome: Outcome): Sign =>
    outcome.passed
      ? entry.class === 'rule_violation'
        ? 'as_known'
        : null
      : failsAsKnown(entry, outcome)
        ? 'as_known'
        : 'other';
