import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, Script, type Context } from 'node:vm';
import type { Json } from '../../json/json.js';
import { isTimeout } from './time-limit.js';

export type Answered = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** Milliseconds that an expression may take. */
const longestEvaluation = 1000;

let room: Context | null = null;
let library: Script | null = null;

/**
 * JSONata lives in a context of its own, whose promises are settled before the call returns: so the engine's time limit
 * covers endless recursion and exploding regular expressions alike. Values go in as text and only plain text comes out.
 */
const setup = `
  const expressions = new Map();
  const deepest = 400;
  function close(a, b) {
    if (typeof a !== 'number' || typeof b !== 'number') throw new Error('$close compares two numbers');
    const gap = Math.abs(a - b);
    return gap <= 0.005 + 1e-9 || gap <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }
  function compile(text) {
    const known = expressions.get(text);
    if (known) return known;
    const expression = jsonata(text);
    expression.registerFunction('close', close, '<xx:b>');
    if (expressions.size >= 500) expressions.delete(expressions.keys().next().value);
    expressions.set(text, expression);
    return expression;
  }
  function messageOf(error) {
    return String((error && error.message) || error);
  }
  function evaluate(text, input) {
    answer = undefined;
    const fail = (error) => { answer = JSON.stringify({ ok: false, error: messageOf(error) }); };
    try {
      const expression = compile(text);
      if (input === undefined) { answer = '{"ok":true}'; return; }
      let depth = 0;
      expression.assign(Symbol.for('jsonata.__evaluate_entry'), () => {
        if (++depth > deepest) throw new Error('the expression is nested or recurses too deeply');
      });
      expression.assign(Symbol.for('jsonata.__evaluate_exit'), () => { depth--; });
      expression.evaluate(JSON.parse(input)).then(
        (value) => { answer = JSON.stringify({ ok: true, value: value === undefined ? null : value }); },
        fail,
      ).catch(fail);
    } catch (error) { fail(error); }
  }
`;

/** Evaluates an expression over a JSON value; never throws, and ends within {@link longestEvaluation}. */
export function askJsonata(expression: string, input: Json): Answered {
  return run(expression, JSON.stringify(input));
}

/** Why an expression cannot be compiled; null when it can. */
export function jsonataProblem(expression: string): string | null {
  const answered = run(expression, undefined);
  return answered.ok ? null : answered.error;
}

function run(expression: string, input: string | undefined): Answered {
  const context = (room ??= openRoom());
  context['text'] = expression;
  context['input'] = input;
  try {
    call.runInContext(context, { timeout: longestEvaluation });
    const answer: unknown = context['answer'];
    return typeof answer === 'string'
      ? (JSON.parse(answer) as Answered)
      : { ok: false, error: 'the expression gave no answer' };
  } catch (error) {
    // What was stopped may have left the context halfway: the next expression gets a fresh one.
    room = null;
    const why = isTimeout(error) ? `does not come to an end within ${longestEvaluation} ms` : String(error);
    return { ok: false, error: why };
  } finally {
    context['input'] = undefined;
  }
}

const call = new Script('evaluate(text, input)');

function openRoom(): Context {
  library ??= new Script(
    `const jsonata = (() => { const module = { exports: {} }, exports = module.exports;\n${source()}\n;return module.exports; })();\n${setup}`,
    { filename: 'jsonata.js' },
  );
  const context = createContext({ answer: undefined, text: '', input: undefined }, { microtaskMode: 'afterEvaluate' });
  library.runInContext(context);
  return context;
}

function source(): string {
  return readFileSync(createRequire(import.meta.url).resolve('jsonata/jsonata.js'), 'utf8');
}
