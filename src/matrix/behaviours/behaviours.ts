import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import { isJudged, type Verdict } from '../../cell/verdict.js';
import { isObject, type Json, writtenJson } from '../../json/json.js';
import { evaluateAll, type Evaluated } from '../../judge/jsonata/jsonata-engine.js';
import { sumOf, type Count } from '../../stats/count.js';
import { boundOver, evidenceOfTwoRates } from '../../stats/evidence.js';
import type { Behaviour } from '../../suite/probe.js';
import { isNumeric } from '../conditions/find-condition.js';
import { doubtCount, knownCount } from '../cell-evidence.js';
import type { CellSeen, SeenPrompt } from '../gathered.js';
import type { Note } from '../notes.js';
import type { ReportBehaviour, ReportCell } from '../report-format.js';

interface BehavioursInput {
  readonly behaviours: readonly Behaviour[];
  readonly model: string;
  readonly cells: readonly BehaviourCell[];
  /** Verdict of each capability of the model. */
  readonly capabilities: Readonly<Record<string, string>>;
}

interface BehavioursFound {
  readonly behaviours: readonly ReportBehaviour[];
  /** One for each behaviour that could not be evaluated. */
  readonly problems: readonly Note[];
}

/** The behaviours that one model shows. An expression that fails is a problem, and its behaviour is not reported. */
export async function behavioursOf(input: BehavioursInput): Promise<BehavioursFound> {
  const found: ReportBehaviour[] = [];
  const problems: Note[] = [];
  const asked = evaluateBehaviours(
    input.behaviours.map(({ when }) => when),
    input,
  );
  for (const [index, behaviour] of input.behaviours.entries()) {
    try {
      const shown = await shownBy(evaluatedValue(asked[index]), behaviour, input);
      if (shown) found.push(shown);
    } catch (error) {
      const { id, place } = behaviour;
      const at = `${place.file}:${place.line}`;
      problems.push({ kind: 'behaviour', id, place: at, model: input.model, error: thrownMessage(error) });
    }
  }
  return { behaviours: found, problems };
}

async function shownBy(result: Json, behaviour: Behaviour, input: BehavioursInput): Promise<ReportBehaviour | null> {
  const { cells, values } = evidenceIn(result, input);
  if (cells.length === 0) return null;
  if (behaviour.unless !== undefined) {
    const [excused] = evaluateBehaviours([`$boolean((${behaviour.unless}))`], input);
    if (evaluatedValue(excused) === true) return null;
  }
  const filled = { ...values, model: input.model };
  return {
    id: behaviour.id,
    model: input.model,
    title: await fill(behaviour.title, filled),
    cells,
    advice: await fill(behaviour.advice, filled),
  };
}

function evaluateBehaviours(
  expressions: readonly string[],
  { model, cells, capabilities }: BehavioursInput,
): readonly Evaluated[] {
  const input = { model, cells, capabilities } as unknown as Json;
  const functions = vocabularyOf(cells, capabilities);
  return evaluateAll(expressions, input, functions);
}

function evaluatedValue(answer: Evaluated | undefined): Json {
  if (answer?.ok !== true) throw new TypeError(answer?.error);
  return answer.value;
}

function evidenceIn(
  result: Json | undefined,
  { cells }: BehavioursInput,
): { cells: string[]; values: Record<string, unknown> } {
  if (result === undefined || result === null || result === false) return { cells: [], values: {} };
  if (result === true) throw new TypeError('`when` returned true; it must return the cells that show the behaviour');
  if (isObject(result) && !('key' in result)) {
    const { cells: shown, ...values } = result;
    return { ...evidenceIn(shown, { cells } as BehavioursInput), values };
  }
  const keys = [result].flat(2).map((item) => (isObject(item) ? item['key'] : item));
  const known = new Set(cells.map((cell) => cell.key));
  const unknown = keys.find((key) => typeof key !== 'string' || !known.has(key));
  if (unknown !== undefined) throw new TypeError(`\`when\` returned ${writtenJson(unknown)}, which is not a cell`);
  return { cells: [...new Set(keys as string[])], values: {} };
}

async function fill(text: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  if (!text.includes('{{')) return text;
  const { default: handlebars } = await import('handlebars');
  return handlebars.compile(text, { noEscape: true, strict: true })(values);
}

function thrownMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error);
}

type Which = string | readonly string[];
type OneOrMany<T> = T | readonly T[];
interface How {
  readonly class?: OneOrMany<string>;
  readonly reason?: OneOrMany<string>;
  readonly status?: OneOrMany<number>;
}

/** The functions that behaviours may call, over the cells of one model: docs/outcomes.md. */
function vocabularyOf(cells: readonly BehaviourCell[], capabilities: Readonly<Record<string, string>>) {
  const $cells = (which?: Which) => (which === undefined ? cells : cells.filter(selects(which)));
  const $tried = (which?: Which) => $cells(which).filter(isJudged);
  const $those = (which: Which | OneOrMany<BehaviourCell> | undefined) =>
    many<string | BehaviourCell>(which).flatMap((one) => (typeof one === 'string' ? $cells(one) : one));
  const withVerdict = (verdicts: readonly Verdict[]) => (which?: Which, how?: How) =>
    $cells(which).filter((cell) => verdicts.includes(cell.verdict) && fails(cell, how));
  const $passes = (which?: Which) => $cells(which).filter((cell) => cell.verdict === 'pass');
  return {
    cells: $cells,
    tried: $tried,
    passes: $passes,
    fails: withVerdict(['fail']),
    flaky: withVerdict(['flaky']),
    falters: withVerdict(['fail', 'flaky']),
    works: (which?: Which) => someAndEvery($tried(which), (cell) => cell.verdict === 'pass'),
    broken: (which?: Which, how?: How) =>
      someAndEvery($tried(which), (cell) => cell.verdict === 'fail' && fails(cell, how)),
    worse: (some?: Which | OneOrMany<BehaviourCell>, others?: Which | OneOrMany<BehaviourCell>) =>
      isWorse($those(some), $those(others)),
    sibling: (cell?: BehaviourCell, point: Readonly<Record<string, unknown>> = {}) =>
      cells.find((other) => isSibling(cell, other, point)),
    most: (among: OneOrMany<BehaviourCell> | undefined, axis: string) => byLabel(among, axis).at(-1),
    least: (among: OneOrMany<BehaviourCell> | undefined, axis: string) => byLabel(among, axis)[0],
    threshold: (which: Which, axis: string) => behaviourThreshold($tried(which), axis),
    samePrompts: (which?: Which) => withSamePrompts($tried(which), cells),
    verdict: (capability: string) => (Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined),
  };
}

/** A failure that a flaky need explains is no evidence of anything else. */
function fails(cell: BehaviourCell, how: How | undefined): boolean {
  if (cell.explained_by_need) return false;
  if (how === undefined) return true;
  return agrees(how.class, cell.class) && agrees(how.reason, cell.reason) && agrees(how.status, cell.status);
}

function agrees<T>(wanted: OneOrMany<T> | undefined, found: T | null): boolean {
  return wanted === undefined || (found !== null && many(wanted).includes(found));
}

function many<T>(value: OneOrMany<T> | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function someAndEvery(cells: readonly BehaviourCell[], test: (cell: BehaviourCell) => boolean): boolean {
  return cells.length > 0 && cells.every(test);
}

function isSibling(
  cell: BehaviourCell | undefined,
  other: BehaviourCell,
  point: Readonly<Record<string, unknown>>,
): boolean {
  if (cell?.suite !== other.suite || cell.probe !== other.probe) return false;
  const wanted = { ...cell.point, ...point };
  const axes = new Set([...Object.keys(wanted), ...Object.keys(other.point)]);
  return [...axes].every((axis) => String(wanted[axis]) === other.point[axis]);
}

function byLabel(among: OneOrMany<BehaviourCell> | undefined, axis: string): BehaviourCell[] {
  return many(among)
    .filter((cell) => isNumeric(cell.point[axis] ?? ''))
    .toSorted((a, b) => Number(a.point[axis]) - Number(b.point[axis]));
}

/** The threshold that a search measured, otherwise the smallest label from which every cell passes. */
function behaviourThreshold(cells: readonly BehaviourCell[], axis: string): number | undefined {
  const searched = cells.flatMap((cell) => cell.threshold?.value ?? []);
  if (searched.length > 0) return Math.max(...searched);
  const ascending = byLabel(cells, axis);
  const lastFailing = ascending.findLastIndex((cell) => cell.verdict !== 'pass');
  const limit = Number(ascending[lastFailing]?.point[axis] ?? Number.NEGATIVE_INFINITY);
  const next = ascending.find((cell) => Number(cell.point[axis]) > limit);
  return next && Number(next.point[axis]);
}

/**
 * Whether these cells pass less often than the others, by more than chance explains; a cell is no contrast to itself.
 */
function isWorse(cells: readonly BehaviourCell[], others: readonly BehaviourCell[]): boolean {
  const own = new Set(cells.map(({ key }) => key));
  const [seen, compared] = [
    passCountOf(cells),
    passCountOf(others.filter(({ key, explained_by_need }) => !own.has(key) && !explained_by_need)),
  ];
  return evidenceOfTwoRates(compared, seen) >= boundOver(1);
}

function passCountOf(cells: readonly BehaviourCell[]): Count {
  return sumOf(cells.map(({ known }) => known));
}

/**
 * The cells whose requests with tools cost as many prompt tokens as the same messages without any, with that number.
 * None where tools are counted once, where nobody asked, or where every prompt costs the same.
 */
function withSamePrompts(
  some: readonly BehaviourCell[],
  all: readonly BehaviourCell[],
): readonly (BehaviourCell & { readonly prompt_tokens: number })[] {
  const prompts = all.flatMap((cell) => cell.prompts);
  if (new Set(prompts.map(({ tokens }) => tokens)).size < 2) return [];
  const bare = new Map(prompts.filter((one) => !one.has_tools).map(({ messages, tokens }) => [messages, tokens]));
  const pairs = some.flatMap((cell) =>
    cell.prompts
      .filter((one) => one.has_tools && bare.has(one.messages))
      .map(({ messages, tokens }) => ({ cell, tokens, isSame: bare.get(messages) === tokens })),
  );
  if (pairs.some(({ isSame }) => !isSame)) return [];
  const byKey = new Map(pairs.map(({ cell, tokens }) => [cell.key, { ...cell, prompt_tokens: tokens }]));
  return [...byKey.values()];
}

/** A cell as behaviours see it: docs/outcomes.md. */
interface BehaviourCell {
  readonly key: string;
  readonly suite: string;
  readonly probe: string;
  readonly point: Readonly<Record<string, string>>;
  readonly capability: string;
  readonly verdict: Verdict;
  readonly class: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly rung: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly faults: number;
  /** Trials of the cell, with those of earlier runs as long as it has not changed. */
  readonly known: Count;
  readonly quirks: readonly string[];
  readonly threshold: ReportCell['threshold'];
  readonly enforcement: string | null;
  readonly reasoning_took_tokens: number;
  /** Cost of its first conversations, and the number of calls. */
  readonly prompts: readonly SeenPrompt[];
  /** Whether its failures may be those of a flaky need, and say nothing about the cell itself. */
  readonly explained_by_need: boolean;
}

export function behaviourCell(cell: ReportCell, seen: CellSeen | undefined): BehaviourCell {
  const { key, suite, probe, point, capability, verdict, reason, status, detail, rung, quirks, threshold } = cell;
  const { total, passed, faults } = cell.trials;
  return {
    key,
    suite,
    probe,
    point,
    capability,
    verdict,
    class: cell.class,
    reason,
    status,
    detail,
    rung,
    total,
    passed,
    failed: total - passed,
    faults,
    known: knownTrials(cell),
    quirks,
    threshold,
    enforcement: cell.enforcement,
    reasoning_took_tokens: seen?.reasoningTookTokens ?? 0,
    prompts: seen?.prompts ?? [],
    explained_by_need: cell.flaky_needs?.explain ?? false,
  };
}

/**
 * Results of earlier runs count as well, unless it may have changed since: a flaky cell may pass once
 * in this run.
 */
export function knownTrials(cell: Pick<ReportCell, 'evidence' | 'standing' | 'trials'>): Count {
  const { standing, trials } = cell;
  const known = knownCount(cell);
  const isAsKnown = standing === 'as_expected' || standing === 'unreliable' || standing === null;
  return isAsKnown && doubtCount(cell) === null && known !== null && known.total > trials.total ? known : trials;
}

/** A cell as patterns see it. */
interface SelectableCell {
  readonly key: string;
  readonly capability: string;
}

/** Whether a cell is meant by one of the patterns: one with a slash selects keys, one without capability ids. */
export function selects(which: string | readonly string[]): (cell: SelectableCell) => boolean {
  const tests = (typeof which === 'string' ? [which] : which).map((pattern) => {
    const test = pattern.includes('/') ? compilePattern(pattern) : compileGlob(pattern);
    return (cell: SelectableCell) => test(pattern.includes('/') ? cell.key : cell.capability);
  });
  return (cell) => tests.some((test) => test(cell));
}
