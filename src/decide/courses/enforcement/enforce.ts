import { failsAsKnown, cellStateOf } from '../../../baseline/expected.js';
import type { TrialCounts } from '../../../baseline/entries.js';
import { joined, wayOf } from '../../../baseline/ways-of-failing.js';
import type { Enforcement } from '../../../cell/verdict.js';
import type { Outcome } from '../../../judge/outcome.js';
import { loosened } from '../../../plan/request/echo-request.js';
import type { PlannedCell } from '../../../plan/plan.js';
import type { Count } from '../../../stats/count.js';
import { defaultTest, passesToReliable } from '../../../stats/sequential-test.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import type { Finding, RecordedTrial, TrialRange } from '../../course.js';
import { trialExpectation } from '../../law.js';
import { compareWithKnown, quietly, settleKnown, settleNew } from '../compare-with-known.js';
import {
  plainCost,
  samplePlain,
  sequentialTestOf,
  openSample,
  repeatedQuestions,
  type Asking,
  type SampleQuestion,
  type Sample,
} from '../sample.js';
import {
  acceptableChance,
  isSchemaRejected,
  brokenWithout,
  chanceOfLoss,
  conformingIn,
  conformingNeeded,
  enforcementOf,
  enoughLoose,
  findingFrom,
  isOfTheKeyword,
  isRefused,
  isReturned,
  lostIn,
  mayBeChance,
  onlyAccepted,
  repliesIn,
  withoutKeyword,
  withoutRepeating,
} from './claim.js';
import { breaksFreely, isSchemaAccepted, isRepeated, replyUnderSchema } from './reply.js';

type ExpectedEnforcement = Exclude<PlannedCell['expected'], { kind: 'new' }>;
type EnforcedCell = PlannedCell & { readonly spec: EnforceSpec };

/** How often each kind is asked where no number of trials was given. */
const usualRounds = 3;

/**
 * Conforming replies before a keyword of which the baseline knows nothing is called enforced: where every second reply
 * breaks an ignored keyword, fewer than 1 in 100 such keywords would conform as often. A composite document breaks many
 * keywords at once.
 */
const roundsToLearn = 7;

/** The violations, or else the replies, after which it is known well enough how often an ignored keyword is broken. */
const violationsToLearn = 3;
const repliesToLearn = 10;

/** Replies that show a lost document to be no chance: with as many without the schema, but one, 1 in 126. */
const repliesToLose = 5;

/** Each batch asks for what is still missing; replies that tell nothing are made up for in a few more. */
const mostBatches = 6;

/** How a service treats a keyword, and whether that differs from what the baseline knows. */
function* measureEnforcement(
  planned: PlannedCell,
  bound: number,
  recorded?: readonly RecordedTrial[],
): Asking<Finding> {
  const spec = planned.cell.probe.enforce;
  if (spec === null) return yield* compareWithKnown(planned, yield* samplePlain(planned), bound);
  const asked = { ...planned, spec };
  const sample = openSample(recorded);
  if (recorded === undefined) yield* sampleEnforcement(asked, sample);
  const conclude = () => findingFrom(sample, spec, demandOf(asked));
  const { expected, confirm } = planned;
  if (expected.kind !== 'new') return yield* settleChange(asked, expected, { sample, conclude }, bound);
  const { enforcement } = conclude();
  // A violation is proof, whatever further replies show.
  if (!confirm || enforcement === 'ignored') return conclude();
  const kind = enforcement === 'broken' || onlyAccepted(spec) ? 'valid' : 'invalid';
  const isGood = (outcome: Outcome) =>
    enforcement === 'broken' && !onlyAccepted(spec) ? isRepeated(outcome, spec) : isSchemaAccepted(outcome);
  const isSameQuestion = ({ kind: one }: { readonly kind: string }) => one === kind;
  return yield* settleNew(planned, { sample, conclude, question: question(kind), isGood, isSameQuestion });
}

const question = (kind: SampleQuestion['kind']): SampleQuestion => ({ kind, patch: {} });

/**
 * Asks once each for the valid document under the schema, the invalid one without it, and the invalid one under it; a
 * keyword that is known to be ignored or refused is asked for that first, since one reply may prove it again. A single
 * document that breaks the keyword proves that it is ignored. One that conforms proves nothing, so the invalid document
 * is asked for again, and a model that never breaks the keyword without the schema is asked under one that lacks the
 * keyword.
 */
function* sampleEnforcement(asked: EnforcedCell, sample: Sample): Asking<void> {
  const { spec, confirm } = asked;
  const proof = kindThatProves(asked);
  if (proof !== null) {
    yield* sample.take([question(proof)]);
    if (isAsKnown(asked, sample)) return;
  }
  const kinds = kindsFor(spec).filter((kind) => kind !== proof);
  yield* sample.take(kinds.flatMap((kind) => repeatedQuestions(question(kind), confirm ? 1 : roundsOf(asked))));
  if (isKnownAs(asked, 'broken') && isAsKnown(asked, sample)) return;
  if (isKnownUnclear(asked) && !mayProve(asked, sample)) return;
  for (let batch = 0; batch < mostBatches && !sample.isExhausted(); batch += 1) {
    const missing = missingFor(asked, sample);
    if (missing.length === 0) return;
    yield* sample.take(missing);
  }
}

/** Further questions, before something is proved. */
function missingFor(asked: EnforcedCell, sample: Sample): readonly SampleQuestion[] {
  const { spec, confirm, trials, expected } = asked;
  const replies = repliesIn(sample, spec);
  const demand = demandOf(asked);
  const rounds = roundsOf(asked);
  const upTo = (kind: 'valid' | 'invalid' | 'free' | 'loose', most: number) =>
    repeatedQuestions(question(kind), Math.max(0, most - replies.of(kind).length));
  if (isRefused(replies)) return toTellRefusals(asked, sample);
  if (!confirm) return [];
  if (onlyAccepted(spec)) return upTo('valid', rounds);
  const claim = enforcementOf(replies, spec, demand);
  const breaking = replies.shown('invalid').filter((shown) => shown === 'breaks').length;
  // Without knowing how often an ignored keyword is broken, no later run could tell a change.
  if (claim === 'ignored' && expected.kind === 'new' && breaking < violationsToLearn) {
    return conformingIn(replies) === 0
      ? repeatedQuestions(question('invalid'), violationsToLearn - breaking)
      : upTo('invalid', repliesToLearn);
  }
  if (claim !== 'unclear') return [];
  const isBroken = replies.of('free').some((outcome) => breaksFreely(outcome, spec));
  const isDecided = trials.kind === 'decided';
  const isLost = !isReturned(replies, spec) && lostIn(replies, spec).length > 0 && chanceOfLoss(replies, spec) < 1;
  const losses = [...upTo('valid', repliesToLose), ...upTo('free', repliesToLose - 1)];
  // Where nothing speaks of a known keyword, something else is wrong in this run.
  const isMute = expected.kind !== 'new' && !isLost && !isReturned(replies, spec) && conformingIn(replies) === 0;
  if (isMute) return [...upTo('valid', usualRounds), ...upTo('invalid', usualRounds)];
  const least = conformingNeeded(replies, spec, demand);
  const looseToLearn = least === withoutRepeating ? least : enoughLoose;
  const looseWanted = isDecided ? rounds : looseToLearn;
  const controls = loosened(spec) === null ? upTo('free', usualRounds) : upTo('loose', looseWanted);
  const validWanted = isLost ? losses : upTo('valid', usualRounds);
  const wanted = Math.max(isBroken ? rounds : Math.max(rounds, roundsToLearn), least === Infinity ? 0 : least);
  const open = [
    ...(isBroken ? [] : controls),
    ...(isReturned(replies, spec) ? [] : validWanted),
    ...upTo('invalid', wanted),
  ];
  if (open.length > 0 || least === Infinity || conformingIn(replies) === 0) return open;
  const isRare = brokenWithout(replies, spec).broken.length > 0 && mayBeChance(replies, spec);
  const mostToLearn = isRare ? defaultTest.max : 2 * wanted;
  const most = isDecided ? trials.max : mostToLearn;
  const further = Math.min(
    Math.max(wanted - conformingIn(replies), isRare ? rounds : 0),
    most - replies.of('invalid').length,
  );
  return [
    ...repeatedQuestions(question('invalid'), Math.max(0, further)),
    ...repeatedQuestions(question('loose'), isRare ? Math.max(0, further) : 0),
  ];
}

/**
 * A refusal that does not blame the schema may be one of those that a service answers with now and then, or concern the
 * form: the same request without the keyword tells.
 */
function toTellRefusals(asked: EnforcedCell, sample: Sample): readonly SampleQuestion[] {
  const { spec, confirm } = asked;
  const replies = repliesIn(sample, spec);
  const demand = demandOf(asked);
  if (demand.known === 'refused' || isSchemaRejected(replies)) return [];
  const { accepted, refused } = withoutKeyword(replies);
  const kind = onlyAccepted(spec) ? 'valid' : 'invalid';
  if (accepted + refused === 0) {
    const usualLoose = confirm ? enoughLoose : roundsOf(asked);
    const loose = loosened(spec) === null ? 0 : usualLoose;
    const missing = confirm
      ? Math.max(0, roundsToLearn - replies.shown('valid', 'invalid').filter((one) => one === 'refusal').length)
      : 0;
    return [...repeatedQuestions(question(kind), missing), ...repeatedQuestions(question('loose'), loose)];
  }
  const isKnownEnough = !confirm || accepted === 0 || accepted + refused > enoughLoose;
  if (isKnownEnough || isOfTheKeyword(replies, demand)) return [];
  return [...repeatedQuestions(question(kind), enoughLoose), ...repeatedQuestions(question('loose'), enoughLoose + 1)];
}

const kindsFor = (spec: EnforceSpec): readonly ('valid' | 'free' | 'invalid')[] =>
  onlyAccepted(spec) ? ['valid'] : ['valid', 'free', 'invalid'];

/**
 * The question whose one reply may prove again that a keyword is ignored or refused; null: it takes more.
 */
function kindThatProves(asked: EnforcedCell): 'valid' | 'invalid' | null {
  if (isKnownAs(asked, 'refused')) return onlyAccepted(asked.spec) ? 'valid' : 'invalid';
  return isKnownAs(asked, 'ignored') && !onlyAccepted(asked.spec) ? 'invalid' : null;
}

const isKnownAs = ({ confirm, expected }: PlannedCell, one: Enforcement): boolean =>
  confirm && expected.kind !== 'new' && knownEnforcement(expected) === one;

/** Nothing could be proved of it when it was accepted, so that whatever is proved later is no news. */
const isKnownUnclear = ({ confirm, trials, expected }: PlannedCell): boolean =>
  confirm && trials.kind === 'count' && expected.kind === 'pass' && expected.trials === 0;

/**
 * Whether more replies like these could prove something: what stood in the way of a proof mostly does so night after
 * night.
 */
function mayProve({ spec }: EnforcedCell, sample: Sample): boolean {
  const replies = repliesIn(sample, spec);
  return isRefused(replies) || (isReturned(replies, spec) && replies.of('free').some((one) => breaksFreely(one, spec)));
}

function isAsKnown(asked: EnforcedCell, sample: Sample): boolean {
  const { expected, spec } = asked;
  if (expected.kind === 'new' || sample.isExhausted()) return sample.isExhausted();
  const finding = findingFrom(sample, spec, demandOf(asked));
  return finding.enforcement === knownEnforcement(expected) && enforcementChange(expected, finding, spec) === null;
}

/**
 * The given number, otherwise at least three; where the verdict must be decided, as many passes in a row as decide it.
 */
function roundsOf(asked: EnforcedCell): number {
  const { trials, confirm, expected, spec } = asked;
  if (trials.kind === 'decided') {
    return Math.max(usualRounds, Math.min(trials.max, passesToReliable(sequentialTestOf(asked))));
  }
  if (!confirm) return Math.max(1, trials.count);
  const isSimple = spec.keyword !== 'composite' && !onlyAccepted(spec);
  const isToLearn = isSimple && (expected.kind === 'new' || cellStateOf(expected).known.total < roundsToLearn);
  return Math.max(isToLearn ? roundsToLearn : usualRounds, trials.count);
}

function demandOf(asked: EnforcedCell): Parameters<typeof findingFrom>[2] {
  const { confirm, expected } = asked;
  return {
    conforming: confirm ? Math.min(roundsOf(asked), roundsToLearn) : 1,
    chanceOfLoss: confirm && !isKnownAs(asked, 'broken') ? acceptableChance : 0.5,
    known: expected.kind === 'new' ? null : knownEnforcement(expected),
    isExact: !confirm,
  };
}

/** Expects one of each kind and then the invalid document again, or the one reply that shows again what is known. */
function enforceCost(planned: PlannedCell): TrialRange {
  const spec = planned.cell.probe.enforce;
  if (spec === null) return plainCost(planned);
  const asked = { ...planned, spec };
  const kinds = kindsFor(spec).length;
  const rounds = roundsOf(asked);
  if (!planned.confirm) return { expected: kinds * rounds, largest: (kinds + 1) * rounds };
  const most = Math.max(defaultTest.max, plainCost(planned).largest);
  const isShort = isKnownAs(asked, 'broken') || isKnownUnclear(planned);
  const usual = isShort ? kinds : kinds + rounds - 1;
  const expected = kindThatProves(asked) === null ? usual : 1;
  return { expected, largest: 2 * most + 2 * repliesToLose };
}

export const enforceMethod = { ask: measureEnforcement, cost: enforceCost };

/** The claim of a baseline about a keyword. A flaky entry is one of a keyword that some replies broke. */
function knownEnforcement(expected: ExpectedEnforcement): Exclude<Enforcement, 'unclear'> {
  if (expected.kind === 'pass') return 'enforced';
  const { class: failure, verdict, status } = expected.entry;
  if (failure === 'not_enforced' || verdict === 'flaky') return 'ignored';
  return failure === 'http_error' && (status === null || status < 500) ? 'refused' : 'broken';
}

/** A difference from what the baseline knows, and which answers tell whether it is real. */
interface EnforcementChange {
  readonly suspicion: 'regression' | 'improvement' | 'changed';
  readonly kind: 'valid' | 'invalid';
  /** The sign of one answer: as the baseline knows it, otherwise, or (null) neither. */
  readonly sign: (outcome: Outcome) => 'as_known' | 'other' | null;
}

/** null: it is as the baseline knows it, or nothing is proven. */
function enforcementChange(
  expected: ExpectedEnforcement,
  { enforcement, verdict, ...finding }: Finding,
  spec: EnforceSpec,
): EnforcementChange | null {
  const from = knownEnforcement(expected);
  // A keyword without a constraint is as good as enforced where it is accepted.
  const to = onlyAccepted(spec) && verdict === 'pass' ? 'enforced' : (enforcement ?? 'unclear');
  if (to === 'unclear') return null;
  const isOfValid = onlyAccepted(spec) || (to !== 'ignored' && [from, to].includes('broken'));
  const kind = isOfValid ? 'valid' : 'invalid';
  if (from !== to) {
    return {
      suspicion: suspicionOf(from, to),
      kind,
      sign: (outcome) => changeSignOf(outcome, { from, to, kind }, spec),
    };
  }
  if (expected.kind === 'pass' || from === 'ignored' || failsAsKnown(expected.entry, finding)) return null;
  const { entry } = expected;
  const sign: EnforcementChange['sign'] = (outcome) => {
    if (outcome.passed) return entry.class === 'rule_violation' ? 'as_known' : null;
    return failsAsKnown(entry, outcome) ? 'as_known' : 'other';
  };
  return { suspicion: 'changed', kind, sign };
}

function suspicionOf(from: Enforcement, to: Enforcement): EnforcementChange['suspicion'] {
  if (from === 'enforced') return 'regression';
  return to === 'enforced' ? 'improvement' : 'changed';
}

function changeSignOf(
  outcome: Outcome,
  {
    from,
    to,
    kind,
  }: { readonly from: Enforcement; readonly to: Enforcement; readonly kind: EnforcementChange['kind'] },
  spec: EnforceSpec,
): ReturnType<EnforcementChange['sign']> {
  const shown = replyUnderSchema(outcome, spec);
  if (from === 'refused' || to === 'refused' || onlyAccepted(spec)) {
    const isRefusal = shown === 'refusal' || (shown === 'error' && from !== 'refused');
    if (!isRefusal && !isSchemaAccepted(outcome) && shown !== 'error') return null;
    return isRefusal === (from === 'refused') ? 'as_known' : 'other';
  }
  if (shown === 'nothing' || shown === 'wrapped' || shown === 'refusal') return null;
  if (from === 'ignored' || to === 'ignored') {
    return (shown === 'breaks') === (from === 'ignored') ? 'as_known' : 'other';
  }
  const isBack = kind === 'valid' && isRepeated(outcome, spec);
  return isBack === (from === 'enforced') ? 'as_known' : 'other';
}

/**
 * Settles a change: the question that showed it is asked again. A reply that keeps to an ignored keyword is no news,
 * nor is a failure unlike the known one, as long as one reply shows what is known; an enforced keyword is one that
 * passes.
 */
function* settleChange(
  asked: EnforcedCell,
  expected: ExpectedEnforcement,
  { sample, conclude }: { readonly sample: Sample; readonly conclude: () => Finding },
  bound: number,
): Asking<Finding> {
  const finding = conclude();
  const change = enforcementChange(expected, finding, asked.spec);
  const state = cellStateOf(expected);
  const from = knownEnforcement(expected);
  const usual = Object.keys(state.known.ways ?? {})[0] ?? wayAsKnown;
  if (change === null) {
    // Replies as they were known end an earlier doubt; if they say nothing, it stays.
    const isKnown = finding.enforcement === from;
    const known = joined([state.known, asCounted(finding.trials, from, usual)]);
    const isOver = isKnown && state.unreliable !== true;
    const { law } = quietly(isOver ? { known, doubt: [] } : state, bound);
    return { ...finding, law };
  }
  const { suspicion, kind, sign } = change;
  const signed = (outcome: Outcome) => {
    const said = sign(outcome);
    if (said === null) return null;
    if (from === 'enforced') return said === 'as_known' ? ('passed' as const) : { way: wayOf(outcome) };
    return { way: said === 'as_known' ? usual : otherThanKnown };
  };
  const doubted = {
    expectation: from === 'enforced' ? trialExpectation(expected) : ('fail' as const),
    state,
    question: question(kind),
    sign: ({ ask, outcome }: RecordedTrial) => (ask.kind === kind ? signed(outcome) : null),
  };
  const settled = yield* settleKnown(asked, { sample, conclude }, doubted, bound);
  const { law } = settled;
  return law === null || law.suspicion === null ? settled : { ...settled, law: { ...law, suspicion } };
}

/** A reply under a schema shows more than its outcome: these replies stand for the known behaviour of the keyword. */
const wayAsKnown = 'as_known';
const otherThanKnown = 'other_than_known';

const asCounted = ({ passed, total }: Count, from: Enforcement, way: string): TrialCounts =>
  from === 'enforced' || passed === total ? { passed, total } : { passed, total, ways: { [way]: total - passed } };
