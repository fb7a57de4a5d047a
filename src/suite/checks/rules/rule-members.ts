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
  const members = namesIn(expression).flatMap(([name, member]) => (name === root && member !== null ? [member] : []));
  return [...new Set(members)];
}

/** What an expression reads of the whole that it is given: `value` of `value.total`; nothing where it does not parse. */
export function rootsOf(expression: string): readonly string[] {
  return [...new Set(namesIn(expression).map(([name]) => name))];
}

function namesIn(expression: string): readonly Named[] {
  const parsed = parseJsonata(expression);
  return parsed.ok ? [...namesAtTop(parsed.tree)] : [];
}

/** A name of the rule, and the member of it that is named next; null where none is. */
type Named = readonly [name: string, member: string | null];

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
  const [of, member] = isWhole ? steps.slice(1) : atTop ? steps : [];
  const name = nameOf(of);
  if (name !== null) yield [name, nameOf(member)];
  for (const [index, step] of steps.entries()) yield* namesAtTop(step, atTop && index === 0);
  for (const [part, value] of Object.entries(node)) {
    if (part === 'steps' && steps.length > 0) continue;
    yield* namesAtTop(value, atTop && node.type !== 'transform' && !perItem.has(part));
  }
}

function nameOf(node: Node | undefined): string | null {
  return node?.type === 'name' && typeof node.value === 'string' ? node.value : null;
}
