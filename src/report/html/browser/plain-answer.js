// What a client reads out of a plain answer, as src/chat reads it. Texts are not made visible here.

/** A number that is too large for JavaScript becomes the largest, as in the verdict. */
const finite = (_, value) =>
  typeof value === 'number' && Math.abs(value) === Infinity ? Math.sign(value) * Number.MAX_VALUE : value;

/** undefined: the text is not JSON. */
function parsed(text) {
  try {
    return JSON.parse(text, finite);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const filled = (value) => (typeof value === 'string' && value !== '' ? value : null);

/** An object in JSON; null: the text is something else, or was cut. */
export const wholeOf = (text) => (text.startsWith('{') ? (parsed(text) ?? null) : null);

/**
 * @param whole the body, as `wholeOf` gives it
 * @param headers as lines
 * @param violations of its schema, by JSON Pointer
 */
export function readPlain(whole, headers, violations) {
  const headerOf = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(headers)?.[1];
  const first = Array.isArray(whole?.choices) && isObject(whole.choices[0]) ? whole.choices[0] : null;
  // What was cut off may have no message.
  const isReply = isObject(first?.message) || /^(?:length|content_filter)$/.test(first?.finish_reason);
  const choice = isReply ? first : null;
  const request = (choice && filled(whole.request_id)) ?? headerOf('x-request-id');
  const ids = [choice && whole.id, request, headerOf('traceresponse')];
  return {
    ids: ids.map(filled).filter(Boolean).join(' · ') || null,
    finish: filled(choice?.finish_reason),
    usage: choice && isObject(whole.usage) ? JSON.stringify(whole.usage) : null,
    assembled: null,
    answer: decoded(choice?.message ?? {}, violations),
  };
}

/** The arguments of the first call, else the content. */
function decoded({ tool_calls: calls, content }, violations) {
  const call = (Array.isArray(calls) ? calls : [calls]).find(isObject);
  const text = call ? call.function?.arguments : content;
  if (typeof text !== 'string') return null;
  const of = call ? `arguments of ${filled(call.function.name) ?? 'a function without a name'}` : 'content';
  const value = parsed(text);
  if (value === undefined) return { of, text, marks: [] };
  const marks = violations.flatMap(({ at, message }) => {
    const steps = stepsOf(at);
    return steps === null ? [] : [{ line: lineOf(value, steps), message }];
  });
  return { of, text: JSON.stringify(value, null, 2), marks };
}

/** null for the id of a rule. */
function stepsOf(pointer) {
  if (pointer !== '' && !pointer.startsWith('/')) return null;
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The line on which the value at the steps begins, from 0; where it is missing, that of what should hold it. */
function lineOf(value, steps) {
  let line = 0;
  let here = value;
  for (const step of steps) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return line;
    line += 1;
    const names = Object.keys(here);
    for (const name of names.slice(0, names.indexOf(step))) line += linesOf(here[name]);
    here = here[step];
  }
  return line;
}

const linesOf = (value) => JSON.stringify(value, null, 2).split('\n').length;
