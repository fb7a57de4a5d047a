import { enforcements, type Enforcement } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import { failedText } from '../../matrix/failed-requests-text.js';
import { repeatedText } from '../../matrix/repeated-answers-text.js';
import { mostFingerprints } from '../../matrix/gathered.js';
import type { Report, ReportModel } from '../../matrix/report-format.js';
import type { PastOf } from '../history/past.js';
import { type Sparkline, sparkline } from '../history/sparkline.js';
import { type BudgetCurve } from '../view/model/budget-curve.js';
import { keywordsLeftOutText } from '../view/keywords-left-out.js';
import { type Channel, channels, type KeywordRow } from '../view/model/keyword-map.js';
import { modelViews } from '../view/model/model-view.js';
import { count } from '../view/phrases.js';
import { type Titles, titlesIn } from '../view/titles.js';
import { wireChange, wireDetail } from '../view/wire-view.js';
import { answerDots, scalesOf } from '../view/model/answer-dots.js';
import { cellLink } from './cell-link.js';
import { plainCondition } from './short-condition.js';

/** How many cells without a judgement are named for each reason. */
const mostNamed = 5;

/** The section of each model, as plain data for its template. */
export function modelPages(report: Report, past: PastOf | null) {
  const titles = titlesIn(report);
  const scales = scalesOf(report.latency ?? []);
  const capabilitiesOf = groupBy(report.capabilities, ({ model }) => model);
  return modelViews(report, past).map(({ model, passed, judged, ...view }, index) => ({
    ...{ id: model.id, anchor: `model-${index + 1}` },
    sum: judged === 0 ? 'nothing was judged' : `${passed} of ${count(judged, 'judged cell')} pass`,
    facts: factsOf(model),
    spark: view.shares.length < 2 ? null : (sparkline(view.shares, view.doubted) satisfies Sparkline),
    behaviours: view.behaviours.map(({ id, title, advice }) => ({ id, title, advice })),
    conditions: (capabilitiesOf.get(model.id) ?? []).flatMap((one) => {
      const condition = plainCondition(one);
      const { capability } = one;
      return condition === null ? [] : { capability, title: titles.capability(capability), condition };
    }),
    budgets: view.budgets.map((curve) => budgetView(curve, titles)),
    times: answerDots(view.times, scales),
    keywords: keywordView(view.keywords, keywordsLeftOutText(report.run.keywords_left_out)),
    quirks: view.quirks.map((quirk) => ({
      name: quirk.quirk,
      change: quirk.standing === 'as_expected' ? `seen in ${quirk.seen} of ${quirk.of}` : wireChange(quirk),
      detail: wireDetail(quirk),
    })),
    unmeasured: view.unmeasured.map(({ why, cells }) => ({
      why,
      amount: count(cells.length, 'cell'),
      cells: cells.slice(0, mostNamed).map((key) => ({ key, href: cellLink(key) })),
      more: Math.max(0, cells.length - mostNamed),
    })),
  }));
}

function factsOf(model: ReportModel): { name: string; value: string }[] {
  return Object.entries({
    'Common name': model.as,
    Reached: model.reachable ? 'yes' : `no${whyUnreached(model)}`,
    Baseline: `${model.standing}${model.retired ? ', retired' : ''}`,
    'Served as': model.served.join(', ') || null,
    Fingerprint: fingerprintText(model.fingerprints ?? []),
    'Failed requests': model.failed_requests === undefined ? null : failedText(model.failed_requests),
    'Repeated answers': model.repeated_answers === undefined ? null : repeatedText(model.repeated_answers),
    'Not asked': notAsked(model) || null,
  }).flatMap(([name, value]) => (value === null ? [] : { name, value }));
}

/** null where none was sent. */
function fingerprintText(found: readonly string[]): string | null {
  if (found.length < mostFingerprints) return found.join(', ') || null;
  return `another one with almost every answer, such as ${found[0] ?? ''}`;
}

/** A label only where the model has the setting without it. */
function notAsked({ not_asked: absent = [] }: ReportModel): string {
  return absent.map(({ settings, label }) => (label === null ? settings : `${settings}: ${label}`)).join(', ');
}

function whyUnreached({ unreachable }: ReportModel): string {
  if (unreachable === null) return '';
  const { class: kind, reason, detail } = unreachable;
  return `: ${[kind, reason, detail].filter((part) => part !== null).join(' ')}`;
}

/** A drawing of 200 by 60 units; caps double from left to right, so the axis is logarithmic. */
function budgetView({ key, capability, settings, text, threshold, points }: BudgetCurve, titles: Titles) {
  const [least, most] = [points[0]?.x ?? 1, points.at(-1)?.x ?? 1];
  const x = (value: number) =>
    most === least ? 100 : round(8 + (Math.log(value / least) / Math.log(most / least)) * 184);
  const y = (rate: number) => round(52 - rate * 44);
  return {
    ...{ title: titles.capability(capability), capability, settings, text, href: cellLink(key) },
    line: points.map((point) => `${x(point.x)},${y(point.rate)}`).join(' '),
    from: threshold === null ? null : x(threshold),
    label: points.map((point) => `${point.x}: ${point.passed} of ${point.total}`).join('; '),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

const channelTitles: Readonly<Record<Channel, string>> = {
  schema: 'In response_format',
  tool_schema: 'In tool parameters',
};

/** A row for each way of treating keywords that occurs. */
function keywordView(rows: readonly KeywordRow[], leftOut: string | null) {
  if (rows.length === 0) return null;
  const named = (channel: Channel, how: Enforcement): string =>
    rows
      .filter(({ channels: found }) => found[channel].some(({ enforcement }) => enforcement === how))
      .map(({ keyword }) => keyword)
      .join(', ');
  return {
    leftOut,
    channels: channels.map((channel) => channelTitles[channel]),
    rows: enforcements
      .map((how) => ({ how, lists: channels.map((channel) => named(channel, how)) }))
      .filter(({ lists }) => lists.some((list) => list !== '')),
  };
}
