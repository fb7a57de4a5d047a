import { groupBy } from '../../json/group-by.js';
import { isJudged } from '../../cell/verdict.js';
import type { Recommendation, Report, ReportLatency, ReportModel, ReportQuirk } from '../../matrix/report-format.js';
import { texts } from '../words/catalogue.js';
import { mendTexts } from '../words/advice-text.js';
import { type Plain, say } from '../words/message.js';
import { joinedNames, type Names, unreachedText } from './names.js';
import type { ShownRun } from './shown-run.js';
import { type Mark, modelStrip } from './strip.js';
import { writtenJson } from '../../json/json.js';

const { cards, formWords, modelFacts, needs } = texts;

/** Facts about one model. */
export interface ModelCard {
  readonly id: string;
  readonly name: string;
  readonly passed: number;
  readonly judged: number;
  /** Of the kind of request that most models answered most often, in milliseconds; null: none was timed. */
  readonly median: number | null;
  readonly p95: number | null;
  /** Completion tokens of such an answer, and what it costs. */
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly strip: readonly Mark[];
  readonly uses: readonly ModelUse[];
  /** By need: the form and the members to send; "no" where none can be relied on. */
  readonly sends: readonly { readonly need: string; readonly send: string }[];
  readonly conditions: readonly string[];
  readonly avoid: readonly string[];
  readonly behaviours: readonly { readonly id: string; readonly title: string; readonly advice: string }[];
  readonly quirks: readonly Pick<ReportQuirk, 'quirk' | 'seen' | 'of' | 'breaks' | 'reads'>[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

interface ModelUse {
  /** The need, and what to send. */
  readonly text: string;
  /** Why this form, and which models serve it too; empty: nothing to say. */
  readonly why: string;
}

const mostRunsPerCard = 8;
/** Of fewer answers, a median says little, and a 95th percentile nothing. */
const fewestTimed = 20;

/** A card for each model, in the order of the report. */
export function modelCards({ report, names, runs }: ShownRun): readonly ModelCard[] {
  const cells = groupBy(report.cells, ({ model }) => model);
  const advice = groupBy(report.recommendations, ({ model }) => model);
  const kind = usualKind(report.latency ?? []);
  return report.models.map((model) => {
    const own = cells.get(model.id) ?? [];
    const judged = own.filter((cell) => isJudged(cell) && cell.asked_for === undefined);
    const times = (report.latency ?? []).find(
      (one) => one.model === model.id && latencyKind(one) === kind && one.answers >= fewestTimed,
    );
    const ofModel = advice.get(model.id) ?? [];
    return {
      id: model.id,
      name: names.model(model.id),
      passed: judged.filter(({ verdict }) => verdict === 'pass').length,
      judged: judged.length,
      median: times?.total_ms?.p50 ?? null,
      p95: times?.total_ms?.p95 ?? null,
      tokens: times?.tokens?.completion ?? null,
      cost: times?.cost ?? null,
      strip: modelStrip(runs, model.id, mostRunsPerCard),
      sends: ofModel.map((one) => sendOf(one, names)),
      uses: ofModel.flatMap((one) => (one.form === null ? [] : useText(one, one.form, names))),
      conditions: [
        ...ofModel.flatMap(({ mend }) => (mend === undefined ? [] : mendTexts(mend).advice)),
        ...ofModel.flatMap(({ caveats = [] }) => caveats),
        ...report.capabilities.flatMap((one) => (one.model === model.id ? (one.caveats ?? []) : [])),
        ...conditionsOf(model.id, report, names),
      ].filter((one, index, all) => all.indexOf(one) === index),
      avoid: ofModel.flatMap(({ form, need, mend }) => (form === null && mend === undefined ? say(needs[need]) : [])),
      behaviours: report.behaviours.filter((one) => one.model === model.id),
      quirks: (report.wire ?? []).filter((one) => one.model === model.id),
      facts: modelCardFacts(model),
    };
  });
}

function sendOf({ need, form, request }: Recommendation, names: Names): ModelCard['sends'][number] {
  const send = form === null ? say(formWords.none) : [names.capability(form), ...membersOf(request)].join(', ');
  return { need: say(needs[need]), send };
}

const membersOf = (request: Recommendation['request'] = {}): readonly string[] =>
  Object.entries(request).map(([name, value]) => `\`${name}: ${writtenJson(value)}\``);

/** The request's own members, not the names of a suite's axes. */
function useText({ need, request, because, alternatives }: Recommendation, form: string, names: Names): ModelUse {
  const title = say(needs[need]);
  const others = alternatives.map(names.model);
  const members = membersOf(request);
  const text =
    members.length === 0
      ? say(cards.form, { need: title, form: names.capability(form) })
      : say(cards.formWith, { need: title, form: names.capability(form), members: members.join(', ') });
  const why = [
    ...(because === '' ? [] : [because]),
    ...(others.length === 0 ? [] : [say(cards.alternatives, { models: joinedNames(others, 3) })]),
  ];
  return { text, why: why.join(' ') };
}

function conditionsOf(model: string, { capabilities, cells }: Report, names: Names): readonly string[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  return capabilities.flatMap((one) => {
    if (one.model !== model) return [];
    const what = names.capability(one.capability);
    if (one.condition !== null) {
      return say(cards.caveat, { what, condition: one.condition.replaceAll('>=', '≥').replaceAll('<=', '≤') });
    }
    const own = one.cells.flatMap((key) => byKey.get(key) ?? []).filter(isJudged);
    if (one.verdict === 'partial') {
      const passed = own.filter(({ verdict }) => verdict === 'pass').length;
      return say(cards.partial, { what, passed, of: own.length });
    }
    if (one.verdict === 'flaky') {
      const total = own.reduce((all, { trials }) => all + trials.total, 0);
      return say(cards.flaky, { what, passed: own.reduce((all, { trials }) => all + trials.passed, 0), total });
    }
    return [];
  });
}

const latencyKind = ({ kind, stream }: ReportLatency): string => `${kind} ${stream}`;

/** So that models are compared by the same kind of request. */
function usualKind(all: readonly ReportLatency[]): string | null {
  const models = new Map<string, number>();
  for (const one of all) models.set(latencyKind(one), (models.get(latencyKind(one)) ?? 0) + 1_000_000 + one.answers);
  return [...models].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

function modelCardFacts(model: ReportModel): ModelCard['facts'] {
  const all: readonly (readonly [Plain, string | null])[] = [
    [modelFacts.unreached, model.reachable ? null : unreachedText(model)],
    [modelFacts.commonName, model.as],
    [modelFacts.served, model.served.join(', ') || null],
    [modelFacts.fingerprint, model.fingerprints?.slice(0, 3).join(', ') || null],
    [modelFacts.baseline, model.standing],
    [modelFacts.notAsked, model.not_asked?.map(({ settings }) => settings).join(', ') || null],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : { name: say(name), value }));
}
