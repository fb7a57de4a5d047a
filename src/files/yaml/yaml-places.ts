import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import type { Path } from '../problems/problem.js';

/** Where a value, or its key, begins in the text. When the path leads nowhere: the key of what would hold the value. */
export function offsetOf(document: Document.Parsed, path: Path, part: 'key' | 'value'): number {
  const { isMap, isNode, isSeq } = yaml();
  let here: Node | null = document.contents;
  let value = nodeStart(here) ?? 0;
  let key = value;
  for (const step of path) {
    const node = resolved(here, document);
    if (isMap(node)) {
      const pair = pairsByKey(node).get(String(step));
      if (pair === undefined) return key;
      here = isNode(pair.value) ? pair.value : null;
      key = (isNode(pair.key) ? nodeStart(pair.key) : undefined) ?? key;
      // An empty value has no place of its own: use that of its key.
      value = isEmpty(here) ? key : (nodeStart(here) ?? key);
    } else if (isSeq(node) && isNode(node.items[Number(step)])) {
      here = node.items[Number(step)] as Node;
      key = value = nodeStart(here) ?? value;
    } else {
      return key;
    }
  }
  return part === 'key' ? key : value;
}

const pairsByMapping = new WeakMap<object, ReadonlyMap<string | null, Pair>>();

/** By the names of their keys, once for a mapping: one of ten thousand mistakes may hold as many keys. */
function pairsByKey(map: { readonly items: readonly Pair[] }): ReadonlyMap<string | null, Pair> {
  const pairs = pairsByMapping.get(map) ?? new Map(map.items.toReversed().map((pair) => [yamlKeyText(pair), pair]));
  pairsByMapping.set(map, pairs);
  return pairs;
}

/** A key as its name in the data, where `1` and `true` are names too; null when it is not a scalar. */
export function yamlKeyText(pair: Pair): string | null {
  if (!yaml().isScalar(pair.key)) return null;
  const { value, source } = pair.key;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (source ?? '');
}

function resolved(node: Node | null, document: Document.Parsed): Node | null | undefined {
  return yaml().isAlias(node) ? node.resolve(document) : node;
}

function isEmpty(node: Node | null): boolean {
  return node === null || (yaml().isScalar(node) && node.value === null && (node.source ?? '') === '');
}

function nodeStart(node: Node | null): number | undefined {
  return node?.range?.[0];
}

let loaded: typeof Yaml | null = null;
/** Loaded with the first text to parse: it takes as long as all else that `--help` needs. */
export const yaml = (): typeof Yaml => (loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml);
