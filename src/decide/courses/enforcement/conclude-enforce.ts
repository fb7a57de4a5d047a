import type { Enforcement, Verdict } from '../../../cell/verdict.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Finding } from '../../course.js';
import { findingOf } from '../../finding.js';
import type { Sample } from '../sample.js';
import { outcomesOf, usableOutcomes } from './asked-outcomes.js';
import { enforcementOf, onlyAccepted, type Demand } from './enforcement.js';
import { isFormRefused } from './refusals.js';
import { isCut, isRepeated, replyUnderSchema } from './reply-under-schema.js';
import { whyUnclear } from './why-unclear.js';

/** What the answers say about the cell, and why. */
export function concludeEnforce(sample: Sample, spec: EnforceSpec, demand: Demand): Finding {
  const enforcement = enforcementOf(sample, spec, demand);
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  const judged = decisiveOf(sample, spec, enforcement).map((outcome) => judgedBySchema(outcome, enforcement, spec));
  const needed = sample.isExhausted() ? Math.max(1, demand.conforming - judged.length) : 0;
  const finding = findingOf([...judged, ...faults], needed);
  const verdict = verdictOf(enforcement, sample, spec, finding);
  if (verdict === finding.verdict && verdict !== 'inconclusive' && enforcement !== 'ignored') {
    return { ...finding, enforcement };
  }
  const { class: failure, reason, status, detail } = explanation({ sample, spec, enforcement, verdict, finding });
  return { ...finding, class: failure, reason, status, detail, verdict, enforcement };
}

/** The answers that the finding counts: those that tested the schema. */
function decisiveOf(sample: Sample, spec: EnforceSpec, enforcement: Enforcement): readonly Outcome[] {
  const [valid, invalid] = [outcomesOf(sample, 'valid'), outcomesOf(sample, 'invalid')];
  const showing = (outcomes: readonly Outcome[], ...kinds: readonly ReturnType<typeof replyUnderSchema>[]) =>
    outcomes.filter((outcome) => kinds.includes(replyUnderSchema(outcome, spec)));
  if (onlyAccepted(spec)) return usableOutcomes(sample, 'valid', spec);
  switch (enforcement) {
    case 'ignored':
      return [...showing(invalid, 'keeps', 'breaks'), ...showing(valid, 'breaks')];
    case 'enforced':
      return showing(invalid, 'keeps');
    case 'refused':
      return showing(invalid, 'refusal').length > 0 ? showing(invalid, 'refusal') : showing(valid, 'refusal');
    case 'broken':
      return showing(valid, 'keeps', 'elsewhere', 'error', 'empty');
    case 'unclear':
      return usableOutcomes(sample, 'invalid', spec);
  }
}

/** A trial passes if the schema worked: it let the valid document through or kept the invalid one back. */
function judgedBySchema(outcome: Outcome, enforcement: Enforcement, spec: EnforceSpec): Outcome {
  if (enforcement === 'ignored' && replyUnderSchema(outcome, spec) === 'breaks') {
    return { ...outcome, passed: false, class: 'not_enforced', reason: null, detail: brokenBy(outcome, spec) };
  }
  if (enforcement === 'broken' && outcome.passed && !isRepeated(outcome, spec)) {
    const detail = 'a valid document does not come back under the schema';
    return { ...outcome, passed: false, class: 'rule_violation', detail };
  }
  return outcome;
}

function verdictOf(enforcement: Enforcement, sample: Sample, spec: EnforceSpec, finding: Finding): Verdict {
  switch (enforcement) {
    case 'enforced':
      return 'pass';
    case 'ignored':
    case 'refused':
    case 'broken':
      return 'fail';
    case 'unclear':
      // A form that is always refused fails, although nobody can tell what that says of the keyword.
      return onlyAccepted(spec) || isFormRefused(sample, spec) ? finding.verdict : 'inconclusive';
  }
}

interface Concluded {
  readonly sample: Sample;
  readonly spec: EnforceSpec;
  readonly enforcement: Enforcement;
  readonly verdict: Verdict;
  readonly finding: Finding;
}

type Explanation = Pick<Finding, 'class' | 'reason' | 'status' | 'detail'>;

function explanation({ sample, spec, enforcement, verdict, finding }: Concluded): Explanation {
  if (verdict === 'pass') return { class: null, reason: null, status: null, detail: null };
  if (enforcement === 'ignored') {
    const proof = outcomesOf(sample, 'invalid', 'valid').find(
      (outcome) => replyUnderSchema(outcome, spec) === 'breaks',
    );
    const detail = proof === undefined ? null : brokenBy(proof, spec);
    return { class: 'not_enforced', reason: null, status: proof?.status ?? null, detail };
  }
  if (verdict !== 'inconclusive') return finding;
  const cut = outcomesOf(sample, 'valid', 'invalid').find(isCut);
  const { class: failure, reason, status } = finding.class === null ? (cut ?? finding) : finding;
  return { class: failure, reason, status, detail: whyUnclear(sample, spec) };
}

/** Enough for a composite document to name every broken keyword. */
const mostViolations = 12;

function brokenBy(outcome: Outcome, spec: EnforceSpec): string {
  const how = outcome.violations.slice(0, mostViolations).map(({ at, message }) => `${at} ${message}`.trim());
  return `a reply that breaks the schema came with ${outcome.status ?? 'no status'} although the schema (${spec.keyword}) forbids it${how.length === 0 ? '' : `: ${how.join('; ')}`}`;
}
