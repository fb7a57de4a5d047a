import type { Json } from '../../json/json.js';

/** The mark before a text that stands for an integer; a text that begins so by itself gets a second mark. */
const mark = '\0';

/** JSON in which integers beyond 2^53 are marked texts, since a context reads it with its own JSON.parse. */
export function markedJson(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${mark}i${part}`;
    return typeof part === 'string' && part.startsWith(mark) ? mark + part : part;
  });
}

/** Whether an expression holds a number that JavaScript would round. */
export const hasLongLiteral = (expression: string): boolean => /\d{16}/.test(expression);

/**
 * Program text: how expressions reckon with integers beyond 2^53, which JSONata does not know. `exactly(ast, text)`
 * hands comparisons, sums and conditions of a syntax tree to functions that compare and add without rounding. Whatever
 * else is done with such an integer throws, and what cannot be exact throws with the code `inexact`.
 */
export const exactSetup = String.raw`
  const isLong = (value) => typeof value === 'bigint';
  const holdsLong = (value) =>
    isLong(value) || (Array.isArray(value) && value.some(holdsLong)) ||
    (typeof value === 'object' && value !== null && Object.keys(value).some((name) => holdsLong(value[name])));
  const unmarked = (_, part) =>
    typeof part !== 'string' || part[0] !== '\0' ? part : part[1] === 'i' ? BigInt(part.slice(2)) : part.slice(1);
  const marked = (part) =>
    isLong(part) ? '\0i' + part : typeof part === 'string' && part[0] === '\0' ? '\0' + part : part;
  const exactJson = {
    parse: (text) => JSON.parse(text, unmarked),
    stringify: (value, replacer, indent) => {
      const text = JSON.stringify(value, function (name, part) {
        return marked(typeof replacer === 'function' ? replacer.call(this, name, part) : part);
      }, indent);
      return text === undefined ? undefined : text
        .replace(/(?<!\\)"\\u0000i(-?\d+)"/g, '$1')
        .replace(/(?<!\\)"\\u0000\\u0000/g, '"\\u0000');
    },
  };
  const inexact = (value) => {
    const message = 'an integer beyond 2^53 is compared or reckoned with a rounded number';
    return { code: 'inexact', value, message };
  };
  const order = (a, b) => {
    if (typeof a !== typeof b) {
      const [long, short] = isLong(a) ? [a, b] : [b, a];
      if (Number(long) === short) throw inexact(long);
    }
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const same = (a, b) => {
    if (isLong(a) || isLong(b)) {
      return ['number', 'bigint'].includes(typeof a) && ['number', 'bigint'].includes(typeof b) && order(a, b) === 0;
    }
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const [names, others] = [Object.keys(a), Object.keys(b)];
    return Array.isArray(a) === Array.isArray(b) && names.length === others.length &&
      names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
  };
  const short = (value) =>
    value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
  const reckon = (op, a, b) => {
    const isRounded = [a, b].some((one) => !isLong(one) && !Number.isSafeInteger(one));
    if (op === '/' || isRounded) throw inexact(isLong(a) ? a : b);
    const [x, y] = [BigInt(a), BigInt(b)];
    if (op === '%') return short(x % y);
    return short(op === '+' ? x + y : op === '-' ? x - y : x * y);
  };
  const plainly = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
    '%': (a, b) => a % b,
  };
  const isNumber = (value) => isLong(value) || typeof value === 'number';
  const number = (op, a, b) => {
    if (a !== undefined && !isNumber(a)) throw { code: 'T2001', value: a, token: op };
    if (b !== undefined && !isNumber(b)) throw { code: 'T2002', value: b, token: op };
    if (a === undefined || b === undefined) return undefined;
    if (isLong(a) || isLong(b)) return reckon(op, a, b);
    const result = plainly[op](a, b);
    // A whole result beyond 2^53 has lost digits.
    return Number.isSafeInteger(a) && Number.isSafeInteger(b) && op !== '/' && Math.abs(result) > 9007199254740991
      ? reckon(op, a, b) : result;
  };
  const compare = (op, a, b) => {
    for (const one of [a, b]) {
      if (one === undefined || typeof one === 'string' || isNumber(one)) continue;
      throw { code: 'T2010', value: one, token: op };
    }
    if (a === undefined || b === undefined) return undefined;
    if (isNumber(a) !== isNumber(b)) throw { code: 'T2009', value: a, value2: b, token: op };
    const sign = order(a, b);
    return op === '<' ? sign < 0 : op === '<=' ? sign <= 0 : op === '>' ? sign > 0 : sign >= 0;
  };
  function operate(op, a, b) {
    if (op === '=' || op === '!=') return a === undefined || b === undefined ? false : same(a, b) === (op === '=');
    if (op === 'in') {
      const members = Array.isArray(b) ? b : [b];
      return a !== undefined && b !== undefined && members.some((one) => typeof one !== 'object' && same(a, one));
    }
    return op in plainly ? number(op, a, b) : compare(op, a, b);
  }
  // Functions that look at the type or the truth of a value alone get another number that is not 0.
  const sample = (value) => (isLong(value) ? 1 : Array.isArray(value) ? value.map(sample) : value);
  function toNumber(value) {
    if (value === undefined || isNumber(value)) return value;
    if (typeof value === 'boolean') return Number(value);
    if (typeof value === 'string' && /^-?\d{16,}$/.test(value)) return short(BigInt(value));
    const isDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?$/.test(value);
    const isNumeral = isDecimal || /^0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+)$/.test(value);
    if (typeof value !== 'string' || !isNumeral || !Number.isFinite(Number(value))) throw { code: 'D3030', value };
    return Number(value);
  }
  const called = (name, parts, position) => {
    const procedure = { type: 'variable', value: name, position };
    return { type: 'function', value: '(', position, procedure, arguments: parts };
  };
  const operators = ['=', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'];
  const ofTruth = ['boolean', 'not', 'type'];
  function exactly(node, text) {
    if (typeof node !== 'object' || node === null) return;
    const { type, value, position } = node;
    for (const name of Object.keys(node)) exactly(node[name], text);
    if (type === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const digits = /(?:^|[^\d.eE+-]|[^\d.eE][+-])(\d+)$/.exec(text.slice(0, position));
      if (digits) node.value = BigInt((value < 0 ? '-' : '') + digits[1]);
    } else if (type === 'binary' && operators.includes(value)) {
      const parts = [{ type: 'string', value, position }, node.lhs, node.rhs];
      Object.assign(node, called('exact_operation', parts, position));
    } else if (type === 'unary' && value === '-') {
      const parts = [{ type: 'string', value, position }, { type: 'number', value: 0, position }, node.expression];
      Object.assign(node, called('exact_operation', parts, position));
    } else if (type === 'condition') {
      node.condition = called('exact_sample', [node.condition], position);
    } else if (type === 'binary' && (value === 'and' || value === 'or')) {
      for (const name of ['lhs', 'rhs']) node[name] = called('exact_sample', [node[name]], position);
    } else if (type === 'function' && node.arguments.length === 1 && node.procedure.type === 'variable') {
      const name = node.procedure.value;
      if (name === 'number') node.procedure.value = 'exact_number';
      if (ofTruth.includes(name)) node.arguments = [called('exact_sample', node.arguments, position)];
    }
  }
  function registerExact(expression) {
    expression.registerFunction('exact_operation', operate);
    expression.registerFunction('exact_sample', sample);
    expression.registerFunction('exact_number', toNumber);
  }
`;
