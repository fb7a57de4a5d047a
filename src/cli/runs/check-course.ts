import type { ModelConfig } from '../../config/config.js';
import type { Finding } from '../../decide/course.js';
import type { Problem } from '../../files/problems/problem.js';
import { groupBy } from '../../json/group-by.js';
import { type Json, type JsonObject, parsedJson, writtenJson } from '../../json/json.js';
import { clueOfCell } from '../../matrix/advice.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { createCellRequests, variablesOf } from '../../plan/request/request-body.js';
import type { Plan, PlannedCell } from '../../plan/plan.js';
import { type CheckAnswer, type CheckedForm, isRefuted } from '../../report/checks/render-check.js';
import { type Measured, measuring } from '../../report/gather/answer-times.js';
import { defaultTest } from '../../stats/sequential-test.js';

/** The question of a user: does this schema hold with this prompt? */
export interface CheckQuestion {
  readonly schema: JsonObject;
  readonly schemaFile: string;
  /** Of the schema in a request, and of the function that takes it. */
  readonly name: string;
  readonly prompt: string;
  /** For the schema. */
  readonly warnings: readonly Problem[];
}

/** The axes by which a cell of the suite differs from its form alone. */
const capAxis = 'max_tokens';
const strictAxis = 'strict';
const choiceAxis = 'tool_choice';
/** Of the probes whose trials confirm what others chose. */
const againTag = 'again';

/**
 * The suite of a check: one schema and one prompt in each form that can carry them, over caps and over the model's
 * settings, and all of it again, for fresh trials of what was chosen.
 * @param caps values of max_tokens; empty: what the config sends is not varied
 */
export function checkSuite(question: CheckQuestion, { settings }: ModelConfig, caps: readonly number[]): JsonObject {
  const { name } = question;
  const [schema, prompt] = [literalSchema(question.schema), literal(question.prompt)];
  const tool = { name, description: 'Takes the result.', strict: true, parameters: schema };
  const inPrompt = `Return only one JSON object that conforms to this JSON Schema, and nothing else.\n\n${literal(writtenJson(question.schema))}`;
  const asked = (system: string): Json => [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  const constrained: CheckProbe = {
    title: 'The schema in response_format',
    capability: 'json_schema',
    request: {
      messages: asked('Return only JSON that matches the requested schema.'),
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    },
    vary: { [strictAxis]: { at: '/response_format/json_schema/strict', points: { true: true, false: false } } },
  };
  const forms: Readonly<Record<string, CheckProbe>> = !takesObjects(schema)
    ? { 'json-schema': constrained }
    : {
        'json-schema': constrained,
        'tool-call': {
          title: 'The schema as the parameters of a function',
          capability: `tool_choice.{{${choiceAxis}}}`,
          request: {
            messages: asked('Call the function with what the text says.'),
            tools: [{ type: 'function', function: tool }],
          },
          vary: { [choiceAxis]: { required: 'required', object: { type: 'function', function: { name } } } },
        },
        'json-object': {
          title: 'json_object, with the schema in the prompt',
          capability: 'json_object',
          expect: { schema },
          request: { messages: asked(inPrompt), response_format: { type: 'json_object' } },
          vary: {},
        },
      };
  const probes = [null, ...Object.keys(settings)].flatMap((setting) =>
    Object.entries(forms).flatMap(([form, probe]) =>
      [false, true].map((again) => {
        const parts = [form, ...(setting === null ? [] : [setting]), ...(again ? ['again'] : [])];
        const vary = {
          ...probe.vary,
          ...(setting !== null && { [setting]: { settings: setting } }),
          ...(caps.length > 0 && { [capAxis]: caps }),
        };
        const key = parts
          .join('-')
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-');
        return [key, { ...probe, vary, ...(again && { tags: [againTag] }) }] as const;
      }),
    ),
  );
  const title = `${name}: one schema and one prompt`;
  return { suite: 'check', title, vars: templateVars, probes: Object.fromEntries(probes) };
}

interface CheckProbe extends JsonObject {
  readonly capability: string;
  readonly vary: JsonObject;
}

/** Whether an object can conform: only those can be arguments of a function, or come with json_object. */
function takesObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The braces and backslashes that would begin a template come from variables, whose values are never templates. */
const templateVars = { open: '{{', slash: '\\' };
const literal = (text: string): string =>
  text.replace(/(\\*)\{\{/g, (_, slashes: string) => `${'{{slash}}'.repeat(slashes.length)}{{open}}`);

/** The same for every text of a schema. */
function literalSchema(schema: JsonObject): JsonObject {
  const text = writtenJson(schema, undefined, (_, part: unknown) => (typeof part === 'string' ? literal(part) : part));
  return parsedJson(text) as JsonObject;
}

/**
 * Fresh trials that must all pass before a form is relied on: of several forms, one that fails once in six passes its
 * first ten more often than not, and forty of those once in 1,500 times.
 */
export const confirming = 40;

/** Values of max_tokens that are tried unless the user names some. */
export const usualCaps: readonly number[] = [256, 512, 1024, 2048, 4096, 16384];
/** The one that every form is asked with first; what is cut may pass with more, what is refused with fewer. */
const [ampleCap, capForCut, capForRefused] = [4096, 16384, 1024];

/** Decided by its own trials alone, by the same rates as everywhere; but a user is waiting. */
function plannedFor(planned: PlannedCell, trials: number | null): PlannedCell {
  const alone = { ...planned, confirm: false };
  return trials === null && !isAgain(planned)
    ? { ...alone, course: 'sequential', trials: { kind: 'decided', ...defaultTest, max: 20 } }
    : { ...alone, course: 'fixed', trials: { kind: 'count', count: trials ?? confirming } };
}

type CheckFindings = ReadonlyMap<string, Finding>;

interface CheckCourseOptions {
  /** The caps were named: all of them are asked, and no other. */
  readonly fixedCaps: boolean;
  /** Output tokens of the longest answer of a cell that passed; null: unknown. */
  readonly longest: (cell: string) => number | null;
}

/** Asked first: every form without settings, under one ample cap or under those that were named. */
function isFirstCell(planned: PlannedCell, fixedCaps: boolean): boolean {
  return !isAgain(planned) && isPlain(planned) && (fixedCaps || isAmple(planned));
}

/**
 * The cells that the findings ask for: fresh trials of the first form that has no failure, with the smallest cap that
 * leaves room for its answers; where no form is left, what never passed is asked otherwise.
 */
function nextCells(
  cells: readonly PlannedCell[],
  findings: CheckFindings,
  options: CheckCourseOptions,
): readonly PlannedCell[] {
  const sameForm = ({ cell }: PlannedCell): string =>
    writtenJson([cell.capability, { ...cell.point, [capAxis]: undefined }]);
  for (const form of groupBy(cellsByRank(cells), sameForm).values()) {
    const next = confirmationOf(form, findings, options);
    if (next === 'confirmed') return [];
    if (next !== null) return [next];
  }
  const failed = cells.filter(
    (one) => isFirstCell(one, options.fixedCaps) && findings.get(one.cell.key)?.verdict === 'fail',
  );
  const otherwise = (planned: PlannedCell, { cell }: PlannedCell): boolean => {
    if (planned.cell.capability !== cell.capability) return false;
    if (!isPlain(planned)) return options.fixedCaps || isAmple(planned);
    const failure = findings.get(cell.key)?.class;
    const cap = failure === 'truncated' ? capForCut : failure === 'http_error' ? capForRefused : null;
    return !options.fixedCaps && capOfCell(planned) === cap;
  };
  return cells.filter(
    (planned) => !isAgain(planned) && !findings.has(planned.cell.key) && failed.some((one) => otherwise(planned, one)),
  );
}

/**
 * A planned cell, `confirmed`, or null: it cannot be relied on. A failure counts for every cap, unless the answer was
 * only cut.
 */
function confirmationOf(
  form: readonly PlannedCell[],
  findings: CheckFindings,
  { fixedCaps, longest }: CheckCourseOptions,
): PlannedCell | 'confirmed' | null {
  const seen = form.flatMap((planned) => {
    const finding = findings.get(planned.cell.key);
    return finding === undefined
      ? []
      : [{ planned, finding, passes: finding.verdict === 'pass' && finding.needed === 0 }];
  });
  if (seen.some(({ passes, finding }) => !passes && finding.class !== 'truncated')) return null;
  if (seen.some(({ passes, planned }) => passes && isAgain(planned))) return 'confirmed';
  const passing = seen.filter(({ passes, planned }) => passes && !isAgain(planned)).map(({ planned }) => planned);
  const caps = passing.map(capOfCell);
  const room = Math.max(...passing.map(({ cell }) => longest(cell.key) ?? Infinity));
  const mayConfirm = (planned: PlannedCell): boolean => {
    const cap = capOfCell(planned);
    return caps.includes(cap) || (!fixedCaps && cap >= room && cap < Math.max(...caps));
  };
  return form.find((one) => isAgain(one) && !findings.has(one.cell.key) && mayConfirm(one)) ?? null;
}

/** 0 where the cap is not varied. */
function capOfCell({ cell }: PlannedCell): number {
  return Number(cell.point[capAxis] ?? 0);
}

/** The settings of the config in its point. */
function settingsIn({ cell }: PlannedCell): readonly (readonly [axis: string, label: string])[] {
  return Object.entries(cell.point).filter(([axis]) => ![capAxis, strictAxis, choiceAxis].includes(axis));
}

/** The form to recommend before others, as in the built-in suites; fewer settings and smaller caps first. */
function cellsByRank(cells: readonly PlannedCell[]): readonly PlannedCell[] {
  const rank = ({ cell }: PlannedCell): number => {
    if (cell.capability === 'json_schema') return cell.point[strictAxis] === 'false' ? 15 : 10;
    if (cell.point[choiceAxis] !== undefined) return cell.point[choiceAxis] === 'required' ? 20 : 30;
    return 50;
  };
  return [...cells].sort(
    (a, b) => settingsIn(a).length - settingsIn(b).length || rank(a) - rank(b) || capOfCell(a) - capOfCell(b),
  );
}

/** Whether it is asked with fresh trials, which did not choose its form. */
const isAgain = ({ cell }: PlannedCell): boolean => cell.probe.tags.includes(againTag);

/** Settings under which the body stays the same are no setting, and others are tried with strict schemas alone. */
function isNeeded(planned: PlannedCell): boolean {
  const { model, point } = planned.cell;
  const settings = settingsIn(planned);
  const changes = settings.every(([axis, label]) => Object.keys(model.settings[axis]?.[label] ?? {}).length > 0);
  return changes && (settings.length === 0 || point[strictAxis] !== 'false');
}

const isPlain = (planned: PlannedCell): boolean =>
  settingsIn(planned).length === 0 && planned.cell.point[strictAxis] !== 'false';
const isAmple = (planned: PlannedCell): boolean => capOfCell(planned) === 0 || capOfCell(planned) === ampleCap;

/** How a check goes: what it asks first, what the findings ask for then, and what its cells say in the end. */
export function checkCourse(whole: Plan, trials: number | null, fixedCaps: boolean) {
  const { measured, ...reporter } = measuring();
  const longest = (cell: string): number | null =>
    measured.get(cell)?.reduce((most, { tokens }) => Math.max(most, tokens), 0) || null;
  const cells = whole.cells.filter(isNeeded).map((planned) => plannedFor(planned, trials));
  const first = cells.filter((planned) => isFirstCell(planned, fixedCaps));
  const reserve = cells
    .filter((planned) => !first.includes(planned))
    .map((planned) => ({ planned, settles: { kind: 'condition', most: cells.length } }) as const);
  return {
    plan: { ...whole, cells: first, reserve, absent: [], plannedCells: first.length },
    reporter,
    next: (findings: CheckFindings) => nextCells(cells, findings, { fixedCaps, longest }),
    answer: (report: Report) => checkAnswerFrom(report, cells, measured),
  };
}

/** The answer of a check: a form is relied on if it passed again in every fresh trial. */
function checkAnswerFrom(report: Report, plannedCells: readonly PlannedCell[], measured: Measured): CheckAnswer {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const seen = cellsByRank(plannedCells).flatMap((planned) => {
    const cell = cells.get(planned.cell.key);
    return cell === undefined ? [] : [{ planned, form: checkedForm(planned, cell, measured) }];
  });
  const best = seen.find(({ planned, form }) => isAgain(planned) && form.holds);
  const isOpen = report.run.stops.length > 0 || seen.some(({ form }) => !form.holds && !isRefuted(form));
  const forms = seen.map(({ form }) => form);
  if (best === undefined) return { verdict: isOpen ? 'unmeasured' : 'unreliable', forms, recommended: null };
  const ask = { kind: 'trial', patch: {}, sample: 0 } as const;
  const { body } = createCellRequests(best.planned)(ask, 'request', variablesOf(best.planned, ask));
  return { verdict: 'reliable', forms, recommended: { form: best.form, request: body as JsonObject } };
}

function checkedForm(planned: PlannedCell, cell: ReportCell, measured: Measured): CheckedForm {
  const { verdict, trials, class: failure, reason, status, detail, key } = cell;
  const { [strictAxis]: strict, [choiceAxis]: choice } = planned.cell.point;
  const clue = clueOfCell(cell);
  const answers = measured.get(key) ?? [];
  const tokens = answers.map((one) => one.tokens).filter((count) => count > 0);
  const median = (values: readonly number[]): number | null =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
  return {
    form: strict !== undefined ? 'json_schema' : choice !== undefined ? 'tools' : 'json_object',
    settings: {
      ...(strict !== undefined && { strict }),
      ...(choice !== undefined && { tool_choice: choice }),
      ...Object.fromEntries(settingsIn(planned)),
    },
    max_tokens: capOfCell(planned) === 0 ? null : capOfCell(planned),
    holds: verdict === 'pass' && trials.needed === 0,
    confirms: isAgain(planned),
    verdict,
    trials,
    class: failure,
    reason,
    status,
    detail,
    ...(clue && { clue }),
    tokens: tokens.length === 0 ? null : { median: median(tokens) ?? 0, largest: Math.max(...tokens) },
    latency_ms: median(answers.map(({ ms }) => ms)),
    cell: key,
  };
}
