import { isObject } from '../../json/json.js';
import { sumOf } from '../../stats/count.js';
import type { PlannedCell } from '../../plan/plan.js';
import { selects } from '../behaviours/behaviours.js';
import type { SharedFailure } from '../../decide/course.js';
import type { Caveat } from '../notes.js';
import type { ReportCell, ReportQuirk } from '../report-format.js';
import type { AnsweredBy } from '../served-by.js';
import { opportunityForms, wireGroups, type WireForm } from '../../judge/wire/wire-form.js';
import { quirkFacts } from '../../chat/quirks.js';
import type { DeclaredCaveat, EnforceSpec, FormEvidence } from '../../suite/probe.js';
import { valuesIn } from './rank-forms.js';
import { covers, isClean, labelIn, type UsableForm } from './choice.js';
import { sentBy, trialsIn, isDeclaredClass, type CellEvidence } from './evidence.js';

interface CaveatsInput {
  readonly usable: UsableForm;
  /** The quirks of the model. */
  readonly wire: readonly ReportQuirk[];
  /** The shared failures of the model that requests of this form meet. */
  readonly met: readonly SharedFailure[];
  /** Whose name its answers carry; null: its own. */
  readonly answeredBy: AnsweredBy | null;
  /** Declarations of suites about this form. */
  readonly declared: readonly FormEvidence[];
  /** Of the model. */
  readonly cells: readonly ReportCell[];
  /** The planned cells that ask how a schema is enforced, by key of their cells. */
  readonly enforced: ReadonlyMap<string, PlannedCell>;
}

/** Caveats for a client beside the settings, the gravest first. */
export function caveatsOf(input: CaveatsInput): Caveat[] {
  const { usable, declared } = input;
  return [
    ...input.met.map((failure): Caveat => ({ kind: 'shared', failure })),
    ...flakiness(usable),
    ...(input.answeredBy === null ? [] : [{ kind: 'answered_by' as const, ...input.answeredBy }]),
    ...wrongValues(usable),
    ...restrictions(usable),
    ...declared.flatMap(({ caveats = [] }) => caveats.flatMap((one) => caveatOf(one, input))),
    ...declared.flatMap(({ channel }) => (channel === undefined ? [] : enforcementCaveats(channel, input))),
    ...fewCaveats(trialsIn(usable.sent).total),
    ...oddities(input),
  ];
}

function flakiness(usable: UsableForm): Caveat[] {
  return usable.reliability === 'flaky' ? [{ kind: 'flaky', ...trialsIn(usable.sent) }] : [];
}

/** Forms promise no values, so those never speak against one. */
function wrongValues({ sent }: UsableForm): Caveat[] {
  const { passed, total } = valuesIn(sent);
  return passed === total ? [] : [{ kind: 'values', wrong: total - passed, total }];
}

/** Caveats that no setting expresses. */
function restrictions({ found: { choice }, judged, cap }: UsableForm): Caveat[] {
  const leftOut = (member: string, has: (one: CellEvidence) => boolean): Caveat => ({
    kind: 'leave_out',
    member,
    works: judged.some((one) => has(one) && one.trials.passed > 0),
  });
  return choice.flatMap((one): Caveat | Caveat[] => {
    if (one.kind === 'no_cap') return leftOut('max_tokens', (own) => own.cap !== null);
    if (one.kind === 'cap') return one.below === Infinity ? [] : { kind: 'most_tokens', cap: cap ?? 0 };
    const { name, label } = one;
    if (name === 'tools') return { kind: 'one_tool' };
    if (name === 'strict') return { kind: 'not_strict' };
    return label !== null || isSetting.has(name) ? [] : leftOut(name, (own) => own.labels[name] !== undefined);
  });
}

/** Settings of a model are left at their default anyway, unless a recommendation names them. */
const isSetting: ReadonlySet<string> = new Set(['thinking', 'reasoning_effort']);

/** The caveat of a suite, where cells fail in one of its ways, and the form does not do so otherwise. */
function caveatOf({ of, say, class: classes }: DeclaredCaveat, { cells, usable }: CaveatsInput): Caveat[] {
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
      isDeclaredClass(classes, cell.class) &&
      !known.has(cell.class),
  );
  if (falters.length === 0) return [];
  const how = falters.some(({ verdict }) => verdict === 'flaky') ? 'flaky' : 'fails';
  return [{ kind: 'declared', text: say.replace('{{how}}', how), ...sumOf(falters.map(({ trials }) => trials)) }];
}

/** Knowledge about the enforcement of schemas where this form puts them. */
function enforcementCaveats(channel: string, { cells, enforced, usable }: CaveatsInput): Caveat[] {
  const asked = cells.flatMap((cell): Enforced[] => {
    const planned = enforced.get(cell.key);
    const spec = planned?.cell.probe.enforce ?? null;
    if (planned === undefined || spec === null || cell.point['channel'] !== channel) return [];
    return [{ cell, spec, isLikeClient: covers(usable.found.choice, sentBy(planned)) }];
  });
  const single = asked.filter(({ spec }) => spec.keyword !== compositeKeyword);
  const refused = asked.filter(({ cell, isLikeClient }) => isLikeClient && isAboutSchema(cell.reason));
  const broken = asked.filter(({ isLikeClient }) => isLikeClient);
  return [
    ...(single.length > 0 ? ignoredKeywords(single) : ignoredMembers(asked)),
    ...keywordCaveats('refused', refused),
    ...keywordCaveats('broken', broken),
  ];
}

interface Enforced {
  readonly cell: ReportCell;
  readonly spec: EnforceSpec;
  /** Whether the request was one that the recommendation wants of a client. */
  readonly isLikeClient: boolean;
}

/** Of a document that breaks a keyword in each of its members. */
const compositeKeyword = 'composite';

/** A refusal for another reason says nothing about keywords. */
function isAboutSchema(reason: ReportCell['reason']): boolean {
  return reason === 'schema_rejected' || reason === 'parameter_rejected' || reason === 'unknown';
}

function ignoredKeywords(single: readonly Enforced[]): Caveat[] {
  const tested = single.filter(({ cell }) => cell.enforcement === 'ignored' || cell.enforcement === 'enforced');
  const isWhole = tested.length > 0 && tested.every(({ cell }) => cell.enforcement === 'ignored');
  return isWhole ? [{ kind: 'schema_ignored' }] : keywordCaveats('ignored', single);
}

/** The members that came back broken tell how much of the schema is ignored. */
function ignoredMembers(composites: readonly Enforced[]): Caveat[] {
  return composites
    .filter(({ cell }) => cell.enforcement === 'ignored')
    .map(({ cell, spec }): Caveat => {
      const members = isObject(spec.invalid) ? Object.keys(spec.invalid) : [];
      const broken = new Set(cell.broken_members);
      const isWhole = members.every((name) => broken.has(name));
      return { kind: isWhole ? 'schema_ignored' : 'schema_in_part' };
    });
}

function keywordCaveats(how: 'ignored' | 'refused' | 'broken', asked: readonly Enforced[]): Caveat[] {
  const names = new Set(asked.flatMap(({ cell, spec }) => (cell.enforcement === how ? [spec.keyword] : [])));
  return names.size === 0 ? [] : [{ kind: 'keywords', how, keywords: [...names] }];
}

/** Quirks in the very answers that the client will get, and what they break. */
function oddities({ usable: { form, found }, wire }: CaveatsInput): Caveat[] {
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

/**
 * Quirks that are the rule for such answers, or that showed in some of them; a quirk of calls is none of answers in
 * text.
 */
function quirkCaveats(wire: readonly ReportQuirk[], { keys, forms }: ExpectedAnswers): Caveat[] {
  const isExpected = (form: WireForm): boolean => forms.includes(form);
  const couldShow = (quirk: string): boolean => {
    const facts = quirkFacts(quirk);
    return facts === undefined || opportunityForms[facts.shows].some(isExpected);
  };
  const concerns = ({ only, cells }: ReportQuirk): boolean =>
    only === null || !(only in wireGroups) ? cells.some((key) => keys.has(key)) : wireGroups[only].some(isExpected);
  return wire
    .filter((one) => one.standing !== 'gone' && !isBesideTheAnswer.test(one.quirk))
    .filter((one) => couldShow(one.quirk) && concerns(one))
    .flatMap(({ quirk, breaks }) => breaks.map((what): Caveat => ({ kind: 'breaks', quirk, what })));
}

const isBesideTheAnswer = /^(usage|reasoning)_/;

/** Fewer trials than this prove little. */
const fewTrials = 3;

export function fewCaveats(total: number): Caveat[] {
  return total >= fewTrials ? [] : [{ kind: 'few_trials', total }];
}
