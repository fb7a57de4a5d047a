import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { Json } from '../../json/json.js';
import { keyOf } from './yaml-places.js';

/**
 * The data of a document that `notJson` found nothing against. An alias shares the value of its anchor; the library's own
 * conversion searches the whole document for each one.
 */
export function dataOf(document: Document.Parsed): Json {
  const anchors = new Map<string, Json>();
  const convert = (node: unknown): Json => {
    if (isAlias(node)) return anchors.get(node.source) ?? null;
    const value = plain(node, convert);
    const { anchor } = (node ?? {}) as Partial<Pick<Node & { anchor: string }, 'anchor'>>;
    if (anchor !== undefined) anchors.set(anchor, value);
    return value;
  };
  return convert(document.contents);
}

function plain(node: unknown, convert: (node: unknown) => Json): Json {
  if (isMap(node)) return Object.fromEntries(node.items.map((pair) => [keyOf(pair) ?? '', convert(pair.value)]));
  if (isSeq(node)) return node.items.map(convert);
  return isScalar(node) ? ((node.value ?? null) as Json) : null;
}
