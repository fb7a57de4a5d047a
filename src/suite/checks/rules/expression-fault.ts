import { nearest } from '../../../files/problems/nearest.js';
import { parseJsonata } from '../../../judge/jsonata/jsonata-engine.js';

/** JSONata's own functions. */
const builtIn = new Set(
  `sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match
  contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power
  random boolean not map zip filter single reduce foldLeft sift keys lookup append exists spread merge reverse each
  error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent
  decodeUrl eval toMillis fromMillis now millis clone`.split(/\s+/),
);

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly procedure?: Node;
  readonly lhs?: Node;
  readonly arguments?: unknown;
  readonly steps?: readonly Node[];
}

/** The functions of rules, in addition to JSONata's own. */
export const ruleFunctions: readonly string[] = ['close'];

/** The functions of a behaviour's `when` and `unless`, in addition to JSONata's own; see docs/behaviours.md. */
export const behaviourFunctions: readonly string[] =
  'cells tried passes fails flaky falters works broken worse sibling most least threshold verdict'.split(' ');

/** What is wrong with a JSONata expression, which may also call the functions named; null when it compiles. */
export function expressionFault(expression: string, functions: readonly string[]): string | null {
  const parsed = parseJsonata(expression);
  if (parsed.ok) return unknownFunction(parsed.tree, functions);
  const where = parsed.position === null ? '' : ` (at character ${parsed.position})`;
  return `${parsed.error.replace(/\.$/, '')}${where}`;
}

/** A message about the first function that an expression calls but nothing defines; null when there is none. */
function unknownFunction(tree: unknown, added: readonly string[]): string | null {
  const nodes = [...nodesOf(tree)];
  const defined = nodes.flatMap(({ type, value, lhs, arguments: given }) =>
    type === 'bind' || value === ':=' ? [lhs] : type === 'lambda' ? (given as Node[]) : [],
  );
  const known = new Set<unknown>([...builtIn, ...added, ...defined.map((node) => node?.value)]);
  for (const { type, procedure } of nodes) {
    const isCall = (type === 'function' || type === 'partial') && procedure?.type === 'variable';
    if (!isCall || known.has(procedure.value)) continue;
    const name = String(procedure.value);
    const near = nearest(name, [...builtIn, ...added]);
    return `there is no function $${name}${near === null ? '' : `, did you mean "$${near}"?`}`;
  }
  return null;
}

function* nodesOf(tree: unknown): Generator<Node> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) yield next;
    open.push(...(Object.values(next) as unknown[]));
  }
}

/** A name of what a rule is given, and the members that are named after it; null where none is. */
type Named = readonly [name: string, member: string | null, inner: string | null, last: string | null];

/** What an expression reads of the whole that it is given, as `value` and `total` of `value.total`; nothing where it does not parse. */
export function namesIn(expression: string): readonly Named[] {
  const parsed = parseJsonata(expression);
  return parsed.ok ? [...namesAtTop(parsed.tree)] : [];
}

/** Parts of a node that are evaluated for each item of something: names in them are members of the item. */
const perItem: ReadonlySet<string> = new Set(['stages', 'predicate', 'group', 'terms']);

/** `vars` and NAME of `vars.NAME`, where names are those of the rule, and of `$$.vars.NAME` everywhere. */
function* namesAtTop(tree: unknown, atTop = true): Generator<Named> {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) {
    for (const item of tree) yield* namesAtTop(item, atTop);
    return;
  }
  const node = tree as Node;
  const steps = node.type === 'path' ? (node.steps ?? []) : [];
  const [first] = steps;
  // `$$` is all that the rule is given, and so is `$` outside of filters and the like.
  const isWhole = first?.type === 'variable' && (first.value === '$' || (atTop && first.value === ''));
  const [name = null, member = null, inner = null, last = null] = (isWhole ? steps.slice(1) : atTop ? steps : []).map(
    ({ type, value }) => (type === 'name' && typeof value === 'string' ? value : null),
  );
  if (name !== null) yield [name, member, inner, last];
  for (const [index, step] of steps.entries()) yield* namesAtTop(step, atTop && index === 0);
  for (const [part, value] of Object.entries(node)) {
    if (part === 'steps' && steps.length > 0) continue;
    yield* namesAtTop(value, atTop && node.type !== 'transform' && !perItem.has(part));
  }
}
