import { isObject } from '../../json/json.js';
import { sumOf } from '../../stats/count.js';
import type { Ticket } from '../../plan/ticket.js';
import { selects } from '../behaviours/selects.js';
import { failureCaveats } from '../failed-requests-text.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { sentAgainCaveats } from '../sent-again.js';
import { sharedCaveats } from '../shared-failures-text.js';
import type { FailedRequests } from '../failed-requests.js';
import type { ReportCell, ReportQuirk } from '../report-format.js';
import { opportunityForms } from '../../judge/wire/opportunity-forms.js';
import { wireGroups, type WireForm } from '../../judge/wire/wire-form.js';
import { factsOf } from '../../chat/quirks.js';
import type { DeclaredCaveat, EnforceSpec, FormEvidence } from '../../suite/probe.js';
import type { UsableForm } from './assess-form.js';
import { covers, isClean, labelIn } from './choice.js';
import { sentBy, trialsIn, type Evidence } from './evidence.js';
import { isToldClass } from './evidence-for-form.js';

export interface CaveatsInput {
  readonly usable: UsableForm;
  /** The quirks of the model. */
  readonly wire: readonly ReportQuirk[];
  /** Requests to the model that got no usable answer; undefined: none. */
  readonly failed: FailedRequests | undefined;
  /** Answers of the model that repeat an earlier one; undefined: none. */
  /** The shared failures of the model that requests of this form meet. */
  readonly met: readonly SharedFailure[];
  /** What suites declare about this form. */
  readonly declared: readonly FormEvidence[];
  /** Of the model. */
  readonly cells: readonly ReportCell[];
  /** The tickets that ask how a schema is enforced, by key of their cells. */
  readonly enforced: ReadonlyMap<string, Ticket>;
}

/** What a client must know or do beside the settings, the gravest first. */
export function caveatsOf(input: CaveatsInput): string[] {
  const { usable, declared } = input;
  return [
    ...sharedCaveats(input.met),
    ...flakiness(usable),
    ...restrictions(usable),
    ...declared.flatMap(({ caveats = [] }) => caveats.flatMap((one) => toldOf(one, input))),
    ...declared.flatMap(({ channel }) => (channel === undefined ? [] : enforcement(channel, input))),
    ...sentAgainCaveats(cellsOf(usable).map(({ trials }) => trials)),
    ...failureCaveats(input.failed, streaming(usable)),
    ...fewness(usable),
    ...oddities(input),
  ];
}

function flakiness(usable: UsableForm): string[] {
  if (usable.reliability !== 'flaky') return [];
  const { passed, total } = trialsIn(usable.sent);
  return [`flaky, ${passed} of ${total} trials passed: validate, and retry up to 3 times`];
}

/** Each once: a search for the least cap is several pieces of evidence. */
function cellsOf(usable: UsableForm): Evidence['cell'][] {
  return [...new Map(usable.sent.map(({ cell }) => [cell.key, cell])).values()];
}

/** null: a client may stream or not. */
function streaming({ found: { choice } }: UsableForm): boolean | null {
  const stream = labelIn(choice, 'stream') ?? null;
  return stream === null ? null : stream === 'true';
}

/** What no setting can say. */
function restrictions({ found: { choice }, judged, cap }: UsableForm): string[] {
  const works = (isWith: (one: Evidence) => boolean): boolean =>
    judged.some((one) => isWith(one) && one.trials.passed > 0);
  return choice.flatMap((one): string[] => {
    if (one.kind === 'no_cap')
      return [
        works((own) => own.cap !== null)
          ? 'known without max_tokens only: leave it out'
          : 'max_tokens does not work: leave it out',
      ];
    if (one.kind === 'cap')
      return one.below === Infinity ? [] : [`known with max_tokens up to ${cap ?? 0} only: send no more than is set`];
    const { name, label } = one;
    if (name === 'tools') return ['known with a single tool only: send only the one that is meant, and check its name'];
    if (name === 'strict') return ['known without strict only: validate'];
    if (label !== null || isSetting.has(name)) return [];
    return [
      works((own) => own.labels[name] !== undefined)
        ? `known without ${name} only: leave it out`
        : `${name} does not work: leave it out`,
    ];
  });
}

/** Settings of a model are left at their default anyway, unless a recommendation names them. */
const isSetting: ReadonlySet<string> = new Set(['thinking', 'reasoning_effort']);

/** What a caveat of a suite tells: cells that fail in one of its ways, which the form does not do otherwise. */
function toldOf({ of, say, class: classes }: DeclaredCaveat, { cells, usable }: CaveatsInput): string[] {
  const isOf = selects(of);
  const own = new Set(cells.filter(isOf).map(({ key }) => key));
  const known = new Set(
    usable.judged.flatMap((one) => (isClean(one) || own.has(one.cell.key) ? [] : [one.cell.class])),
  );
  const falters = cells.filter(
    (cell) =>
      (cell.verdict === 'fail' || cell.verdict === 'flaky') &&
      cell.flaky_needs?.explain !== true &&
      isOf(cell) &&
      isToldClass(classes, cell.class) &&
      !known.has(cell.class),
  );
  if (falters.length === 0) return [];
  const { passed, total } = sumOf(falters.map(({ trials }) => trials));
  const how = falters.some(({ verdict }) => verdict === 'flaky') ? 'flaky' : 'fails';
  return [`${say.replace('{{how}}', how)} (${passed} of ${total} trials passed)`];
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
  const streams = labelIn(found.choice, 'stream') === 'true';
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

const isBesideTheAnswer = /^(usage|reasoning)_/;

function fewness(usable: UsableForm): string[] {
  return fewCaveats(trialsIn(usable.sent).total);
}

/** Fewer trials than this prove little. */
const fewTrials = 3;

export function fewCaveats(total: number): string[] {
  return total >= fewTrials ? [] : [`known from ${total === 1 ? 'a single trial' : `${total} trials`} only`];
}
