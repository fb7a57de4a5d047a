/** What a rule may look into by name. */
export type Root = 'vars' | 'steps';

/** The members of `vars`, or of another root, that an expression names. */
export type VariableReader = (expression: string, root?: Root) => readonly string[];

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly steps?: readonly Node[];
}

/** Loads JSONata; what was read once is known. An expression that is no JSONata names nothing. */
export async function variableReader(): Promise<VariableReader> {
  const { default: jsonata } = await import('jsonata');
  const known = new Map<string, readonly string[]>();
  return (expression, root = 'vars') => {
    const asked = `${root} ${expression}`;
    let names = known.get(asked);
    if (names === undefined) {
      try {
        names = [...new Set(membersOf(root, jsonata(expression).ast()))];
      } catch {
        names = [];
      }
      known.set(asked, names);
    }
    return names;
  };
}

/** What is evaluated for each item of something: there, names are members of the item. */
const withinItems: ReadonlySet<string> = new Set(['stages', 'predicate', 'group', 'terms']);

/** `vars.NAME` where names are those of the rule, and `$$.vars.NAME` everywhere. */
export function* membersOf(root: Root, tree: unknown, ofRule = true): Generator<string> {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) {
    for (const item of tree) yield* membersOf(root, item, ofRule);
    return;
  }
  const node = tree as Node;
  const steps = node.type === 'path' ? (node.steps ?? []) : [];
  const [first, second, third] = steps;
  if (ofRule && isName(first, root)) yield* nameOf(second);
  if (first?.type === 'variable' && first.value === '$' && isName(second, root)) yield* nameOf(third);
  for (const [index, step] of steps.entries()) yield* membersOf(root, step, ofRule && index === 0);
  for (const [part, value] of Object.entries(node)) {
    if (part === 'steps' && steps.length > 0) continue;
    yield* membersOf(root, value, ofRule && node.type !== 'transform' && !withinItems.has(part));
  }
}

function isName(node: Node | undefined, name: string): boolean {
  return node?.type === 'name' && node.value === name;
}

function* nameOf(node: Node | undefined): Generator<string> {
  if (node?.type === 'name' && typeof node.value === 'string') yield node.value;
}
