import { isJudgement } from '../cell/verdict.js';
import { groupBy } from '../json/group-by.js';
import { isObject, type Json } from '../json/json.js';
import type { Report, ReportCapability, ReportCell } from '../matrix/report-format.js';
import { whatFailed } from '../report/words/facts.js';
import type { ShapeChange } from './compare-shapes.js';
import type { RequestShape } from './shape-of.js';

/** What a run says of everything that a change asks of its models. */
export interface SaidByRun {
  readonly supported: readonly { readonly capability: string; readonly model: string }[];
  readonly unsupported: readonly Unsupported[];
  readonly unknown: readonly Unknown[];
}

/** Something that is sent now, and that a model cannot do as far as the run knows, or only sometimes or on a condition. */
interface Unsupported {
  readonly capability: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  /** Nothing that was sent before needs it. */
  readonly fresh: boolean;
  /** `answers that with http_error 500, tool_choice_unsupported`; `does that only with max_tokens >= 2048` */
  readonly says: string;
}

/** Something that is sent now, and of which the run does not know whether a model takes it. */
interface Unknown {
  /** A capability, or a place of the request that belongs to none: `max_completion_tokens`. */
  readonly what: string;
  /** `TARGET/MODEL`; null: of no model of the run. */
  readonly model: string | null;
  readonly says: string;
}

const unasked = 'no cell of the run asked for it';
const unjudged = 'none of the cells that asked for it could be judged';
const unrelated = 'no capability of the run is about it';

export function saidByRun(change: ShapeChange, report: Report): SaidByRun {
  const { capabilities, fresh, others } = concernedBy(change);
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const supported: SaidByRun['supported'][number][] = [];
  const unsupported: Unsupported[] = [];
  const unknown: Unknown[] = [];
  for (const capability of capabilities) {
    const found = report.capabilities.filter((one) => one.capability === capability);
    if (found.length === 0) unknown.push({ what: capability, model: null, says: unasked });
    for (const { id: model } of found.length === 0 ? [] : report.models) {
      const one = found.find((other) => other.model === model);
      if (one === undefined) unknown.push({ what: capability, model, says: unasked });
      else if (one.verdict === 'inconclusive') unknown.push({ what: capability, model, says: unjudged });
      else if (one.verdict === 'pass') supported.push({ capability, model });
      else unsupported.push({ capability, model, fresh: fresh.has(capability), says: says(one, cells) });
    }
  }
  unknown.push(...others.map((what) => ({ what, model: null, says: unrelated })));
  return { supported, unsupported, unknown };
}

/** Without a judged cell, a run says nothing of any change. */
export const judgedCells = (report: Report): number =>
  report.cells.filter(({ verdict }) => isJudgement(verdict)).length;

function says(one: ReportCapability, cells: ReadonlyMap<string, ReportCell>): string {
  const failing = one.cells
    .flatMap((key) => cells.get(key) ?? [])
    .find(({ verdict }) => verdict === 'fail' || verdict === 'flaky');
  const failed = failing === undefined ? '' : whatFailed(failing);
  switch (one.verdict) {
    case 'partial':
      return one.condition === null ? `does that in part (${failed})` : `does that on a condition: ${one.condition}`;
    case 'flaky':
      return `does that only sometimes${failed === '' ? '' : ` (${failed})`}`;
    default:
      return failing?.class === 'http_error'
        ? `answers that with ${failed}`
        : `cannot do that${failed === '' ? '' : `: ${failed}`}`;
  }
}

/** What the run says of a change, a line for what holds alike: `=` supported, `!` not, `?` not known. */
export function saidLines({ supported, unsupported, unknown }: SaidByRun): readonly string[] {
  const byCapability = groupBy(supported, ({ capability }) => capability);
  const byModels = groupBy([...byCapability], ([, all]) => all.map(({ model }) => model).join(', '));
  const byReason = groupBy(unknown, ({ model, says: why }) => `${model === null ? '' : ` of ${model}`}\n${why}`);
  return [
    ...[...byModels].map(([models, all]) => `  = supported by ${models}: ${all.map(([one]) => one).join(', ')}`),
    ...unsupported.map((one) => `  ! ${one.fresh ? 'now needs' : 'needs'} ${one.capability}: ${one.model} ${one.says}`),
    ...[...byReason].map(([key, all]) => {
      const [of, why] = key.split('\n');
      return `  ? not known${of}: ${all.map(({ what }) => what).join(', ')}: ${why}`;
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

/** What a change asks of a model: capabilities, those of them that are new, and what belongs to none. */
function concernedBy(change: ShapeChange) {
  const nothing = { capabilities: new Set<string>(), fresh: new Set<string>(), others: [] as readonly string[] };
  if (change.kind !== 'changed' && change.kind !== 'appeared') return nothing;
  const { after } = change;
  if (!/\/chat\/completions(?:\?|$)/.test(after.request)) return { ...nothing, others: [after.request] };
  const used = capabilitiesUsed(after);
  const before = change.kind === 'changed' ? capabilitiesUsed(change.before) : new Set<string>();
  const fresh = new Set([...used].filter((capability) => !before.has(capability)));
  // Every request has a model and messages. What is not sent any more asks nothing.
  const places =
    change.kind === 'changed'
      ? change.differences.flatMap(({ at, after: now }) => (now === undefined ? [] : [at]))
      : Object.keys(isObject(after.body) ? after.body : {}).flatMap((name) =>
          name === 'model' || name === 'messages' ? [] : [`body/${name}`],
        );
  const found = places.map((at) => {
    const family = families[at.split('/')[1] ?? ''];
    const own = family === undefined || !at.startsWith('body/') ? [] : [...used].filter((id) => family.test(id));
    return { at, own };
  });
  return {
    capabilities: new Set([...fresh, ...found.flatMap(({ own }) => own)]),
    fresh,
    others: found.flatMap(({ at, own }) => (own.length > 0 ? [] : [at.replace(/^body\//, '')])),
  };
}

/**
 * The capabilities, by id, that a request of this shape needs of a model: the form, the stream, each keyword of its
 * schemas, and thinking.
 */
export function capabilitiesUsed({ body }: Pick<RequestShape, 'body'>): ReadonlySet<string> {
  const used = new Set<string>();
  if (!isObject(body)) return used;
  const { response_format: format, tools, tool_choice: choice, thinking, reasoning_effort: effort } = body;
  const type = isObject(format) ? format['type'] : null;
  if (type === 'json_schema' || type === 'json_object') used.add(type);
  if (isObject(format) && isObject(format['json_schema']))
    for (const keyword of keywordsIn(format['json_schema']['schema'])) used.add(`schema.${keyword}`);
  const hasTools = Array.isArray(tools) && tools.length > 0;
  if (hasTools) {
    used.add('tools');
    used.add(`tool_choice.${isObject(choice) ? 'object' : typeof choice === 'string' ? choice : 'auto'}`);
    for (const tool of tools as readonly Json[])
      if (isObject(tool) && isObject(tool['function']))
        for (const keyword of keywordsIn(tool['function']['parameters'])) used.add(`tool_schema.${keyword}`);
  }
  const form = hasTools ? 'tools' : typeof type === 'string' ? type : 'chat';
  if (form === 'chat') used.add('chat');
  if (body['stream'] === true) used.add(`stream.${form}`);
  if (isObject(thinking) && typeof thinking['type'] === 'string') used.add(`thinking.${thinking['type']}`);
  if (typeof effort === 'string') used.add(`reasoning_effort.${effort}`);
  return used;
}

/** Members of a schema whose own members are names, or data, and no keywords. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const data = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);

function keywordsIn(schema: Json | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const item of schema as readonly Json[]) keywordsIn(item, found);
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (named.has(keyword) && isObject(value)) for (const member of Object.values(value)) keywordsIn(member, found);
    else if (!data.has(keyword)) keywordsIn(value, found);
  }
  return found;
}
