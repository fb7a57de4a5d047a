import { isJudged } from '../../../cell/verdict.js';
import { fewCaveats, quirkCaveats } from '../../../matrix/recommendations/caveats.js';
import type { ReportCapability, ReportCell } from '../../../matrix/report-format.js';
import { sumOf } from '../../../stats/count.js';
import { count } from '../phrases.js';
import type { Choice } from './choice.js';
import { cellsOf, isAskedWith, kindOf, latencyFor, placed, requestTo, type Known } from './known.js';
import { luckAmong, otherSettings, plainAlike } from './luck-among.js';
import { isOfOther, neededOf, patchOf, toolChoiceOf } from './needed-settings.js';
import { rateOf } from './rate-of.js';

/**
 * Streams and thinking have no recommendation of their own: what was asked with the settings of the row must pass, and
 * not by luck where the same is known to fail at times. Otherwise the reason why the model is no choice.
 */
export function offeredBy(one: ReportCapability, known: Known): Choice | string {
  const { model, capability } = one;
  const [family = '', label = ''] = capability.split(/\.(.*)/s);
  const judged = cellsOf(one, known).filter(isJudged);
  const condition = one.condition;
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

/** The form of request that can carry these settings. */
function formFor(settings: Readonly<Record<string, string>>): string {
  if ('tool_choice' in settings) return 'tools';
  if ('strict' in settings) return 'json_schema';
  return 'json_word' in settings ? 'json_object' : 'chat';
}

const plainForms = (settings: Readonly<Record<string, string>>) =>
  formFor(settings) === 'tools' ? (['plain_call'] as const) : (['plain_text'] as const);

/** "1 of 3 cells passed, 7 of 9 trials" */
function passedIn(judged: readonly ReportCell[]): string {
  const { passed, total } = sumOf(judged.map(({ trials }) => trials));
  const passing = judged.filter(({ verdict }) => verdict === 'pass').length;
  return `${passing} of ${count(judged.length, 'cell')} passed, ${passed.toLocaleString('en')} of ${count(total, 'trial')}`;
}
