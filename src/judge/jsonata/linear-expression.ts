import { isLinearPattern } from '../schema/linear-pattern.js';

/** Functions that take time linear in their arguments and take no callbacks. */
const linearFunctions: ReadonlySet<string> = new Set([
  ...['sum', 'count', 'max', 'min', 'average', 'append', 'keys', 'lookup', 'exists', 'type', 'boolean', 'not'],
  ...['string', 'length', 'substring', 'substringBefore', 'substringAfter', 'lowercase', 'uppercase', 'trim', 'join'],
  ...['contains', 'match', 'number', 'floor', 'ceil', 'round', 'abs', 'sqrt', 'error', 'close'],
]);

const linearOperators: ReadonlySet<string> = new Set('= != < <= > >= + - * / % & and or in'.split(' '));

/** The members that a node may have. Any other (a join, a grouping, a parent) means that a time limit is needed. */
const plainParts: ReadonlySet<string> = new Set([
  ...['type', 'value', 'position', 'steps', 'stages', 'predicate', 'expr', 'expressions', 'expression', 'lhs', 'rhs'],
  ...['condition', 'then', 'else', 'arguments', 'procedure', 'keepArray', 'keepSingletonArray', 'consarray'],
]);

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly steps?: readonly Node[];
  readonly stages?: readonly Node[];
  readonly predicate?: readonly Node[];
  readonly expr?: Node;
  readonly expressions?: readonly Node[];
  readonly expression?: Node;
  readonly lhs?: Node | readonly (readonly Node[])[];
  readonly rhs?: Node;
  readonly condition?: Node;
  readonly then?: Node;
  readonly else?: Node;
  readonly arguments?: readonly Node[];
  readonly procedure?: Node;
}

/**
 * Whether an expression, given as JSONata's syntax tree, provably takes time linear in its input: paths, operators and
 * simple functions, without variables, functions of its own, ranges, sorting, or patterns that may backtrack. An
 * expression that is evaluated for each item of a list may read only that item, never the whole input.
 */
export function isLinearExpression(tree: unknown): boolean {
  try {
    return isLinear(tree as Node, false);
  } catch (error) {
    // Nested too deeply to be checked.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** @param perItem whether the node is evaluated for each item of a list */
function isLinear(node: Node, perItem: boolean): boolean {
  if (!Object.entries(node).every(([part, value]) => value === undefined || plainParts.has(part))) return false;
  const filters = [...(node.stages ?? []), ...(node.predicate ?? [])];
  return filters.every((filter) => isLinearFilter(filter)) && isLinearKind(node, perItem);
}

function isLinearFilter({ type, expr }: Node): boolean {
  return type === 'filter' && expr !== undefined && isLinear(expr, true);
}

function isLinearKind(node: Node, perItem: boolean): boolean {
  const all = (nodes: readonly (Node | undefined)[]): boolean =>
    nodes.every((inner) => inner === undefined || isLinear(inner, perItem));
  switch (node.type) {
    case 'number':
    case 'string':
    case 'value':
    case 'name':
    case 'wildcard':
      return true;
    case 'variable':
      return node.value === '' || (node.value === '$' && !perItem);
    case 'path':
      return (node.steps ?? []).every((step, index) => isLinear(step, perItem || index > 0));
    case 'block':
      return all(node.expressions ?? []);
    case 'condition':
      return all([node.condition, node.then, node.else]);
    case 'binary':
      return linearOperators.has(String(node.value)) && all([node.lhs as Node, node.rhs]);
    case 'unary':
      return isLinearUnary(node, perItem);
    case 'function': {
      const { type, value } = node.procedure ?? {};
      return type === 'variable' && linearFunctions.has(String(value)) && all(node.arguments ?? []);
    }
    case 'regex':
      return isLinearRegExp(node.value);
    default:
      return false;
  }
}

/** Arrays and objects made for each item could double in size with every step. */
function isLinearUnary({ value, expression, expressions = [], lhs = [] }: Node, perItem: boolean): boolean {
  if (value === '-') return expression !== undefined && isLinear(expression, perItem);
  if (value === '[') {
    return expressions.every(
      (inner) => (!perItem || inner.type === 'string' || inner.type === 'number') && isLinear(inner, perItem),
    );
  }
  const members = lhs as readonly (readonly Node[])[];
  return value === '{' && !perItem && members.flat().every((inner) => isLinear(inner, perItem));
}

/** With the flag m a pattern is tried from every line. */
function isLinearRegExp(value: unknown): boolean {
  const { source, flags } = value as { readonly source?: unknown; readonly flags?: unknown };
  return typeof source === 'string' && typeof flags === 'string' && !flags.includes('m') && isLinearPattern(source);
}
