import { requestKind } from '../../chat/request-kind.js';
import { isObject, type Json, type JsonObject, writtenJson } from '../../json/json.js';
import type { Rule } from '../../judge/expectation.js';
import { firstAsk } from '../../plan/request/body-layers.js';
import { assemble, variablesOf } from '../../plan/request/request-body.js';
import { renderTemplates, TemplateError } from '../../plan/request/template.js';
import type { Cell, PlannedCell } from '../../plan/plan.js';
import { sumOf, type Count } from '../../stats/count.js';
import type { Axis, Probe, DeclaredCaveat, FormEvidence, NeedForm } from '../../suite/probe.js';
import { knownTrials, selects } from '../behaviours/behaviours.js';
import { isNumeric } from '../conditions/find-condition.js';
import type { ReportCell, RequestForm } from '../report-format.js';
import type { NeedName } from '../../suite/suite-file.js';

/** A request that was judged, as a client would describe it, and what came of it. */
export interface CellEvidence {
  readonly cell: Pick<ReportCell, 'key' | 'verdict' | 'class' | 'reason' | 'status' | 'trials' | 'failures'>;
  /** `SUITE/PROBE` */
  readonly probe: string;
  /** The kind of request, whatever is asked with it; null: it takes several, or is none. */
  readonly shape: string | null;
  /** Members sent beside messages and form: axes and settings by label, others by value. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels that a client may leave out. */
  readonly optional: ReadonlySet<string>;
  /** `max_tokens`; null: none was sent. */
  readonly cap: number | null;
  /** Whether this is one value of a search for the least cap. */
  readonly isSearched: boolean;
  /** The task, without its form. */
  readonly task: string;
  readonly promises: FormPromise;
  /** The answers were held to fields: by a schema or by rules about values. */
  readonly demandsFields: boolean;
  /** By what it is weighed: one of the next two. */
  readonly trials: Count;
  /** Answers that kept what the form promises, whatever their values. */
  readonly kept: Count;
  /** Answers that were right in every way. */
  readonly correct: Count;
  /** The setting has no effect. That is no fault of the form, but a client gains nothing by sending it. */
  readonly isWithoutEffect: boolean;
  /** The answers were held to rules about their values, not only to a structure. */
  readonly judgesValues: boolean;
}

/** Promises of a form of request, the least first. */
const formPromises = ['text', 'object', 'fields'] as const;
export type FormPromise = (typeof formPromises)[number];

/** Whether the first promises more than the second. */
export const promisesMore = (one: FormPromise, other: FormPromise): boolean =>
  formPromises.indexOf(one) > formPromises.indexOf(other);

/** Members of a request that say nothing about settings, or that are described in another way. */
const nonSettingFields: ReadonlySet<string> = new Set(
  'model messages response_format tools tool_choice stream stream_options max_tokens max_completion_tokens'.split(' '),
);

/** Parts of a request in which an axis is no setting, or shows as the request's form, cap or stream. */
const formMembers: ReadonlySet<string> = new Set(
  'messages response_format tools tool_choice stream max_tokens channel'.split(' '),
);

/** A request as a client would describe it. */
export type SentForm = Pick<CellEvidence, 'labels' | 'optional' | 'cap'>;

/**
 * Evidence of a cell about its form of request: one piece of evidence, or one for each value of a threshold search.
 * Nothing where the cell asks something else: how a schema is enforced, or whether a request fails as it should.
 */
export function evidenceOf(planned: PlannedCell, cell: ReportCell): readonly CellEvidence[] {
  const { probe } = planned.cell;
  const rules = firstAsk(probe)?.expect.rules ?? [];
  if (asksSomethingElse(probe)) return [];
  // A failure that a flaky need explains is no fault of the form.
  if (cell.flaky_needs?.explain === true) return [];
  const { shape, promises, hasSchema, task } = describedCell(planned);
  const judgesValues = rules.some(isOfValues);
  const shared = {
    cell,
    probe: `${cell.suite}/${cell.probe}`,
    ...sentBy(planned),
    shape: probe.steps.length > 1 ? null : shape,
    promises,
    task,
    demandsFields: hasSchema || judgesValues,
    judgesValues,
    isWithoutEffect: cell.class === 'ineffective',
  };
  const keeping = keepingShare(cell, rules);
  const counted = (correct: Count) => {
    const kept = withKept(correct, keeping);
    return { correct, kept, trials: kept };
  };
  if (probe.find?.axis === 'max_tokens' && cell.threshold !== null) {
    return cell.threshold.curve.map(([cap, passed, total]) => ({
      ...shared,
      cap,
      isSearched: true,
      ...counted({ passed, total }),
    }));
  }
  return [{ ...shared, isSearched: false, ...counted(knownTrials(cell)) }];
}

const isOfValues = ({ assert }: { readonly assert: string }): boolean => /\bvalue\b/.test(assert);

/** The share of a cell's failures in which the answer kept its form, 0 to 1; 0 without failures. */
function keepingShare(cell: ReportCell, rules: readonly Rule[]): number {
  const all = cell.failures.reduce((sum, { count = 1 }) => sum + count, 0);
  const keeping = cell.failures.reduce((sum, one) => sum + (keptForm(one, rules) ? (one.count ?? 1) : 0), 0);
  return all === 0 ? 0 : keeping / all;
}

/** Whether a failing answer had the right form, and only its values were wrong. */
function keptForm(failure: ReportCell['failures'][number], rules: readonly Rule[]): boolean {
  if (failure.class !== 'rule_violation') return false;
  return failure.violations.every(({ at }) => {
    const broken = rules.find(({ id }) => id === at);
    return broken === undefined || isOfValues(broken);
  });
}

function withKept({ passed, total }: Count, share: number): Count {
  return { passed: passed + Math.floor(share * (total - passed)), total };
}

function asksSomethingElse(probe: Probe): boolean {
  const expected = firstAsk(probe)?.expect;
  return probe.enforce !== null || expected?.outcome !== undefined || expected?.rejected?.only === true;
}

/** All trials of these together. */
export const trialsIn = (all: readonly Pick<CellEvidence, 'trials'>[]): Count => sumOf(all.map(({ trials }) => trials));

export function sentBy(planned: PlannedCell): SentForm {
  const { labels, optional, cap } = describedCell(planned);
  return { labels, optional, cap };
}

/** The form in which the first request of a cell asks, whatever its suite calls it. */
export function requestFormOf(planned: PlannedCell): RequestForm {
  return describedCell(planned).request;
}

interface Described extends SentForm, Pick<CellEvidence, 'shape' | 'promises' | 'task'> {
  readonly hasSchema: boolean;
  readonly request: RequestForm;
}

/** Several parts of a report ask for the same cell, and to fill the templates of its request takes longest. */
const describedCellCache = new WeakMap<Cell, Described>();

function describedCell(planned: PlannedCell): Described {
  const before = describedCellCache.get(planned.cell);
  if (before !== undefined) return before;
  const body = bodyOfPlanned(planned);
  const described = { ...describedRequest(body, planned.cell), ...sentIn(body, planned.cell) };
  describedCellCache.set(planned.cell, described);
  return described;
}

function sentIn(body: JsonObject, { probe, point, model }: Cell): SentForm {
  const axes = probe.axes.flatMap((axis) => (axis.kind === 'settings' ? [[axis.name, axis.settings] as const] : []));
  const patches = axes.map(([name, settings]) => [name, model.settings[settings]?.[point[name] ?? '']] as const);
  const patched = new Set(patches.flatMap(([, patch]) => Object.keys(patch ?? {})));
  const members = Object.entries(body).filter(
    ([name]) => !nonSettingFields.has(name) && !patched.has(name) && !Object.hasOwn(model.request, name),
  );
  const unsent = new Set(patches.flatMap(([name, patch]) => (patch !== undefined && isNothing(patch) ? [name] : [])));
  const labels = Object.entries(point).filter(([name]) => !unsent.has(name) && !isShownByForm(name, probe.axes));
  return {
    labels: {
      ...Object.fromEntries(members.map(([name, value]) => [name, textOrDefault(value, writtenJson(value))])),
      ...Object.fromEntries(labels),
      ...formLabels(body),
    },
    optional: new Set([...axes.map(([name]) => name), ...members.map(([name]) => name)]),
    cap: capIn(body, point['max_tokens']),
  };
}

function promiseOfForm(form: string): Described['promises'] {
  if (form === 'json_schema' || form === 'tools') return 'fields';
  return form === 'json_object' ? 'object' : 'text';
}

function describedRequest(body: JsonObject, { probe }: Cell): Omit<Described, keyof SentForm> {
  const { format, choice, form, stream } = requestKind(body);
  const isConstrained = form === 'json_schema' || form === 'tools';
  const isRequest = isSpoken(body['messages']);
  return {
    shape: isRequest ? writtenJson([format, choice !== null]) : null,
    promises: promiseOfForm(form),
    hasSchema: !isRequest || isConstrained || firstAsk(probe)?.expect.schema !== undefined,
    task: taskOf(body, probe),
    request: { form, choice, stream },
  };
}

/** Probes over the same samples ask for the same, in whatever words; without samples, those of one wording do. */
function taskOf(body: JsonObject, { samples }: Probe): string {
  if (samples.length > 0) return writtenJson(samples[0]);
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly Json[]) : [];
  return writtenJson(messages.filter((one) => isObject(one) && one['role'] === 'user'));
}

function bodyOfPlanned({ cell, ...planned }: PlannedCell): JsonObject {
  const step = firstAsk(cell.probe)?.id ?? 'request';
  const ask = { kind: cell.probe.enforce === null ? 'trial' : 'valid', patch: {}, sample: 0 } as const;
  const body = assemble(cell, ask, step);
  if (cell.probe.enforce !== null) return body;
  try {
    return renderTemplates(body, variablesOf({ cell, ...planned }, ask)) as JsonObject;
  } catch (error) {
    if (error instanceof TemplateError) return body;
    throw error;
  }
}

function isShownByForm(name: string, axes: readonly Axis[]): boolean {
  const axis = axes.find((one) => one.name === name);
  if (axis?.kind === 'values') return formMembers.has(axis.at[0] ?? '');
  return axis === undefined && formMembers.has(name);
}

function isNothing(patch: JsonObject | null): boolean {
  return patch === null || Object.keys(patch).length === 0;
}

function capIn(body: JsonObject, label: string | undefined): number | null {
  const sent = body['max_tokens'] ?? body['max_completion_tokens'];
  if (typeof sent === 'number') return sent;
  return label !== undefined && isNumeric(label) ? Number(label) : null;
}

function formLabels(body: JsonObject): Record<string, string> {
  const { format, isStrict, choice, tools, stream } = requestKind(body);
  return {
    ...(isSpoken(body['messages']) && { stream: String(stream) }),
    ...(format !== null && { json_word: hasJsonWord(body['messages']) ? 'present' : 'absent' }),
    ...(isStrict !== null && { strict: String(isStrict) }),
    ...(choice !== null && { tools: tools.size > 1 ? 'several' : 'one', tool_choice: choice }),
  };
}

/** A body without messages is no request. */
function isSpoken(messages: Json | undefined): boolean {
  return Array.isArray(messages) && messages.length > 0;
}

function textOrDefault(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function hasJsonWord(messages: Json | undefined): boolean {
  return /json/i.test(writtenJson(messages ?? ''));
}

type EvidenceByCell = (cell: ReportCell) => readonly CellEvidence[];

/**
 * Cells that say something about a form: its own cells, those that suites name, and every other whose request has this
 * form, unless it fails for a reason of its own.
 */
export function evidenceFor(
  { capability, budget, need }: NeedForm,
  cells: readonly ReportCell[],
  evidenceByCell: EvidenceByCell,
  declared: readonly FormEvidence[],
): readonly CellEvidence[] {
  const named = declared.filter((one) => one.capability === capability);
  const isNamed = selects(named.flatMap((one) => one.cells ?? []));
  const isDeclared = declaredBy(named);
  const isItself = (cell: ReportCell): boolean => cell.capability === capability || cell.capability === budget;
  const isOwn = (cell: ReportCell): boolean => isItself(cell) || (isNamed(cell) && !isDeclared(cell));
  const own = cells.filter(isOwn).flatMap(evidenceByCell);
  const shapes = new Set(
    cells
      .filter(isItself)
      .flatMap(evidenceByCell)
      .map(({ shape }) => shape),
  );
  const further = cells.filter((cell) => !isOwn(cell) && !failsForItself(cell, isDeclared(cell)));
  const alike = further.flatMap(evidenceByCell).filter(({ shape }) => shape !== null && shapes.has(shape));
  const all = [...own, ...alike].filter((one) => tellsOf(need, one));
  return all.some(({ labels, trials }) => labels['stream'] === 'true' && trials.total > 0)
    ? all
    : [...all, ...streamsOfOthers(named, cells, evidenceByCell)];
}

/** A right answer to a request without fields says nothing about fields; a missing one does. */
function tellsOf(need: NeedName, { demandsFields, trials }: CellEvidence): boolean {
  return need !== 'structured' || demandsFields || trials.passed < trials.total;
}

/** Whether a caveat of these tells of the cell, as far as it fails in one of the caveat's ways. */
function declaredBy(declared: readonly FormEvidence[]): (cell: ReportCell) => boolean {
  const tests = declared.flatMap(({ caveats = [] }) =>
    caveats.map(({ of, class: classes }) => ({ isOf: selects(of), classes })),
  );
  return (cell) =>
    tests.some(({ isOf, classes }) => isOf(cell) && (cell.class === null || isDeclaredClass(classes, cell.class)));
}

export const isDeclaredClass = (classes: DeclaredCaveat['class'], own: ReportCell['class']): boolean =>
  classes === undefined || (own !== null && classes.includes(own));

/** A failure of a demand of this probe alone, or of a prompt in a caveat. A refusal concerns every prompt. */
function failsForItself({ verdict, rung }: ReportCell, isDeclared: boolean): boolean {
  if (verdict !== 'fail' && verdict !== 'flaky') return false;
  return isDeclared && rung !== null;
}

/** Where the form was not asked as a stream, the streams of another one count, but only where they fail. */
function streamsOfOthers(
  named: readonly FormEvidence[],
  cells: readonly ReportCell[],
  evidenceByCell: EvidenceByCell,
): readonly CellEvidence[] {
  const isStream = selects(named.flatMap((one) => one.streams ?? []));
  return cells
    .filter(isStream)
    .flatMap(evidenceByCell)
    .filter(({ trials }) => trials.passed === 0);
}
