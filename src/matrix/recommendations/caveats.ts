import { isObject } from '../../json/json.js';
import { sumOf } from '../../stats/count.js';
import { probabilityOfFewer } from '../../stats/exact-test.js';
import { unlikely } from '../../stats/unlikely.js';
import type { Ticket } from '../../plan/ticket.js';
import { selects } from '../behaviours/selects.js';
import { failureCaveats } from '../failed-requests-text.js';
import { repeatedCaveats } from '../repeated-answers-text.js';
import type { RepeatedAnswers } from '../repeated-answers.js';
import type { SharedReach } from '../shared-failures-reach.js';
import { sentAgainCaveats } from '../sent-again.js';
import { sharedCaveats } from '../shared-failures-text.js';
import type { FailedRequests } from '../failed-requests.js';
import type { ReportCell, ReportQuirk } from '../report-format.js';
import { opportunityForms } from '../../judge/wire/opportunity-forms.js';
import { wireGroups, type WireForm } from '../../judge/wire/wire-form.js';
import { factsOf } from '../../chat/quirks.js';
import type { DeclaredCaveat, EnforceSpec, FormEvidence } from '../../suite/probe.js';
import { fewTrials, judgedAsSent, type UsableForm } from './assess-form.js';
import { kindNamed, sentBy, trialsIn, type Evidence } from './evidence.js';
import { alikeFailures, isSentLike } from './alike-failures.js';
import { type EvidenceByCell, isToldClass } from './evidence-for-form.js';
import { restrictions } from './restrictions.js';
import { withoutFailure } from './standards.js';
import { covers } from './choice.js';

export interface CaveatsInput {
  readonly usable: UsableForm;
  /** The quirks of the model. */
  readonly wire: readonly ReportQuirk[];
  /** Requests to the model that got no usable answer; undefined: none. */
  readonly failed: FailedRequests | undefined;
  /** Answers of the model that repeat an earlier one; undefined: none. */
  readonly repeated: RepeatedAnswers | undefined;
  /** The shared failures of the model that requests of this form meet. */
  readonly met: readonly SharedReach[];
  /** What suites declare about this form. */
  readonly declared: readonly FormEvidence[];
  /** Of the model. */
  readonly cells: readonly ReportCell[];
  /** What was judged of the model, without what fails for a reason of its own. */
  readonly others: readonly Evidence[];
  readonly evidenceByCell: EvidenceByCell;
  /** The tickets that ask how a schema is enforced, by key of their cells. */
  readonly enforced: ReadonlyMap<string, Ticket>;
}

/** What a client must know or do beside the settings, the gravest first. */
export function caveatsOf(input: CaveatsInput): string[] {
  const { usable, declared, others } = input;
  return [
    ...sharedCaveats(input.met),
    ...flakiness(usable),
    ...restrictions(usable),
    ...alikeFailures(usable, others),
    ...declared.flatMap(({ caveats = [] }) => caveats.flatMap((one) => toldOf(one, input))),
    ...declared.flatMap(({ channel }) => (channel === undefined ? [] : enforcement(channel, input))),
    ...sentAgainCaveats(cellsOf(usable).map(({ trials }) => trials)),
    ...repeatedCaveats(input.repeated),
    ...failureCaveats(input.failed, streaming(usable)),
    ...fewness(usable),
    ...oddities(input),
  ];
}

function flakiness(usable: UsableForm): string[] {
  if (usable.reliability !== 'flaky') return [];
  const { passed, total } = trialsIn(judgedAsSent(usable));
  return [`flaky, ${passed} of ${total} trials passed: validate, and retry up to 3 times`];
}

/** Each once: a search for the least cap is several pieces of evidence. */
function cellsOf(usable: UsableForm): Evidence['cell'][] {
  return [...new Map(judgedAsSent(usable).map(({ cell }) => [cell.key, cell])).values()];
}

/** null: a client may stream or not. */
function streaming({ found: { choice } }: UsableForm): boolean | null {
  const { stream = null } = choice.labels;
  return stream === null ? null : stream === 'true';
}

/** What a caveat of a suite tells: cells that fail in one of its ways, more often than the form does without what they ask. */
function toldOf({ of, say, class: classes }: DeclaredCaveat, input: CaveatsInput): string[] {
  const isOf = selects(of);
  const falters = input.cells.filter(
    (cell) =>
      (cell.verdict === 'fail' || cell.verdict === 'flaky') &&
      cell.flaky_needs?.explain !== true &&
      isOf(cell) &&
      isToldClass(classes, cell.class) &&
      isPeculiar(cell, input),
  );
  if (falters.length === 0) return [];
  const { passed, total } = sumOf(falters.map(({ trials }) => trials));
  const how = falters.some(({ verdict }) => verdict === 'flaky') ? 'flaky' : 'fails';
  return [`${say.replace('{{how}}', how)} (${passed} of ${total} trials passed)`];
}

/**
 * Neither requests of the same kind nor others that could fail in the same way do so, or they do more seldom. Each by
 * itself, since one that never fails would hide the other.
 */
function isPeculiar(cell: ReportCell, { usable, others, evidenceByCell }: CaveatsInput): boolean {
  const own = evidenceByCell(cell);
  const ofForm = new Set(usable.judged.map((one) => one.cell.key));
  const isComparable = (one: Evidence): boolean =>
    one.cell.key !== cell.key && !one.isSearched && isSentLike(own, one) && one.shape !== null;
  const elsewhere = others.filter(
    ({ cell: { key }, shape }) => !ofForm.has(key) && shape !== null && kindNamed(shape) !== 'plain text',
  );
  return [usable.judged, elsewhere].every((group) => isRarer(group.filter(isComparable), cell, own));
}

function isRarer(group: readonly Evidence[], { class: kind, reason }: ReportCell, own: readonly Evidence[]): boolean {
  const alike = group.filter(
    (one) => !withoutFailure.isGood(one) && one.cell.class === kind && one.cell.reason === reason,
  );
  if (alike.length === 0) return true;
  const compared = trialsIn([...alike, ...group.filter(withoutFailure.isGood)]);
  return probabilityOfFewer(trialsIn(own), compared) < unlikely;
}

/** What is known about the enforcement of schemas where this form puts them. */
function enforcement(channel: string, { cells, enforced, usable }: CaveatsInput): string[] {
  const asked = cells.flatMap((cell): Enforced[] => {
    const ticket = enforced.get(cell.key);
    const spec = ticket?.cell.probe.enforce ?? null;
    if (ticket === undefined || spec === null || cell.point['channel'] !== channel) return [];
    return [{ cell, spec, isLikeClient: covers(usable.found.choice, sentBy(ticket)) }];
  });
  const single = asked.filter(({ spec }) => spec.keyword !== compositeKeyword);
  const refused = asked.filter(({ cell, isLikeClient }) => isLikeClient && isAboutSchema(cell.reason));
  const broken = asked.filter(({ isLikeClient }) => isLikeClient);
  return [
    ...(single.length > 0 ? ignoredKeywords(single) : ignoredMembers(asked)),
    ...keywords('refused', refused).map((names) => `keywords refused: ${names}: leave them out of the schema`),
    ...keywords('broken', broken).map(
      (names) => `valid documents do not come back with ${names}: try your schema before you rely on it`,
    ),
  ];
}

interface Enforced {
  readonly cell: ReportCell;
  readonly spec: EnforceSpec;
  /** It was asked as the recommendation says that a client should ask. */
  readonly isLikeClient: boolean;
}

/** Of a document that breaks a keyword in each of its members. */
const compositeKeyword = 'composite';
const ignoredSchema = 'schema ignored: validate';

/** A refusal for another reason says nothing about keywords. */
function isAboutSchema(reason: ReportCell['reason']): boolean {
  return reason === 'schema_rejected' || reason === 'parameter_rejected' || reason === 'unknown';
}

function ignoredKeywords(single: readonly Enforced[]): string[] {
  const tested = single.filter(({ cell }) => cell.enforcement === 'ignored' || cell.enforcement === 'enforced');
  if (tested.length > 0 && tested.every(({ cell }) => cell.enforcement === 'ignored')) return [ignoredSchema];
  return keywords('ignored', single).map((names) => `keywords ignored: ${names}: validate`);
}

/** The members that came back broken tell how much of the schema is ignored. */
function ignoredMembers(composites: readonly Enforced[]): string[] {
  return composites
    .filter(({ cell }) => cell.enforcement === 'ignored')
    .map(({ cell, spec }) => {
      const members = isObject(spec.invalid) ? Object.keys(spec.invalid) : [];
      const isWhole = members.every((name) => cell.detail?.includes(`/${name}`) ?? false);
      return isWhole ? ignoredSchema : 'schema enforced only in part: validate';
    });
}

/** The names of the keywords, listed; none where there are none. */
function keywords(how: ReportCell['enforcement'], asked: readonly Enforced[]): string[] {
  const names = new Set(asked.flatMap(({ cell, spec }) => (cell.enforcement === how ? [spec.keyword] : [])));
  const listed = [...names].map((name) => (name === compositeKeyword ? 'a schema of many keywords' : name));
  return listed.length === 0 ? [] : [listed.join(', ')];
}

/** Quirks in the very answers that the client will get, and what they break. */
function oddities({ usable: { form, found }, wire }: CaveatsInput): string[] {
  const streams = found.choice.labels['stream'] === 'true';
  const alike = found.holding.filter(({ labels }) => (labels['stream'] === 'true') === streams);
  const answers = form.capability.includes('tool') ? 'call' : 'text';
  return quirkCaveats(wire, {
    keys: new Set(alike.map(({ cell }) => cell.key)),
    forms: [`${streams ? 'streamed' : 'plain'}_${answers}`],
  });
}

/** The answers that a client will get. */
interface ExpectedAnswers {
  /** Cells whose answers are such. */
  readonly keys: ReadonlySet<string>;
  readonly forms: readonly WireForm[];
}

/** Quirks that are the rule for such answers, or that showed in some of them; a quirk of calls is none of answers in text. */
export function quirkCaveats(wire: readonly ReportQuirk[], { keys, forms }: ExpectedAnswers): string[] {
  const isExpected = (form: WireForm): boolean => forms.includes(form);
  const couldShow = (quirk: string): boolean => {
    const facts = factsOf(quirk);
    return facts === undefined || opportunityForms[facts.shows].some(isExpected);
  };
  const concerns = ({ only, cells }: ReportQuirk): boolean =>
    only === null || !(only in wireGroups) ? cells.some((key) => keys.has(key)) : wireGroups[only].some(isExpected);
  return wire
    .filter((one) => one.standing !== 'gone' && !isBesideTheAnswer.test(one.quirk))
    .filter((one) => couldShow(one.quirk) && concerns(one))
    .flatMap(({ quirk, breaks }) => breaks.map((what) => `${quirk}: ${what}`));
}

/** A last chunk without choices is where the usage of a stream belongs, so every ordinary client knows it. */
const isBesideTheAnswer = /^(usage|reasoning)_|^empty_choices_chunk$/;

function fewness(usable: UsableForm): string[] {
  return fewCaveats(trialsIn(judgedAsSent(usable)).total);
}

/** Fewer than three trials prove little. */
export function fewCaveats(total: number): string[] {
  return total >= fewTrials ? [] : [`known from ${total === 1 ? 'a single trial' : `${total} trials`} only`];
}
