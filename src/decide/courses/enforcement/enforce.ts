import { stateOf } from '../../../baseline/knowledge.js';
import type { Ticket } from '../../../plan/ticket.js';
import { loosened } from '../../../plan/request/loosened.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { passesToReliable } from '../../../stats/sequential-test.js';
import type { Finding, RecordedTrial, TrialRange } from '../../course.js';
import { compareWithKnown, type RunSoFar, settleNew } from '../compare-with-known.js';
import { sampleFixedSize } from '../fixed.js';
import { openSample, repeated, type Asking, type Question, type Sample, type SampledCell } from '../sample.js';
import { sequentialCost, testOf } from '../sequential.js';
import { outcomesOf, usableOutcomes } from './asked-outcomes.js';
import { acceptableChance, enoughLoose, placesBroken } from './chance-test.js';
import { concludeEnforce } from './conclude-enforce.js';
import { confirmMap } from './confirm-map.js';
import { knownEnforcement, mapChange } from './map-change.js';
import {
  chanceOfLoss,
  conformingIn,
  enforcementOf,
  isReturned,
  lostIn,
  onlyAccepted,
  type Demand,
} from './enforcement.js';
import {
  blamesTheSchema,
  isOfTheKeyword,
  isRefusedThroughout,
  refusalsOf,
  withoutKeyword,
  type RefusalProof,
} from './refusals.js';
import { isAccepted, isRepeated, replyUnderSchema } from './reply-under-schema.js';
import { unconstrainedIn } from './unconstrained-reply.js';

const question = (kind: Question['kind']): Question => ({ kind, patch: {} });

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

/** How a service treats a keyword, and whether that differs from what the baseline knows. */
export function* measureEnforcement(ticket: Ticket, run: RunSoFar): Asking<Finding> {
  const spec = ticket.cell.probe.enforce;
  if (spec === null) return yield* compareWithKnown(ticket, yield* sampleFixedSize(ticket), run);
  return yield* concludedFrom(yield* sampleEnforcement(ticket, spec), ticket, spec, run);
}

/** What recorded trials say, whatever today's course would have asked. */
export function* enforcementFrom(ticket: Ticket, run: RunSoFar, recorded: readonly RecordedTrial[]): Asking<Finding> {
  const spec = ticket.cell.probe.enforce;
  if (spec === null) return yield* measureEnforcement(ticket, run);
  return yield* concludedFrom(openSample(recorded), ticket, spec, run);
}

function* concludedFrom(sample: Sample, ticket: Ticket, spec: EnforceSpec, run: RunSoFar): Asking<Finding> {
  const conclude = () => concludeEnforce(sample, spec, demandOf(ticket));
  const { expected, confirm } = ticket;
  if (expected.kind !== 'new') return yield* confirmMap({ ...ticket, expected }, spec, { sample, conclude }, run);
  if (!confirm) return conclude();
  // A violation is proof, whatever a fresh sample would show.
  if (conclude().enforcement === 'ignored') return conclude();
  return yield* settleNew(ticket, asNewCell(sample, spec, conclude));
}

/** A service that refuses a schema, or spoils what it allows, must do so again before it is said of a new cell. */
function asNewCell(sample: Sample, spec: EnforceSpec, conclude: () => Finding): SampledCell {
  const isBroken = conclude().enforcement === 'broken';
  const kind = isBroken || onlyAccepted(spec) ? 'valid' : 'invalid';
  return {
    sample,
    conclude,
    question: question(kind),
    isGood: isBroken && !onlyAccepted(spec) ? (outcome) => isRepeated(outcome, spec) : isAccepted,
    isSameQuestion: (ask) => ask.kind === kind,
  };
}

/**
 * Asks once each for the valid document under the schema, the invalid one without it, and the invalid one under it; a
 * keyword that is known to be ignored or refused is asked for that first, since one reply may prove it again. A
 * single document that breaks the keyword proves that it is ignored. One that conforms proves nothing, so the invalid
 * document is then asked for again, and also without the schema until the model has broken the keyword there. A model
 * that never breaks the keyword itself without the schema is asked under a schema that lacks the keyword instead.
 */
function* sampleEnforcement(ticket: Ticket, spec: EnforceSpec): Asking<Sample> {
  const demand = demandOf(ticket);
  const sample = openSample();
  const first = ticket.confirm ? 1 : roundsOf(ticket);
  const proof = kindThatProves(ticket, spec);
  if (proof !== null) {
    yield* sample.take([question(proof)]);
    if (sample.isExhausted() || isAsKnown(ticket, spec, sample)) return sample;
  }
  const kinds = kindsFor(spec).filter((kind) => kind !== proof);
  yield* sample.take(kinds.flatMap((kind) => repeated(question(kind), first)));
  if (isKnownBroken(ticket) && isAsKnown(ticket, spec, sample)) return sample;
  if (isKnownUnclear(ticket) && !mayProve(sample, spec)) return sample;
  const steps = ticket.confirm ? stepsToProof : [toTellRefusals];
  for (const next of steps) {
    const further = sample.isExhausted() ? [] : next(sample, spec, ticket);
    if (further.length > 0) yield* sample.take(further);
  }
  const most = ticket.trials.kind === 'decided' ? ticket.trials.max : 0;
  const rounds = roundsOf(ticket);
  for (let asked = rounds; asked < most && !sample.isExhausted() && canStillBeDecided(sample, spec, demand);) {
    const count = Math.min(rounds, most - asked);
    yield* sample.take([...repeated(question('invalid'), count), ...repeated(question('loose'), count)]);
    asked += rounds;
  }
  return sample;
}

/** The valid document is known to be lost, so that one reply which lacks it, and one that came without the schema, show it. */
function isKnownBroken({ confirm, expected }: Ticket): boolean {
  return confirm && expected.kind !== 'new' && knownEnforcement(expected) === 'broken';
}

/** Nothing could be proved of it when it was accepted, so that whatever is proved later is no news. */
function isKnownUnclear({ confirm, trials, expected }: Ticket): boolean {
  return confirm && trials.kind === 'count' && expected.kind === 'pass' && expected.trials === 0;
}

/** Whether more replies like these could prove something: what stood in the way of a proof mostly does so night after night. */
function mayProve(sample: Sample, spec: EnforceSpec): boolean {
  if (isRefusedThroughout(sample, spec)) return true;
  return isReturned(sample, spec) && unconstrainedIn(sample, spec) === 'keyword';
}

/** What one reply may prove again of a keyword that the baseline knows to be ignored or refused; null: it takes more. */
function kindThatProves({ confirm, expected }: Ticket, spec: EnforceSpec): 'valid' | 'invalid' | null {
  if (!confirm || expected.kind === 'new') return null;
  const known = knownEnforcement(expected);
  if (known === 'refused') return onlyAccepted(spec) ? 'valid' : 'invalid';
  return known === 'ignored' && !onlyAccepted(spec) ? 'invalid' : null;
}

function isAsKnown(ticket: Ticket, spec: EnforceSpec, sample: Sample): boolean {
  const { expected } = ticket;
  if (expected.kind === 'new') return false;
  const finding = concludeEnforce(sample, spec, demandOf(ticket));
  return finding.enforcement === knownEnforcement(expected) && mapChange(expected, finding, spec) === null;
}

type Step = (sample: Sample, spec: EnforceSpec, ticket: Ticket) => readonly Question[];

const stepsToProof: readonly Step[] = [
  ...[toTellRefusals, toTellRefusals, furtherAsks],
  ...[toMakeUp, toMakeUp, toShowLoss, toShowLoss, toLearnRate, toLearnRate],
];

/**
 * A refusal that does not blame the schema may be one of those that a service answers with now and then, or concern the
 * form: the same request without the keyword tells.
 */
function toTellRefusals(sample: Sample, spec: EnforceSpec, ticket: Ticket): readonly Question[] {
  const { refusals } = demandOf(ticket);
  if (!isRefusedThroughout(sample, spec) || refusals.by === 'none' || blamesTheSchema(sample)) return [];
  const { accepted, total } = withoutKeyword(sample, spec);
  const kind = onlyAccepted(spec) ? 'valid' : 'invalid';
  const loose = loosened(spec) === null ? 0 : ticket.confirm ? enoughLoose : roundsOf(ticket);
  if (total === 0) {
    const missing = ticket.confirm ? Math.max(0, roundsToLearn - refusalsOf(sample, spec)) : 0;
    return [...repeated(question(kind), missing), ...repeated(question('loose'), loose)];
  }
  if (!ticket.confirm || accepted === 0 || isOfTheKeyword(sample, spec, refusals)) return [];
  return [...repeated(question(kind), enoughLoose), ...repeated(question('loose'), enoughLoose + 1)];
}

/** What else to ask after one reply of each kind. */
function furtherAsks(sample: Sample, spec: EnforceSpec, ticket: Ticket): readonly Question[] {
  const demand = demandOf(ticket);
  const count = roundsOf(ticket) - 1;
  if (onlyAccepted(spec)) return repeated(question('valid'), count);
  if (isRefusedThroughout(sample, spec) || enforcementOf(sample, spec, demand) === 'ignored') return [];
  const unconstrained = unconstrainedIn(sample, spec);
  // A model that breaks the schema elsewhere shows nothing about the keyword, however often it is asked without one.
  const freer = unconstrained === 'schema' && loosened(spec) !== null ? 'loose' : 'free';
  const others = ticket.trials.kind === 'decided' ? count : freer === 'loose' ? enoughLoose : usualRounds - 1;
  return [
    ...repeated(question('invalid'), freer === 'loose' ? Math.max(count, roundsToLearn - 1) : count),
    ...repeated(question(freer), unconstrained === 'keyword' ? 0 : others),
    ...repeated(question('valid'), isReturned(sample, spec) ? 0 : usualRounds - 1),
  ];
}

/** Asks again for as many replies as were cut or came as a text, unless none speaks of the keyword. */
function toMakeUp(sample: Sample, spec: EnforceSpec, ticket: Ticket): readonly Question[] {
  const soFar = enforcementOf(sample, spec, demandOf(ticket));
  const conforming = conformingIn(sample, spec);
  if (onlyAccepted(spec) || soFar !== 'unclear' || conforming === 0 || !isReturned(sample, spec)) return [];
  const wanted = unconstrainedIn(sample, spec) === 'schema' ? roundsToLearn : 0;
  return repeated(question('invalid'), Math.max(0, Math.max(wanted, demandOf(ticket).conforming) - conforming));
}

/** The valid document has not come back: as many replies with and without the schema as can tell whether that is chance. */
function toShowLoss(sample: Sample, spec: EnforceSpec, ticket: Ticket): readonly Question[] {
  if (enforcementOf(sample, spec, demandOf(ticket)) !== 'unclear' || onlyAccepted(spec)) return [];
  if (isReturned(sample, spec)) return [];
  const lost = lostIn(sample, spec).length;
  // If chance would be as likely had it been given each time, more replies can still tell.
  if (lost === 0 || chanceOfLoss(sample, spec) === 1) return [];
  const free = usableOutcomes(sample, 'free', spec).length;
  return [
    ...repeated(question('valid'), Math.max(0, repliesToLose - lost)),
    ...repeated(question('free'), Math.max(0, repliesToLose - 1 - free)),
  ];
}

/** How often a keyword is broken that the baseline does not know yet: without that, no later run could tell a change. */
function toLearnRate(sample: Sample, spec: EnforceSpec, ticket: Ticket): readonly Question[] {
  if (ticket.expected.kind !== 'new' || enforcementOf(sample, spec, demandOf(ticket)) !== 'ignored') return [];
  const replies = outcomesOf(sample, 'invalid').map((outcome) => replyUnderSchema(outcome, spec));
  const breaking = replies.filter((shown) => shown === 'breaks').length;
  const telling = replies.filter((shown) => shown === 'keeps').length + breaking;
  if (breaking >= violationsToLearn) return [];
  const least = violationsToLearn - breaking;
  return repeated(question('invalid'), Math.max(0, telling <= 1 ? least : repliesToLearn - telling));
}

/** The model does break the keyword when the schema allows it, but so far too rarely to rule out chance. */
function canStillBeDecided(sample: Sample, spec: EnforceSpec, demand: Demand): boolean {
  const breaks = usableOutcomes(sample, 'loose', spec).some((outcome) => placesBroken(outcome, spec).length > 0);
  return breaks && isReturned(sample, spec) && enforcementOf(sample, spec, demand) === 'unclear';
}

/** The given number, otherwise at least three; where the verdict must be decided, as many passes in a row as decide it. */
export function roundsOf(ticket: Ticket): number {
  const { trials, confirm } = ticket;
  if (trials.kind === 'decided') return Math.max(usualRounds, Math.min(trials.max, passesToReliable(testOf(ticket))));
  if (!confirm) return Math.max(1, trials.count);
  return Math.max(isToLearn(ticket) ? roundsToLearn : usualRounds, trials.count);
}

function isToLearn({ cell, expected }: Ticket): boolean {
  const { enforce } = cell.probe;
  if (enforce === null || enforce.keyword === 'composite' || onlyAccepted(enforce)) return false;
  return expected.kind === 'new' || stateOf(expected).known.total < roundsToLearn;
}

/** With an exact number of trials, no more is asked of the proof than they can give. */
function demandOf(ticket: Ticket): Demand {
  const usualChance = ticket.confirm ? acceptableChance : 0.5;
  const chance = isKnownBroken(ticket) ? 0.5 : usualChance;
  const refusals = { by: refusalProof(ticket), chance: usualChance };
  if (!ticket.confirm) return { conforming: 1, chance, refusals };
  return { conforming: Math.min(roundsOf(ticket), roundsToLearn), chance, refusals };
}

function refusalProof({ expected }: Ticket): RefusalProof['by'] {
  if (expected.kind === 'new') return 'blame';
  return knownEnforcement(expected) === 'refused' ? 'none' : 'contrast';
}

/** Expects one of each kind and then the invalid document again, or the one reply that shows again what is known. */
export function enforceCost(ticket: Ticket): TrialRange {
  const spec = ticket.cell.probe.enforce;
  const each = sequentialCost(ticket);
  if (spec === null) return each;
  const kinds = kindsFor(spec).length;
  const rounds = Math.max(roundsOf(ticket), each.expected);
  const most = Math.max(rounds, roundsToLearn, each.largest);
  if (!ticket.confirm) {
    return { expected: kinds * rounds, largest: (kinds + 1) * rounds, likely: [kinds * rounds, (kinds + 1) * rounds] };
  }
  const toTell = roundsToLearn + 3 * enoughLoose + 1;
  const largest = kinds * most + 2 * most + 4 * repliesToLose + 2 * repliesToLearn + toTell;
  const isShort = isKnownBroken(ticket) || isKnownUnclear(ticket);
  const usual = kindThatProves(ticket, spec) !== null ? 1 : isShort ? kinds : kinds + rounds - 1;
  if (ticket.expected.kind !== 'new') return { expected: usual, largest, likely: [usual, usual] };
  // Violations are proof at once; a model that gives no document is asked until that is no chance.
  return { expected: usual, largest, likely: [Math.min(usual, kinds + violationsToLearn - 1), usual + repliesToLose] };
}

function kindsFor(spec: EnforceSpec): readonly ('valid' | 'free' | 'invalid')[] {
  return onlyAccepted(spec) ? ['valid'] : ['valid', 'free', 'invalid'];
}
