import { isJudgement } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import { isObject, type Json } from '../json/json.js';
import type { Report, ReportCapability, ReportCell } from '../matrix/report-format.js';
import { whatFailed } from '../report/words/facts.js';
import { keywordsOf } from '../simulator/values/conforming-value.js';
import type { ShapeChange } from './compare-shapes.js';
import { unaskableReason, type RequestShape } from './shape-of.js';

/** The word of a run on one demand of a change. */
interface Said {
  /** `unsupported`: a model cannot do it as far as the run knows, or only sometimes or on a condition. */
  readonly verdict: 'supported' | 'unsupported' | 'unknown';
  /** A capability, or a place of the request that belongs to none: `max_completion_tokens`. */
  readonly what: string;
  /** `TARGET/MODEL`; null: of no model of the run. */
  readonly model: string | null;
  /** Nothing that was sent before needs it. */
  readonly fresh: boolean;
  /** `answers that with http_error 500, tool_choice_unsupported`; `does that only with max_tokens >= 2048` */
  readonly says: string;
}

const unasked = 'no cell of the run asked for it';
const allUnjudged = 'none of the cells that asked for it could be judged';
const unrelated = 'no probe asks this; add one with shapes to-suite';

/**
 * The words of a run on all demands of a change on its models.
 * @param locked what was recorded before: what it held is not new
 */
export function saidByRun(change: ShapeChange, report: Report, locked: readonly RequestShape[]): readonly Said[] {
  const { capabilities, fresh, others } = concernedBy(change, locked);
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  return [
    ...capabilities.flatMap((what): readonly Said[] => {
      const found = report.capabilities.filter(({ capability }) => capability === what);
      const said = { what, fresh: fresh.includes(what) };
      if (found.length === 0) return [{ ...said, verdict: 'unknown', model: null, says: unasked }];
      return report.models.map(({ id: model }) => {
        const one = found.find((other) => other.model === model);
        return { ...said, model, ...reportedVerdict(one, cells) };
      });
    }),
    ...others.map((what) => ({ verdict: 'unknown' as const, what, model: null, fresh: true, says: unrelated })),
  ];
}

/** Without a judged cell, a run says nothing of any change. */
export const judgedCells = (report: Report): number =>
  report.cells.filter(({ verdict }) => isJudgement(verdict)).length;

function reportedVerdict(
  one: ReportCapability | undefined,
  cells: ReadonlyMap<string, ReportCell>,
): Pick<Said, 'verdict' | 'says'> {
  if (one === undefined) return { verdict: 'unknown', says: unasked };
  if (one.verdict === 'inconclusive') return { verdict: 'unknown', says: allUnjudged };
  if (one.verdict === 'pass') return { verdict: 'supported', says: '' };
  const failing = one.cells
    .flatMap((key) => cells.get(key) ?? [])
    .find(({ verdict }) => verdict === 'fail' || verdict === 'flaky');
  const failed = failing === undefined ? '' : ` (${whatFailed(failing)})`;
  const how = { fail: 'cannot do that', flaky: 'does that only sometimes', partial: 'does that in part' }[one.verdict];
  const says = one.condition === null ? how + failed : `does that on a condition: ${one.condition}`;
  return { verdict: 'unsupported', says };
}

/** A line for what holds alike: `=` supported, `!` not, `?` not known. */
export function saidLines(all: readonly Said[]): readonly string[] {
  const of = (verdict: Said['verdict']): readonly Said[] => all.filter((one) => one.verdict === verdict);
  const byCapability = groupBy(of('supported'), ({ what }) => what);
  const byModels = groupBy([...byCapability], ([, same]) => same.map(({ model }) => model).join(', '));
  const byReason = groupBy(of('unknown'), ({ model, says }) => `${model === null ? '' : ` of ${model}`}\n${says}`);
  return [
    ...[...byModels].map(([models, same]) => `  = supported by ${models}: ${same.map(([what]) => what).join(', ')}`),
    ...of('unsupported').map(
      ({ fresh, what, model, says }) => `  ! ${fresh ? 'now needs' : 'needs'} ${what}: ${model ?? ''} ${says}`,
    ),
    ...[...byReason].map(([key, same]) => {
      const [model, why] = key.split('\n');
      return `  ? not known${model}: ${same.map(({ what }) => what).join(', ')}: ${why}`;
    }),
  ];
}

/** The capabilities of a request that a field of its body is about. */
const families: Readonly<Record<string, RegExp>> = {
  response_format: /^(?:json_schema|json_object|schema\.)/,
  tools: /^(?:tools$|tool_schema\.)/,
  tool_choice: /^tool_choice\./,
  stream: /^stream\./,
  thinking: /^thinking\./,
  reasoning_effort: /^reasoning_effort\./,
};

/** Every request has them. */
const usualFieldNames = /^(?:model|messages)$/;

/** The demands of a change on a model. A member that is not sent any more demands nothing. */
function concernedBy(
  change: ShapeChange,
  locked: readonly RequestShape[],
): Readonly<Record<'capabilities' | 'fresh' | 'others', readonly string[]>> {
  const nothing = { capabilities: [], fresh: [], others: [] };
  if (change.kind !== 'changed' && change.kind !== 'appeared') return nothing;
  const { after } = change;
  if (unaskableReason(after) !== null) return { ...nothing, others: [after.request] };
  const used = capabilitiesUsed(after);
  const before = change.kind === 'changed' ? capabilitiesUsed(change.before) : [];
  const fresh = used.filter((capability) => !before.includes(capability));
  const places =
    change.kind === 'changed'
      ? change.differences.filter(({ after: now }) => now !== undefined).map(({ at }) => at)
      : Object.keys(after.body as object).map((name) => `body/${name}`);
  const sentBefore = new Set(locked.flatMap(({ body }) => (isObject(body) ? Object.keys(body) : [])));
  const found = places.map((at) => {
    const name = at.replace(/^body\//, '');
    const isNew = change.kind === 'changed' || !sentBefore.has(name);
    const family = families[/^body\/(\w+)/.exec(at)?.[1] ?? ''];
    return { at: name, isNew, own: used.filter((capability) => family?.test(capability) ?? false) };
  });
  return {
    capabilities: [...new Set([...fresh, ...found.flatMap(({ own }) => own)])],
    fresh,
    others: found.flatMap(({ at, isNew, own }) => (isNew && own.length === 0 && !usualFieldNames.test(at) ? [at] : [])),
  };
}

/** The capabilities, by id, that a request of this shape needs: form, stream, each keyword of its schemas, thinking. */
function capabilitiesUsed({ body }: RequestShape): readonly string[] {
  if (!isObject(body)) return [];
  const { response_format: format, tools, tool_choice: choice, stream, thinking, reasoning_effort: effort } = body;
  const member = (holder: Json | undefined, name: string): Json | undefined =>
    isObject(holder) ? holder[name] : undefined;
  const keywords = (schema: Json | undefined): readonly string[] => [...keywordsOf(schema ?? {})];
  const type = member(format, 'type');
  const list = Array.isArray(tools) ? (tools as readonly Json[]) : [];
  const isForm = type === 'json_schema' || type === 'json_object';
  const formOfFormat = isForm ? type : 'chat';
  const form = list.length > 0 ? 'tools' : formOfFormat;
  const choiceByName = typeof choice === 'string' ? choice : 'auto';
  const used = [
    ...(isForm ? [type] : []),
    ...keywords(member(member(format, 'json_schema'), 'schema')).map((keyword) => `schema.${keyword}`),
    ...(list.length > 0 ? [`tool_choice.${isObject(choice) ? 'object' : choiceByName}`] : []),
    ...list
      .flatMap((tool) => keywords(member(member(tool, 'function'), 'parameters')))
      .map((one) => `tool_schema.${one}`),
    ...(form === 'json_object' || form === 'json_schema' ? [] : [form]),
    ...(stream === true ? [`stream.${form}`] : []),
    ...[member(thinking, 'type')].flatMap((one) => (typeof one === 'string' ? [`thinking.${one}`] : [])),
    ...(typeof effort === 'string' ? [`reasoning_effort.${effort}`] : []),
  ];
  return [...new Set(used)];
}
