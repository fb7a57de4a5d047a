import { groupBy } from '../../../json/group-by.js';
import { needNames, needTitles } from '../../../matrix/recommendations/needs.js';
import type { Recommendation, Report, ReportModel } from '../../../matrix/report-format.js';
import { settingsShown } from '../recommended.js';
import type { Choice, ChoiceRow } from './choice.js';
import { indexOf, isAskedWith, kindOf, latencyFor, placed, requestTo, type Known } from './known.js';
import { offeredBy } from './offered-by.js';
import { rateFrom, rateOf } from './rate-of.js';

/** Each need that the run asked for, with the models that serve it: forms, then streams, then thinking on or off. */
export function choicesOf(report: Report): readonly ChoiceRow[] {
  const known = indexOf(report);
  const needs = needNames.map((need) => {
    const all = report.recommendations.filter((one) => one.need === need);
    const found = all.map((one) => [one.model, recommended(one, known) ?? one.because] as const);
    return { ...{ id: need, title: needTitles[need] }, ...rowFrom(found, known) };
  });
  const offered = [...groupBy(report.capabilities, ({ capability }) => capability)].flatMap(([id, all]) => {
    const title = titleOf(id);
    if (title === null) return [];
    const judged = all.filter(({ verdict }) => verdict !== 'inconclusive');
    const found = judged.map((one) => [one.model, offeredBy(one, known)] as const);
    return [{ id, title, ...rowFrom(found, known) }];
  });
  const streams = offered.filter(({ id }) => id.startsWith('stream.'));
  const thinking = offered.filter(({ id }) => id.startsWith('thinking.'));
  return [...needs, ...streams, ...thinking].filter(({ choices, without }) => choices.length + without.length > 0);
}

/** @param found by model of which anything was judged: its choice, or the reason why there is none */
function rowFrom(
  found: readonly (readonly [model: string, Choice | string])[],
  { models }: Known,
): Pick<ChoiceRow, 'choices' | 'without' | 'unmeasured'> {
  const judged = new Set(found.map(([model]) => model));
  return {
    choices: found.flatMap(([, choice]) => (typeof choice === 'string' ? [] : [choice])),
    without: found.flatMap(([model, because]) => (typeof because === 'string' ? [{ model, because }] : [])),
    unmeasured: [...models.values()]
      .filter(({ id }) => !judged.has(id))
      .map((model) => ({ model: model.id, because: whyUnmeasured(model) })),
  };
}

function whyUnmeasured({ standing, reachable, unreachable }: ReportModel): string {
  if (standing === 'gone') return 'gone';
  if (reachable) return 'nothing was judged';
  const said = [unreachable?.status, unreachable?.reason ?? unreachable?.class].filter(
    (part) => part !== null && part !== undefined,
  );
  return ['did not answer', ...(said.length > 0 ? [said.join(' ')] : [])].join(': ');
}

const streamTitles: Readonly<Record<string, string>> = {
  chat: 'Streamed text',
  json_schema: 'Streamed fixed fields',
  tools: 'Streamed tool call',
};

/** null: a capability that is no need of its own. */
function titleOf(capability: string): string | null {
  const [family = '', ...rest] = capability.split('.');
  const name = rest.join('.');
  if (name === '') return null;
  if (family === 'stream') return streamTitles[name] ?? `Streamed ${name}`;
  return family === 'thinking' ? `Thinking: ${name}` : null;
}

function recommended(one: Recommendation, known: Known): Choice | null {
  const { model, form, settings, caveats = [], because, trials } = one;
  if (form === null) return null;
  const about = new Set([form, `budget.${form}`]);
  const ofForm = (known.capabilities.get(model) ?? []).filter(({ capability }) => about.has(capability));
  const keys = new Set(ofForm.flatMap(({ cells }) => cells));
  const asked = [...keys].flatMap((key) => known.cells.get(key) ?? []).filter((cell) => isAskedWith(settings, cell));
  return {
    ...placed(model, known),
    ...{ form, settings: settingsShown(one), caveats, because },
    rate: trials === undefined ? rateOf(asked) : rateFrom(trials),
    latency: latencyFor(model, kindOf(form), settings['stream'], known),
    request: isSaid(one) ? requestTo(model, { form, settings, patch: one.request ?? {} }, known) : null,
  };
}

/** Whether the report says what to send for the settings, as far as there is anything to send. */
function isSaid({ settings, request }: Recommendation): boolean {
  const ofForm = Object.entries(settings).filter(
    ([name, value]) => name === 'json_word' || name === 'strict' || (name === 'tool_choice' && value === 'object'),
  );
  return request !== undefined || ofForm.length === Object.keys(settings).length;
}
