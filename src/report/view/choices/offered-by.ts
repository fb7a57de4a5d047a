import { withoutAxis } from '../../../cell/cell-key.js';
import { isJudged } from '../../../cell/verdict.js';
import { isObject, type JsonObject } from '../../../json/json.js';
import { mergePatch } from '../../../json/merge-patch.js';
import { fewCaveats, quirkCaveats } from '../../../matrix/recommendations/caveats.js';
import type { ReportCapability, ReportCell } from '../../../matrix/report-format.js';
import { sumOf } from '../../../stats/count.js';
import { chanceOfAsMany } from '../../../stats/rule-of-succession.js';
import { conditionShown } from '../condition-text.js';
import { count } from '../phrases.js';
import type { Choice } from './choice.js';
import { isAskedWith, kindOf, latencyFor, placed, requestTo, type Known } from './known.js';
import { rateOf } from './rate-of.js';

/** Chances below this are no longer taken for luck. */
const unlikely = 0.05;

/**
 * Streams and thinking have no recommendation of their own: what was asked with the settings of the row must pass, and
 * not by luck where the same is known to fail at times. Otherwise the reason why the model is no choice.
 */
export function offeredBy(one: ReportCapability, known: Known): Choice | string {
  const { model, capability } = one;
  const [family = '', label = ''] = capability.split(/\.(.*)/s);
  const judged = cellsOf(one, known).filter(isJudged);
  const condition = conditionShown(one);
  if (one.verdict !== 'pass' && one.verdict !== 'partial') return passedIn(judged);
  const settings = { ...toolChoiceOf(judged), ...neededOf(one.settings ?? {}, judged) };
  const own = judged.filter((cell) => isAskedWith(settings, cell) && !isOfOther(one.settings ?? {}, settings, cell));
  if (own.length === 0 || own.some(({ verdict }) => verdict !== 'pass'))
    return [passedIn(judged), ...(condition === null ? [] : [condition])].join(': ');
  const streams = family === 'stream';
  const luck = luckAmong(own, streams ? plainAlike(one, label, known) : otherSettings(one, own, known));
  if (luck !== null) return luck;
  const form = streams ? label : formFor(settings);
  const sent = streams ? { stream: true } : (known.models.get(model)?.client?.settings?.['thinking']?.[label] ?? {});
  const rate = rateOf(own);
  return {
    ...placed(model, known),
    form: capability,
    settings: [streams ? 'stream=true' : `thinking=${label}`, ...shown(settings)],
    caveats: [
      ...(condition === null ? [] : [condition]),
      ...fewCaveats(rate?.total ?? 0),
      ...quirkCaveats(known.wire.get(model) ?? [], {
        keys: new Set(own.map(({ key }) => key)),
        forms: streams ? [kindOf(label) === 'tools' ? 'streamed_call' : 'streamed_text'] : plainForms(settings),
      }),
    ],
    because: null,
    rate,
    latency: streams
      ? latencyFor(model, kindOf(label), 'true', known)
      : latencyFor(model, capability, undefined, known),
    request:
      Object.keys(settings).some((name) => name !== 'tool_choice') && one.request === undefined
        ? null
        : requestTo(model, { form, settings, patch: patchOf(one, settings, sent) }, known),
  };
}

const shown = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`);

function cellsOf({ cells }: Pick<ReportCapability, 'cells'>, known: Known): ReportCell[] {
  return cells.flatMap((key) => known.cells.get(key) ?? []);
}

/** The settings without those that can be left out: requests without them pass. */
function neededOf(
  all: NonNullable<ReportCapability['settings']>,
  judged: readonly ReportCell[],
): Record<string, string> {
  const isNeeded = (name: string): boolean => {
    const without = judged.filter(({ point }) => point[name] === undefined);
    return without.length === 0 || without.some(({ verdict }) => verdict !== 'pass');
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isNeeded(name)));
}

/** Where no request was asked without one, a client sends one that passed, too. */
function toolChoiceOf(judged: readonly ReportCell[]): Record<string, string> {
  const passing = judged.filter(({ verdict }) => verdict === 'pass').flatMap(({ point }) => point['tool_choice'] ?? []);
  const label = passing.find((one) => one === 'required') ?? passing[0];
  const isAlwaysSent = judged.every(({ point }) => point['tool_choice'] !== undefined);
  return isAlwaysSent && label !== undefined ? { tool_choice: label } : {};
}

/** Asked with another value of a setting that the row leaves out. */
function isOfOther(
  all: NonNullable<ReportCapability['settings']>,
  needed: Readonly<Record<string, string>>,
  { point }: ReportCell,
): boolean {
  return Object.keys(all).some((name) => !(name in needed) && point[name] !== undefined);
}

/** Members of a setting that the row leaves out are not sent, and it is never the form's own. */
function patchOf(
  { settings: all = {}, request = {} }: ReportCapability,
  settings: Readonly<Record<string, string>>,
  sent: JsonObject,
): JsonObject {
  const left = new Set(Object.keys(all).filter((name) => !(name in settings)));
  const kept = Object.fromEntries(Object.entries(request).filter(([name]) => !left.has(name)));
  const patch = mergePatch(kept, sent);
  return isObject(patch) ? patch : {};
}

/** The form of request that can carry these settings. */
function formFor(settings: Readonly<Record<string, string>>): string {
  if ('tool_choice' in settings) return 'tools';
  if ('strict' in settings) return 'json_schema';
  return 'json_word' in settings ? 'json_object' : 'chat';
}

const plainForms = (settings: Readonly<Record<string, string>>) =>
  formFor(settings) === 'tools' ? (['plain_call'] as const) : (['plain_text'] as const);

/** "1 of 3 cells passes" */
function passedIn(judged: readonly ReportCell[]): string {
  const { passed, total } = sumOf(judged.map(({ trials }) => trials));
  const passing = judged.filter(({ verdict }) => verdict === 'pass').length;
  return `${passing} of ${count(judged.length, 'cell')} passed, ${passed.toLocaleString('en')} of ${count(total, 'trial')}`;
}

/** What fails at times without a stream may only have been lucky with one. */
function plainAlike({ model }: ReportCapability, form: string, known: Known): readonly ReportCell[] {
  const plain = (known.capabilities.get(model) ?? []).filter(({ capability }) => capability === form);
  return plain.flatMap((one) => cellsOf(one, known));
}

/** The same probes at another thinking setting. */
function otherSettings({ model }: ReportCapability, own: readonly ReportCell[], known: Known): readonly ReportCell[] {
  const alike = new Set(own.map(({ key }) => withoutAxis(key, 'thinking')));
  const keys = new Set(own.map(({ key }) => key));
  const ofThinking = (known.capabilities.get(model) ?? []).filter(({ capability }) => /^thinking\./.test(capability));
  return ofThinking
    .flatMap((one) => cellsOf(one, known))
    .filter(({ key }) => !keys.has(key) && alike.has(withoutAxis(key, 'thinking')));
}

/** Why the passes may be luck: as many would not surprise at the rate of these, which fail at times; null: they are not. */
function luckAmong(own: readonly ReportCell[], others: readonly ReportCell[]): string | null {
  const flaky = others.filter(({ verdict }) => verdict === 'flaky');
  if (flaky.length === 0) return null;
  const [held, before] = [own, flaky].map((cells) => sumOf(cells.map(({ trials }) => trials)));
  if (held === undefined || before === undefined || chanceOfAsMany(held, before) <= unlikely) return null;
  const names = [...new Set(flaky.map(({ capability }) => capability))];
  return `${held.passed} of ${count(held.total, 'trial')} passed, which may be luck: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} flaky (${before.passed} of ${before.total})`;
}
