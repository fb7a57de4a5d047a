import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext, Script, type Context } from 'node:vm';
import { type Json, holdsLongInteger, parsedJson } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { isTimeout, withinWork } from '../time-limit.js';
import { exactSetup, hasLongLiteral, markedJson } from './long-integers.js';

export type Evaluated =
  /** null where the expression returns nothing. */
  | { readonly ok: true; readonly value: Json }
  /** One line. `inexact`: the answer would depend on digits of an integer beyond 2^53 that were rounded away. */
  | { readonly ok: false; readonly error: string; readonly inexact?: true };

/**
 * Functions that an expression may call by these names, in addition to JSONata's own and `$close`. They are
 * synchronous.
 */
type JsonataFunctions = Readonly<Record<string, (...values: never[]) => unknown>>;

type Parsed =
  /** The syntax tree as JSONata builds it. */
  | { readonly ok: true; readonly tree: unknown }
  /** `position` counts characters from 0; null where the error has no place. */
  | { readonly ok: false; readonly error: string; readonly position: number | null };

/** Milliseconds that an expression may take. */
const longestEvaluation = 1000;

/**
 * JSONata runs in its own VM context, whose promises are settled before the call returns. This makes evaluation
 * synchronous, so that the engine's time limit also stops endless recursion and catastrophic regular expressions.
 * Values go in and come out as text, so an expression can neither read nor change the program's objects.
 */
const setup = `
  let tasks, answer;
  const expressions = new Map();
  function close(a, b) {
    if (isLong(a) || isLong(b)) [a, b] = a === b ? [0, 0] : [Number(a), Number(b)];
    if (typeof a !== 'number' || typeof b !== 'number') throw new Error('$close compares two numbers');
    const gap = Math.abs(a - b);
    return gap <= 0.005 + 1e-9 || gap <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }
  // Functions stay registered, so that only an expression that takes the same names may be used again.
  function compiled(task) {
    const names = Object.keys(task.functions).join();
    const key = names + ':' + task.exact + ':' + task.text;
    let expression = expressions.get(key);
    if (!expression) {
      expression = jsonata(task.text, { stack: 400 });
      expression.registerFunction('close', close, '<xx:b>');
      if (task.exact) {
        exactly(expression.ast(), task.text);
        registerExact(expression);
      }
      if (expressions.size >= 500) expressions.delete(expressions.keys().next().value);
      expressions.set(key, expression);
    }
    return expression;
  }
  function fault(error, task) {
    const position = error && typeof error.position === 'number' ? error.position : null;
    const isInexact = task.exact && error &&
      (holdsLong(error.value) || holdsLong(error.value2) || /BigInt/i.test(error.message));
    const isDeep = error instanceof RangeError || (error && error.code === 'D1011');
    const message = isDeep ? 'it is nested or recurses too deeply' : String((error && error.message) || error);
    return { ok: false, error: message, position, ...(isInexact && { inexact: true }) };
  }
  function parse() {
    try {
      answer = { ok: true, tree: compiled(tasks[0]).ast() };
    } catch (error) {
      answer = fault(error, tasks[0]);
    }
  }
  async function evaluated(task) {
    try {
      const expression = compiled(task);
      for (const name in task.functions) expression.registerFunction(name, task.functions[name]);
      const value = await expression.evaluate(task.exact ? exactJson.parse(task.input) : JSON.parse(task.input));
      return exactJson.stringify({ ok: true, value: value === undefined ? null : value });
    } catch (error) {
      const { position, ...said } = fault(error, task);
      return JSON.stringify(said);
    }
  }
  async function evaluate() {
    answer = [];
    for (const task of tasks) answer.push(await evaluated(task));
  }
  Object.assign(globalThis, { parse, evaluate });
  return { give: (next) => { tasks = next; answer = undefined; }, answer: () => answer };
`;

/** The result of a context's program text. */
interface Evaluator {
  /** Names the next tasks and forgets the answer to the last. */
  readonly give: (tasks: readonly Task[]) => void;
  readonly answer: () => unknown;
}

interface Task {
  readonly text: string;
  /** JSON text. */
  readonly input: string;
  /** Integers beyond 2^53 take part: the input is {@link markedJson}. */
  readonly exact: boolean;
  readonly functions: JsonataFunctions;
}

let opened: { readonly context: Context; readonly evaluator: Evaluator } | null = null;
let library: Script | null = null;
const parse = new Script('parse()');
const evaluateScript = new Script('evaluate()');

/** Evaluates expressions over a JSON value. Never throws. Each that takes longer than a second is stopped. */
export function evaluateAll(
  expressions: readonly string[],
  value: Json,
  functions: JsonataFunctions = {},
): readonly Evaluated[] {
  if (expressions.length === 0) return [];
  const input = once(() => markedJson(value));
  const plain = holdsLongInteger(value) ? null : JSON.stringify(value);
  return evaluatedTasks(
    expressions.map((text) => {
      const exact = plain === null || hasLongLiteral(text);
      return { text, input: exact ? input() : plain, exact, functions };
    }),
  );
}

/**
 * All at once, since the engine starts a thread for each time limit; one that hangs leaves the others to be asked
 * alone.
 */
function evaluatedTasks(tasks: readonly Task[]): readonly Evaluated[] {
  const run = inContext(evaluateScript, tasks);
  const answers = run.ok ? (run.answer as readonly string[]) : [];
  if (answers.length === tasks.length) return answers.map((answer) => parsedJson(answer) as Evaluated);
  if (tasks.length > 1) return tasks.flatMap((task) => evaluatedTasks([task]));
  // Without an answer, a promise of the expression was never kept.
  return [run.ok ? { ok: false, error: 'the expression returned nothing' } : run];
}

/** Why an expression cannot be compiled; null when it can. */
export function jsonataProblem(expression: string): string | null {
  const result = parseJsonata(expression);
  return result.ok ? null : result.error;
}

/** Reads an expression without evaluating it. Never throws. */
export function parseJsonata(expression: string): Parsed {
  const run = inContext(parse, [{ text: expression, input: '', exact: false, functions: {} }]);
  return run.ok ? (run.answer as Parsed) : { ok: false, error: run.error, position: null };
}

type Run = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly error: string };

function inContext(script: Script, tasks: readonly Task[]): Run {
  try {
    return { ok: true, answer: withinWork(longestEvaluation, (timeout) => answerInContext(script, tasks, timeout)) };
  } catch (error) {
    return { ok: false, error: isTimeout(error) ? `it was stopped after ${longestEvaluation} ms` : String(error) };
  }
}

function answerInContext(script: Script, tasks: readonly Task[], timeout: number): unknown {
  const { context, evaluator } = (opened ??= openContext());
  evaluator.give(tasks);
  try {
    script.runInContext(context, { timeout });
    return evaluator.answer();
  } catch (error) {
    // A stopped expression may leave the context in a broken state, so the next one gets a new context.
    opened = null;
    throw error;
  } finally {
    evaluator.give([]);
  }
}

/**
 * Whatever the program text uses of JavaScript (`Array`, `Promise`) is a parameter of the function around it: to look
 * up a global of a context calls into Node each time, and took two thirds of a simple rule.
 */
function openContext(): { readonly context: Context; readonly evaluator: Evaluator } {
  const context = createContext({}, { microtaskMode: 'afterEvaluate' });
  if (library === null) {
    const names = runInContext('Object.getOwnPropertyNames(globalThis)', context) as readonly string[];
    const own = names.filter((name) => /^[A-Za-z]+$/.test(name) && !notParameters.has(name)).join();
    const require = createRequire(import.meta.url);
    const source = readFileSync(require.resolve('jsonata/jsonata.js'), 'utf8');
    library = new Script(
      `((${own}) => {${exactSetup}\n` +
        'const jsonata = ((JSON) => { const module = { exports: {} }, exports = module.exports;\n' +
        `${source}\n;return module.exports; })(exactJson);\n${setup}\n})(${own})`,
      { filename: 'jsonata.js' },
    );
  }
  return { context, evaluator: library.runInContext(context) as Evaluator };
}

/** Values and words of the language itself. */
const notParameters: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'arguments', 'globalThis']);
