import { isJudged } from '../../../cell/verdict.js';
import { groupBy } from '../../../json/group-by.js';
import type { JsonObject } from '../../../json/json.js';
import { needNames, needTitles } from '../../../matrix/recommendations/needs.js';
import type {
  Recommendation,
  Report,
  ReportCapability,
  ReportCell,
  ReportLatency,
  ReportModel,
} from '../../../matrix/report-format.js';
import { sumOf } from '../../../stats/count.js';
import { wilson } from '../../../stats/wilson.js';
import { conditionShown } from '../condition-text.js';
import { shortNames } from '../matrix-view.js';
import { count, intervalText } from '../phrases.js';
import { settingsShown } from '../recommended.js';
import type { Choice, ChoiceRate, ChoiceRow } from './choice.js';
import type { SnippetRequest } from './snippet.js';
import { snippetRequest } from './snippet-request.js';

/** Each need that the run asked for, with the models that serve it: forms, then streams, then thinking on or off. */
export function choicesOf(report: Report): readonly ChoiceRow[] {
  const known = indexOf(report);
  const needs = needNames.map((need) => ({
    ...{ id: need, title: needTitles[need] },
    ...rowFrom(
      report.recommendations.filter((one) => one.need === need),
      (one) => recommended(one, known),
    ),
  }));
  const offered = [...groupBy(report.capabilities, ({ capability }) => capability)].flatMap(([id, all]) => {
    const title = titleOf(id);
    if (title === null) return [];
    return [{ id, title, ...rowFrom(all, (one) => capable(one, known)) }];
  });
  const streams = offered.filter(({ id }) => id.startsWith('stream.'));
  const thinking = offered.filter(({ id }) => id.startsWith('thinking.'));
  return [...needs, ...streams, ...thinking].filter(({ choices, without }) => choices.length + without.length > 0);
}

function rowFrom<T extends { readonly model: string }>(
  all: readonly T[],
  choiceFrom: (one: T) => Choice | null,
): Pick<ChoiceRow, 'choices' | 'without'> {
  const found = all.map((one) => ({ model: one.model, choice: choiceFrom(one) }));
  return {
    choices: found.flatMap(({ choice }) => choice ?? []),
    without: found.flatMap(({ model, choice }) => (choice === null ? [model] : [])),
  };
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

interface Known {
  readonly models: ReadonlyMap<string, ReportModel>;
  readonly names: ReadonlyMap<string, string>;
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly capabilities: ReadonlyMap<string, readonly ReportCapability[]>;
  readonly latency: ReadonlyMap<string, readonly ReportLatency[]>;
}

function indexOf({ models, cells, capabilities, latency = [] }: Report): Known {
  return {
    models: new Map(models.map((model) => [model.id, model])),
    names: shortNames(models),
    cells: new Map(cells.map((cell) => [cell.key, cell])),
    capabilities: groupBy(capabilities, ({ model }) => model),
    latency: groupBy(latency, ({ model }) => model),
  };
}

function recommended(one: Recommendation, known: Known): Choice | null {
  const { model, form, settings, caveats = [], because } = one;
  if (form === null) return null;
  const about = new Set([form, `budget.${form}`]);
  const ofForm = (known.capabilities.get(model) ?? []).filter(({ capability }) => about.has(capability));
  const keys = new Set(ofForm.flatMap(({ cells }) => cells));
  const asked = [...keys].flatMap((key) => known.cells.get(key) ?? []).filter((cell) => isAskedWith(settings, cell));
  return {
    ...placed(model, known),
    ...{ form, settings: settingsShown(one), caveats, because, rate: rateOf(asked) },
    latency: latencyFor(model, kindOf(form), settings['stream'], known),
    request: isSaid(one) ? requestTo(model, { form, settings, patch: one.request ?? {} }, known) : null,
  };
}

/** Streams and thinking have no recommendation of their own: what was asked must pass, if only on a condition. */
function capable(one: ReportCapability, known: Known): Choice | null {
  const { model, capability } = one;
  const condition = conditionShown(one);
  const isOnCondition = one.verdict === 'partial' && condition !== null;
  if (one.verdict !== 'pass' && !isOnCondition) return null;
  const [family = '', label = ''] = capability.split(/\.(.*)/s);
  const streams = family === 'stream';
  const patch: JsonObject = streams
    ? { stream: true }
    : (known.models.get(model)?.client?.settings?.['thinking']?.[label] ?? {});
  return {
    ...placed(model, known),
    ...{ form: capability, settings: streams ? ['stream=true'] : [`thinking=${label}`], because: null },
    caveats: condition === null ? [] : [condition],
    rate: rateOf(
      one.cells.flatMap((key) => known.cells.get(key) ?? []),
      isOnCondition ? ', whether the condition is met or not' : '',
    ),
    latency: streams
      ? latencyFor(model, kindOf(label), 'true', known)
      : latencyFor(model, capability, undefined, known),
    request: requestTo(model, { form: streams ? label : 'chat', settings: {}, patch }, known),
  };
}

/** Whether the report says what to send for the settings, as far as there is anything to send. */
function isSaid({ settings, request }: Recommendation): boolean {
  const ofForm = Object.entries(settings).filter(
    ([name, value]) => name === 'json_word' || name === 'strict' || (name === 'tool_choice' && value === 'object'),
  );
  return request !== undefined || ofForm.length === Object.keys(settings).length;
}

function placed(model: string, { names }: Known): Pick<Choice, 'model' | 'name'> {
  return { model, name: names.get(model) ?? model };
}

function requestTo(id: string, asked: Parameters<typeof snippetRequest>[1], { models }: Known): SnippetRequest {
  return snippetRequest(models.get(id) ?? { model: id }, asked);
}

/**
 * Whether nothing that the cell asks contradicts the settings. A larger cap is as good as the one that is needed, but a
 * cell that names none was asked with one of its own, which may be lower.
 */
function isAskedWith(settings: Readonly<Record<string, string>>, { point }: ReportCell): boolean {
  return Object.entries(settings).every(([name, value]) => {
    const label = point[name];
    if (name === 'max_tokens') return label !== undefined && Number(label) >= Number(value);
    return label === undefined || label === value;
  });
}

function rateOf(cells: readonly ReportCell[], note = ''): ChoiceRate | null {
  const judged = cells.filter(isJudged);
  const { passed, total } = sumOf(judged.map(({ trials }) => trials));
  if (total === 0) return null;
  const interval = wilson(passed, total);
  const text = `${passed.toLocaleString('en')} of ${count(total, 'trial')} passed (${intervalText(interval)}) in ${count(judged.length, 'cell')}${note}`;
  return { passed, total, cells: judged.length, interval, text };
}

/** The kind of request whose answers are timed. */
function kindOf(form: string): ReportLatency['kind'] {
  if (form.includes('json_schema')) return 'json_schema';
  if (form.includes('json_object')) return 'json_object';
  return form.includes('tool') ? 'tools' : 'text';
}

/** Where a client may stream or not, of the answers that are not streamed. */
function latencyFor(model: string, kind: string, stream: string | undefined, { latency }: Known): ReportLatency | null {
  const ofKind = (latency.get(model) ?? []).filter((one) => one.kind === kind);
  if (stream !== undefined) return ofKind.find((one) => one.stream === (stream === 'true')) ?? null;
  return ofKind.find((one) => one.stream !== true) ?? ofKind[0] ?? null;
}
