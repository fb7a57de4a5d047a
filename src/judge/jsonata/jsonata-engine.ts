import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext, Script, type Context } from 'node:vm';
import type { Json } from '../../json/json.js';
import { isTimeout } from '../schema/time-limit.js';
import { memorySetup, openMemoryGauge } from './memory-bound.js';
import { checkFirst } from '../../options/first-argument.js';
import { aText } from '../../options/kinds.js';

export type Evaluated =
  /** null where the expression returns nothing. */
  | { readonly ok: true; readonly value: Json }
  /** One line. */
  | { readonly ok: false; readonly error: string };

/** Functions that an expression may call by these names, in addition to JSONata's own and `$close`. They are synchronous. */
export type JsonataFunctions = Readonly<Record<string, (...values: never[]) => unknown>>;

export type Parsed =
  /** The syntax tree as JSONata builds it. */
  | { readonly ok: true; readonly tree: unknown }
  /** `position` counts characters from 0; null where the error has no place. */
  | { readonly ok: false; readonly error: string; readonly position: number | null };

/** Milliseconds that an expression may take. */
const longestEvaluation = 1000;
const mostParsed = 500;

/**
 * JSONata runs in its own VM context, whose promises are settled before the call returns. This makes evaluation
 * synchronous, so that the engine's time limit also stops endless recursion and catastrophic regular expressions. Values
 * go in and come out as text, so an expression can neither read nor change the program's objects.
 */
const setup = `
  /** What is to be evaluated, and within which limits. */
  let task = { texts: [], input: '', functions: null, bytesLeft: null };
  /** As JSON. */
  let answer;
  ${memorySetup}
  const expressions = new Map();
  function close(a, b) {
    if (typeof a !== 'number' || typeof b !== 'number') throw new Error('$close compares two numbers');
    const gap = Math.abs(a - b);
    return gap <= 0.005 + 1e-9 || gap <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }
  function compile(text) {
    const expression = jsonata(text, { stack: 400 });
    expression.registerFunction('close', close, '<xx:b>');
    bound(expression);
    return expression;
  }
  // Functions stay registered, so that only an expression that takes the same names may be used again.
  function compiled(text, names = []) {
    const key = names.join() + ':' + text;
    let expression = expressions.get(key);
    if (!expression) {
      expression = compile(text);
      if (expressions.size >= 500) expressions.delete(expressions.keys().next().value);
      expressions.set(key, expression);
    }
    return expression;
  }
  function messageOf(error) {
    if (error && error.code === 'D1011') return 'it is nested or recurses too deeply';
    if (error instanceof RangeError && /^Invalid (string|array)/.test(error.message)) return tooLarge().message;
    return error instanceof RangeError ? 'it is nested too deeply' : String((error && error.message) || error);
  }
  function parse() {
    try {
      return { tree: compiled(task.texts[0]).ast() };
    } catch (error) {
      const position = error && typeof error.position === 'number' ? error.position : null;
      return { fault: { message: messageOf(error), position } };
    }
  }
  async function evaluated(text, input) {
    const { functions } = task;
    try {
      const expression = compiled(text, functions ? Object.keys(functions) : []);
      watchSteps(expression);
      for (const name in functions) expression.registerFunction(name, functions[name]);
      const value = await expression.evaluate(input);
      return boundedText({ ok: true, value: value === undefined ? null : value });
    } catch (error) {
      return JSON.stringify({ ok: false, error: messageOf(error) });
    }
  }
  // One after the other; none of them can change the input.
  async function evaluateEach() {
    const input = JSON.parse(task.input);
    const answers = [];
    for (const text of task.texts) answers.push(await evaluated(text, input));
    answer = '[' + answers.join() + ']';
  }
  // All answers together may be longer than a text can be.
  function evaluate() { evaluateEach().catch(() => undefined); }
  Object.assign(globalThis, { parse, evaluate });
  return { give: (next) => { task = next; answer = undefined; }, answer: () => answer };
`;

/** What the program text of a context returns. */
interface Evaluator {
  /** Names the next task and forgets the answer to the last. */
  readonly give: (task: Task) => void;
  readonly answer: () => unknown;
}

interface Task {
  readonly texts: readonly string[];
  /** As JSON. */
  readonly input: string;
  readonly functions: JsonataFunctions | null;
  readonly bytesLeft: (() => number) | null;
}

let opened: { readonly context: Context; readonly evaluator: Evaluator } | null = null;
let library: Script | null = null;
const parse = new Script('parse()');
const evaluate = new Script('evaluate()');

/** A cache of parsed expressions. The oldest entry is evicted first. */
const parsed = new Map<string, Parsed>();

/**
 * Evaluates an expression over a JSON value. Never throws. It is stopped after a second, or when it takes too much memory.
 */
export function evaluateJsonata(expression: string, input: Json, functions: JsonataFunctions | null = null): Evaluated {
  const [answer] = evaluateAll([expression], input, functions);
  return answer ?? nothing;
}

/** Like {@link evaluateJsonata}, of several expressions: the value goes into the context once. */
export function evaluateAll(
  expressions: readonly string[],
  input: Json,
  functions: JsonataFunctions | null = null,
): readonly Evaluated[] {
  const read = new Map(expressions.map((expression) => [expression, parseJsonata(expression)]));
  const texts = [...read].flatMap(([expression, { ok }]) => (ok ? [expression] : []));
  const answers = answersTo({ ...noTask, input: JSON.stringify(input), functions, texts });
  return expressions.map((expression) => {
    const parsed = read.get(expression);
    return parsed?.ok === false ? parsed : (answers[texts.indexOf(expression)] ?? nothing);
  });
}

function answersTo(task: Task): readonly Evaluated[] {
  const { texts } = task;
  if (texts.length === 0) return [];
  const run = inContext(evaluate, { ...task, bytesLeft: openMemoryGauge() });
  const answers =
    run.ok && typeof run.answer === 'string'
      ? (JSON.parse(run.answer) as readonly Evaluated[])
      : texts.map((): Evaluated => (run.ok ? nothing : { ok: false, error: run.error }));
  if (texts.length === 1) return answers;
  // It shared time and memory with the others: alone, it has both to itself.
  return answers.flatMap((answer, index) =>
    answer.ok ? [answer] : answersTo({ ...task, texts: texts.slice(index, index + 1) }),
  );
}

const nothing: Evaluated = { ok: false, error: 'the expression returned nothing' };

/** Why an expression cannot be compiled; null when it can. */
export function jsonataProblem(expression: string): string | null {
  checkFirst('jsonataProblem', expression, aText);
  const result = parseJsonata(expression);
  return result.ok ? null : result.error;
}

/** Reads an expression without evaluating it. Never throws. */
export function parseJsonata(expression: string): Parsed {
  const before = parsed.get(expression);
  if (before !== undefined) return before;
  const run = inContext(parse, { ...noTask, texts: [expression] });
  const fresh: Parsed = run.ok ? parsedFrom(run.result) : { ok: false, error: run.error, position: null };
  const oldest = parsed.size >= mostParsed ? parsed.keys().next().value : undefined;
  if (oldest !== undefined) parsed.delete(oldest);
  parsed.set(expression, fresh);
  return fresh;
}

function parsedFrom(result: unknown): Parsed {
  const { tree, fault } = result as { tree?: unknown; fault?: { message: string; position: number | null } };
  return fault === undefined ? { ok: true, tree } : { ok: false, error: fault.message, position: fault.position };
}

type Run =
  | { readonly ok: true; readonly result: unknown; readonly answer: unknown }
  | { readonly ok: false; readonly error: string };

const noTask: Task = { texts: [], input: '', functions: null, bytesLeft: null };

function inContext(script: Script, task: Task): Run {
  const { context, evaluator } = (opened ??= openContext());
  evaluator.give(task);
  try {
    const result: unknown = script.runInContext(context, { timeout: longestEvaluation });
    return { ok: true, result, answer: evaluator.answer() };
  } catch (error) {
    // A stopped expression may leave the context in a broken state, so the next one gets a new context.
    opened = null;
    return { ok: false, error: isTimeout(error) ? `it was stopped after ${longestEvaluation} ms` : String(error) };
  } finally {
    evaluator.give(noTask);
  }
}

/**
 * Whatever the program text uses of JavaScript (`Array`, `Promise`) is a parameter of the function around it: to look up a
 * global of a context, or to set one, calls into Node each time, and took two thirds of a simple rule.
 */
function openContext(): { readonly context: Context; readonly evaluator: Evaluator } {
  const context = createContext({}, { microtaskMode: 'afterEvaluate' });
  if (library === null) {
    const names = runInContext('Object.getOwnPropertyNames(globalThis)', context) as readonly string[];
    const own = names.filter((name) => /^[A-Za-z]+$/.test(name) && !notParameters.has(name)).join();
    library = new Script(
      `((${own}) => { const jsonata = (() => { const module = { exports: {} }, exports = module.exports;\n${source()}\n;return module.exports; })();\n${setup}\n})(${own})`,
      { filename: 'jsonata.js' },
    );
  }
  return { context, evaluator: library.runInContext(context) as Evaluator };
}

/** Values and words of the language itself. */
const notParameters: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'arguments', 'globalThis']);

function source(): string {
  return readFileSync(createRequire(import.meta.url).resolve('jsonata/jsonata.js'), 'utf8');
}
