import { parseJsonata } from '../../../judge/jsonata/jsonata-engine.js';

/** The two objects of a rule whose members a suite defines. */
export type RuleRoot = 'vars' | 'steps';

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly steps?: readonly Node[];
}

/** The members of `vars`, or of `steps`, that an expression names; none where it does not parse. */
export function membersOf(expression: string, root: RuleRoot = 'vars'): readonly string[] {
  const parsed = parseJsonata(expression);
  return parsed.ok ? [...new Set(membersNamed(root, parsed.tree))] : [];
}

/** Parts of a node that are evaluated for each item of something: names in them are members of the item. */
const perItem: ReadonlySet<string> = new Set(['stages', 'predicate', 'group', 'terms']);

/** NAME of `vars.NAME`, where names are those of the rule, and of `$$.vars.NAME` everywhere. */
function* membersNamed(root: RuleRoot, tree: unknown, atTop = true): Generator<string> {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) {
    for (const item of tree) yield* membersNamed(root, item, atTop);
    return;
  }
  const node = tree as Node;
  const steps = node.type === 'path' ? (node.steps ?? []) : [];
  const [first, second, third] = steps;
  if (atTop && isName(first, root)) yield* nameOf(second);
  if (first?.type === 'variable' && first.value === '$' && isName(second, root)) yield* nameOf(third);
  for (const [index, step] of steps.entries()) yield* membersNamed(root, step, atTop && index === 0);
  for (const [part, value] of Object.entries(node)) {
    if (part === 'steps' && steps.length > 0) continue;
    yield* membersNamed(root, value, atTop && node.type !== 'transform' && !perItem.has(part));
  }
}

function isName(node: Node | undefined, name: string): boolean {
  return node?.type === 'name' && node.value === name;
}

function* nameOf(node: Node | undefined): Generator<string> {
  if (node?.type === 'name' && typeof node.value === 'string') yield node.value;
}
