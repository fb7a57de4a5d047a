import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';
import { loosened } from '../../plan/request/loosened.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Finding, TrialRange } from '../course.js';
import type { Enforcement, Verdict } from '../../cell/verdict.js';
import { sequentialCost, testOf } from './sequential.js';
import {
  breaksSchema,
  enforcementOf,
  isCut,
  isRepeated,
  isWithheld,
  onlyAccepted,
  usableOutcomes,
} from './enforcement.js';
import { findingOf } from '../finding.js';
import { sampleFixedSize } from './fixed.js';
import { placesBroken } from './chance-test.js';
import { openSample, repeated, type Asking, type Question, type Sample, type SampledCell } from './sample.js';
import { unconstrainedIn } from './unconstrained-reply.js';
import { passesToReliable } from '../../stats/sequential-test.js';

const question = (kind: Question['kind']): Question => ({ kind, patch: {} });

/** How often each kind is asked where no number of trials was given. */
const usualRounds = 3;

/**
 * Asks once each for the valid document under the schema, the invalid one without it, and the invalid one under it. A
 * single reply that breaks the schema proves that it is ignored. One that conforms proves nothing, so the invalid
 * document is then asked for again, and also without the schema until the model has broken the schema there. A model
 * that never breaks the keyword itself without the schema is asked under a schema that lacks the keyword instead.
 */
export function* sampleEnforcement(ticket: Ticket): Asking<SampledCell> {
  const spec = ticket.cell.probe.enforce;
  if (spec === null) return yield* sampleFixedSize(ticket);
  const rounds = roundsOf(ticket);
  const sample = openSample();
  const first = ticket.confirm ? 1 : rounds;
  yield* sample.take(kindsFor(spec).flatMap((kind) => repeated(question(kind), first)));
  const further = sample.isExhausted() ? [] : furtherAsks(sample, spec, rounds - first);
  if (further.length > 0) yield* sample.take(further);
  const most = ticket.trials.kind === 'decided' ? ticket.trials.max : 0;
  for (let asked = rounds; asked < most && !sample.isExhausted() && canStillBeDecided(sample, spec); asked += rounds) {
    const count = Math.min(rounds, most - asked);
    yield* sample.take([...repeated(question('invalid'), count), ...repeated(question('loose'), count)]);
  }
  const needed = () =>
    sample.isExhausted()
      ? Math.max(1, rounds - usableOutcomes(sample, onlyAccepted(spec) ? 'valid' : 'invalid').length)
      : 0;
  return asSampled(sample, spec, ticket, needed);
}

function furtherAsks(sample: Sample, spec: EnforceSpec, count: number): readonly Question[] {
  if (onlyAccepted(spec)) return repeated(question('valid'), count);
  const soFar = enforcementOf(sample, spec);
  const accepted = usableOutcomes(sample, 'valid').some((outcome) => outcome.passed);
  if (soFar === 'ignored' || (soFar === 'refused' && !accepted)) return [];
  const unconstrained = unconstrainedIn(sample, spec);
  // A model that breaks the schema elsewhere shows nothing about the keyword, however often it is asked without one.
  const freer = unconstrained === 'schema' && loosened(spec) !== null ? 'loose' : 'free';
  const returned = usableOutcomes(sample, 'valid').some((outcome) => isRepeated(outcome, spec));
  return [
    ...repeated(question('invalid'), count),
    ...repeated(question(freer), unconstrained === 'keyword' ? 0 : count),
    ...repeated(question('valid'), returned ? 0 : count),
  ];
}

/** The model does break the keyword when the schema allows it, but so far too rarely to rule out chance. */
function canStillBeDecided(sample: Sample, spec: EnforceSpec): boolean {
  const breaks = usableOutcomes(sample, 'loose').some((outcome) => placesBroken(outcome, spec).length > 0);
  return breaks && enforcementOf(sample, spec) === 'unclear';
}

/** The given number, otherwise at least three; where the verdict must be decided, as many passes in a row as decide it. */
export function roundsOf(ticket: Ticket): number {
  const { trials, confirm } = ticket;
  if (trials.kind === 'decided') return Math.max(usualRounds, Math.min(trials.max, passesToReliable(testOf(ticket))));
  return Math.max(confirm ? usualRounds : 1, trials.count);
}

/** Expects one of each kind and then the invalid document again; at most, every kind in every round. */
export function enforceCost(ticket: Ticket): TrialRange {
  const spec = ticket.cell.probe.enforce;
  const each = sequentialCost(ticket);
  if (spec === null) return each;
  const kinds = kindsFor(spec).length;
  const rounds = Math.max(ticket.confirm ? usualRounds : 1, each.expected);
  return { expected: kinds + rounds - 1, largest: kinds * Math.max(rounds, each.largest) };
}

function kindsFor(spec: EnforceSpec): readonly Question['kind'][] {
  return onlyAccepted(spec) ? ['valid'] : ['valid', 'free', 'invalid'];
}

function asSampled(sample: Sample, spec: EnforceSpec, ticket: Ticket, needed: () => number): SampledCell {
  const kind = kindInDoubt(enforcementOf(sample, spec), spec, ticket);
  return {
    sample,
    conclude: () => concludeEnforce(sample, spec, needed()),
    question: question(kind),
    isGood: (outcome) =>
      kind === 'valid' ? isRepeated(outcome, spec) : outcome.passed && !breaksSchema(outcome, spec),
    isSameQuestion: (ask) => ask.kind === kind,
  };
}

/** The document for the fresh sample: a broken schema shows with the valid one, everything else with the invalid one. */
function kindInDoubt(enforcement: Enforcement, spec: EnforceSpec, { expected }: Ticket): 'valid' | 'invalid' {
  if (onlyAccepted(spec) || enforcement === 'broken') return 'valid';
  const known = expected.kind === 'entry' ? expected.entry.class : null;
  const wasBroken = known !== null && known !== 'not_enforced' && known !== 'http_error';
  return enforcement === 'enforced' && wasBroken ? 'valid' : 'invalid';
}

function concludeEnforce(sample: Sample, spec: EnforceSpec, needed: number): Finding {
  const enforcement = enforcementOf(sample, spec);
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  const decisive = decisiveOf(sample, spec, enforcement);
  const judged = decisive.map((outcome) => judgedBySchema(outcome, enforcement, spec));
  const finding = findingOf([...judged, ...faults], needed);
  const verdict = verdictOf(enforcement, spec, judged.length);
  if (verdict === finding.verdict && verdict !== 'inconclusive' && enforcement !== 'ignored')
    return { ...finding, enforcement };
  const { class: failure, reason, status, detail } = explanation(sample, spec, enforcement, verdict, finding);
  return { ...finding, class: failure, reason, status, detail, verdict, enforcement };
}

/** The answers that the finding counts: those that tested the schema. */
function decisiveOf(sample: Sample, spec: EnforceSpec, enforcement: Enforcement): readonly Outcome[] {
  const valid = usableOutcomes(sample, 'valid');
  if (enforcement === 'broken' || onlyAccepted(spec)) return valid;
  return [...usableOutcomes(sample, 'invalid'), ...valid.filter((outcome) => breaksSchema(outcome, spec))];
}

/** A trial passes if the schema worked: it let the valid document through or kept the invalid one back. */
function judgedBySchema(outcome: Outcome, enforcement: Enforcement, spec: EnforceSpec): Outcome {
  if (breaksSchema(outcome, spec))
    return { ...outcome, passed: false, class: 'not_enforced', reason: null, detail: brokenBy(outcome, spec) };
  if (enforcement === 'broken' && outcome.passed && !isRepeated(outcome, spec))
    return {
      ...outcome,
      passed: false,
      class: 'rule_violation',
      detail: 'a valid document does not come back under the schema',
    };
  return outcome;
}

function verdictOf(enforcement: Enforcement, spec: EnforceSpec, judged: number): Verdict {
  switch (enforcement) {
    case 'enforced':
      return 'pass';
    case 'ignored':
    case 'refused':
    case 'broken':
      return 'fail';
    case 'unclear':
      return onlyAccepted(spec) && judged > 0 ? 'pass' : 'inconclusive';
  }
}

type Explanation = Pick<Finding, 'class' | 'reason' | 'status' | 'detail'>;

function explanation(
  sample: Sample,
  spec: EnforceSpec,
  enforcement: Enforcement,
  verdict: Verdict,
  finding: Finding,
): Explanation {
  if (verdict === 'pass') return { class: null, reason: null, status: null, detail: null };
  if (enforcement === 'ignored') {
    const proof = [...usableOutcomes(sample, 'invalid'), ...usableOutcomes(sample, 'valid')].find((outcome) =>
      breaksSchema(outcome, spec),
    );
    const detail = proof === undefined ? null : brokenBy(proof, spec);
    return { class: 'not_enforced', reason: null, status: proof?.status ?? null, detail };
  }
  if (verdict !== 'inconclusive') return finding;
  const cut = sample.judged((ask) => ask.kind !== 'free' && ask.kind !== 'loose').find(({ outcome }) => isCut(outcome));
  const { class: failure, reason, status } = finding.class === null ? (cut?.outcome ?? finding) : finding;
  return { class: failure, reason, status, detail: whyUnclear(sample, spec) };
}

/** Enough for a composite document to name every broken keyword. */
const mostViolations = 12;

function brokenBy(outcome: Outcome, spec: EnforceSpec): string {
  const how = outcome.violations.slice(0, mostViolations).map(({ at, message }) => `${at} ${message}`.trim());
  const what = outcome.class === 'not_json' ? 'a reply that is not JSON' : 'a reply that breaks the schema';
  return `${what} came with ${outcome.status ?? 'no status'} although the schema (${spec.keyword}) forbids it${how.length === 0 ? '' : `: ${how.join('; ')}`}`;
}

function whyUnclear(sample: Sample, spec: EnforceSpec): string {
  const judged = sample.judged((ask) => ask.kind === 'invalid');
  if (judged.length === 0) return 'no answer under the schema could be judged';
  if (judged.every(({ outcome }) => isCut(outcome))) return 'every reply under the schema was cut off';
  const usable = usableOutcomes(sample, 'invalid');
  if (usable.length === 0) return whyNoneUsable(judged.map(({ outcome }) => outcome));
  if (!usable.every((outcome) => outcome.passed)) return whyNotConforming(usable);
  return whyNothingProven(sample, spec);
}

function whyNoneUsable(outcomes: readonly Outcome[]): string {
  if (outcomes.every(isWithheld)) return 'the service rejected what the model wrote under the schema';
  return 'every reply under the schema was cut off, rejected by the service or garbled on its way';
}

/** Replies that conform stand beside others, or there are none. */
function whyNotConforming(usable: readonly Outcome[]): string {
  const some = usable.some((outcome) => outcome.passed);
  if (usable.every((outcome) => outcome.class === 'missing_tool_call')) return 'no reply under the schema held a call';
  if (usable.every((outcome) => outcome.class === 'empty_content')) return 'no reply under the schema held any content';
  return `${some ? 'some' : 'the'} replies under the schema neither conform nor break it`;
}

/** The replies under the schema conform; what the others show decides what is missing for a proof. */
function whyNothingProven(sample: Sample, spec: EnforceSpec): string {
  const { keyword } = spec;
  const loose = usableOutcomes(sample, 'loose');
  const free = usableOutcomes(sample, 'free').filter(({ value, class: failure }) => {
    return value !== undefined || failure === 'not_json';
  });
  switch (unconstrainedIn(sample, spec)) {
    case 'keyword':
      return 'the replies conform, but too few to rule out chance';
    case 'schema': {
      const without = `under the schema without ${keyword}`;
      if (loose.length === 0)
        return `the replies conform, but too few to rule out chance: without the schema the model breaks the schema, not ${keyword} itself`;
      const breaks = loose.filter((outcome) => placesBroken(outcome, spec).length > 0).length;
      return breaks === 0
        ? `the replies conform, perhaps by chance: ${without} no reply breaks it either`
        : `the replies conform, perhaps by chance: ${without} only ${breaks} of ${loose.length} replies break it`;
    }
    case 'nothing':
      return free.length === 0
        ? 'the replies conform, but no reply without the schema held a document to compare them with'
        : `the replies conform, but the model does not break ${keyword} without the schema either, so nothing is proven`;
  }
}
