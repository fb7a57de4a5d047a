import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';
import { loosened } from '../../plan/request/loosened.js';
import type { EnforceSpec } from '../../suite/probe.js';
import type { Finding } from '../course.js';
import type { Enforcement, Verdict } from '../../cell/verdict.js';
import { testOf } from './sequential.js';
import { breaksSchema, cameBack, enforcementOf, freedomIn, isCut, onlyAccepted, telling } from './enforcement.js';
import { findingOf } from '../finding.js';
import { sampleFixed } from './fixed.js';
import { placesBroken } from './chance-test.js';
import { openSample, repeated, type Asking, type Question, type Sample, type Sampled } from './sample.js';
import { boundary, passesTo } from '../../stats/sequential-test.js';

const question = (kind: Question['kind']): Question => ({ kind, patch: {} });

/**
 * One of each: the valid document under the schema, the invalid one without it, the invalid one under it. A single reply
 * that breaks the schema is proof; that it holds is not, so the invalid document is then asked for again, and the free
 * one too while the model has not shown that it would break the schema at all. A model that only babbles when it is free
 * is asked under a schema without the keyword instead.
 */
export function* sampleEnforce(ticket: Ticket): Asking<Sampled> {
  const spec = ticket.cell.probe.enforce;
  if (spec === null) return yield* sampleFixed(ticket);
  const rounds = roundsOf(ticket);
  const sample = openSample();
  const first = ticket.confirm ? 1 : rounds;
  const kinds: readonly Question['kind'][] = onlyAccepted(spec) ? ['valid'] : ['valid', 'free', 'invalid'];
  yield* sample.take(kinds.flatMap((kind) => repeated(question(kind), first)));
  const further = sample.dry() ? [] : furtherAsks(sample, spec, rounds - first);
  if (further.length > 0) yield* sample.take(further);
  const most = ticket.trials.kind === 'decided' ? ticket.trials.max : 0;
  for (let asked = rounds; asked < most && !sample.dry() && mayStillTell(sample, spec); asked += rounds) {
    const count = Math.min(rounds, most - asked);
    yield* sample.take([...repeated(question('invalid'), count), ...repeated(question('loose'), count)]);
  }
  const needed = () =>
    sample.dry() ? Math.max(1, rounds - telling(sample, onlyAccepted(spec) ? 'valid' : 'invalid').length) : 0;
  return asSampled(sample, spec, ticket, needed);
}

function furtherAsks(sample: Sample, spec: EnforceSpec, count: number): readonly Question[] {
  if (onlyAccepted(spec)) return repeated(question('valid'), count);
  const soFar = enforcementOf(sample, spec);
  const accepted = telling(sample, 'valid').some((outcome) => outcome.passed);
  if (soFar === 'ignored' || (soFar === 'refused' && !accepted)) return [];
  const seen = freedomIn(sample, spec);
  // A babbler says nothing of the keyword however often it is free.
  const freer = seen === 'babble' && loosened(spec) !== null ? 'loose' : 'free';
  const returned = telling(sample, 'valid').some((outcome) => cameBack(outcome, spec));
  return [
    ...repeated(question('invalid'), count),
    ...repeated(question(freer), seen === 'keyword' ? 0 : count),
    ...repeated(question('valid'), returned ? 0 : count),
  ];
}

/** The model does break the keyword when the schema lets it, only too seldom to rule out luck so far. */
function mayStillTell(sample: Sample, spec: EnforceSpec): boolean {
  const breaks = telling(sample, 'loose').some((outcome) => placesBroken(outcome, spec).length > 0);
  return breaks && enforcementOf(sample, spec) === 'unclear';
}

/** Three on a normal day; where the verdict must be decided, as many as a row of passes that decides. */
function roundsOf(ticket: Ticket): number {
  const { trials, confirm } = ticket;
  if (trials.kind === 'decided') {
    const test = testOf(ticket);
    return Math.max(3, Math.min(trials.max, passesTo(test, 0, -boundary(test))));
  }
  return Math.max(confirm ? 3 : 1, trials.count);
}

function asSampled(sample: Sample, spec: EnforceSpec, ticket: Ticket, needed: () => number): Sampled {
  const kind = kindInDoubt(enforcementOf(sample, spec), spec, ticket);
  return {
    sample,
    conclude: () => concludeEnforce(sample, spec, needed()),
    question: question(kind),
    good: (outcome) => (kind === 'valid' ? cameBack(outcome, spec) : outcome.passed && !breaksSchema(outcome, spec)),
    concerns: (ask) => ask.kind === kind,
  };
}

/** A broken schema shows in the valid document, everything else in the invalid one; an entry of a baseline likewise. */
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
  const judged = decisive.map((outcome) => heldAgainst(outcome, enforcement, spec));
  const finding = findingOf([...judged, ...faults], needed);
  const verdict = verdictOf(enforcement, spec, judged.length);
  if (verdict === finding.verdict && verdict !== 'inconclusive' && enforcement !== 'ignored')
    return { ...finding, enforcement };
  const { class: shown, reason, status, detail } = explanation(sample, spec, enforcement, verdict, finding);
  return { ...finding, class: shown, reason, status, detail, verdict, enforcement };
}

/** The answers that the finding counts: those in which the schema was put to the test. */
function decisiveOf(sample: Sample, spec: EnforceSpec, enforcement: Enforcement): readonly Outcome[] {
  const valid = telling(sample, 'valid');
  if (enforcement === 'broken' || onlyAccepted(spec)) return valid;
  return [...telling(sample, 'invalid'), ...valid.filter((outcome) => breaksSchema(outcome, spec))];
}

/** A trial passes when the schema did what it should in it: let the valid document through, or the invalid one not. */
function heldAgainst(outcome: Outcome, enforcement: Enforcement, spec: EnforceSpec): Outcome {
  if (breaksSchema(outcome, spec))
    return { ...outcome, passed: false, class: 'not_enforced', reason: null, detail: brokenBy(outcome, spec) };
  if (enforcement === 'broken' && outcome.passed && !cameBack(outcome, spec))
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
    const proof = [...telling(sample, 'invalid'), ...telling(sample, 'valid')].find((outcome) =>
      breaksSchema(outcome, spec),
    );
    const detail = proof === undefined ? null : brokenBy(proof, spec);
    return { class: 'not_enforced', reason: null, status: proof?.status ?? null, detail };
  }
  if (verdict !== 'inconclusive') return finding;
  const cut = sample.judged((ask) => ask.kind !== 'free' && ask.kind !== 'loose').find(({ outcome }) => isCut(outcome));
  const { class: shown, reason, status } = finding.class === null ? (cut?.outcome ?? finding) : finding;
  return { class: shown, reason, status, detail: whyUnclear(sample, spec) };
}

/** Of a composite document every broken keyword is worth a word. */
const mostViolations = 12;

function brokenBy(outcome: Outcome, spec: EnforceSpec): string {
  const how = outcome.violations.slice(0, mostViolations).map(({ at, message }) => `${at} ${message}`.trim());
  const what = outcome.class === 'not_json' ? 'a reply that is no JSON' : 'a reply that breaks the schema';
  return `${what} came with ${outcome.status ?? 'no status'} although ${spec.keyword} forbids it${how.length === 0 ? '' : `: ${how.join('; ')}`}`;
}

function whyUnclear(sample: Sample, spec: EnforceSpec): string {
  const judged = sample.judged((ask) => ask.kind === 'invalid');
  if (judged.length === 0) return 'no answer under the schema could be judged';
  if (judged.every(({ outcome }) => isCut(outcome))) return 'every reply under the schema was cut off';
  if (telling(sample, 'invalid').length === 0) return 'the service rejected what the model wrote under the schema';
  const free = freedomIn(sample, spec);
  if (free === 'babble' && telling(sample, 'loose').length > 0)
    return `the replies conform, but luck is not ruled out: under the schema without ${spec.keyword} they break it too seldom`;
  if (free === 'babble')
    return `the replies conform, but they are too few to rule out luck: the model breaks the schema when it is free, not ${spec.keyword} itself`;
  if (free === 'nothing')
    return `the replies conform, but the model did not break ${spec.keyword} without the schema either: nothing is proven`;
  return 'some replies under the schema neither conform nor break it';
}
