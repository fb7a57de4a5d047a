import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml';
import type { Problem } from '../problems/problem.js';
import { problemAtSpot } from '../problems/problem-at.js';
import type { Spot } from '../source.js';
import { yaml, keyOf } from './yaml-places.js';

export const duplicateKey = 'this key appears twice in one mapping';

/** A problem for each node that YAML can express and JSON cannot. */
export function notJson(document: Document.Parsed, spotAt: (offset: number) => Spot): Problem[] {
  const { isAlias, isCollection, isScalar, visit } = yaml();
  if (document.contents === null || isBlank(document.contents)) {
    return [problemAtSpot(spotAt(0), 'the file is empty', 'remove it, or fill it')];
  }
  const problems: Problem[] = [];
  // Alias.resolve would walk the whole document each time.
  const anchors = new Map<string, Node>();
  const report = (node: Node, message: string, hint?: string) => {
    if (problems.length < 5) problems.push(problemAtSpot(spotAt(node.range?.[0] ?? 0), message, hint));
  };
  const collection = (node: YAMLMap | YAMLSeq) => {
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (node.tag !== undefined && !plainTags.has(node.tag)) {
      report(node, `the tag ${node.tag} gives a value that JSON cannot hold`, 'use a plain list or mapping');
    }
  };
  visit(document, {
    Alias(_key, alias, ancestors) {
      const target = anchors.get(alias.source);
      if (target === undefined) {
        report(alias, `no anchor &${alias.source} is defined above`, 'put the value in quotes if it begins with *');
      } else if (ancestors.includes(target)) {
        report(alias, `*${alias.source} is inside the value that it repeats; data cannot contain itself`);
      }
    },
    Pair(_key, pair) {
      if (isCollection(pair.key) || isAlias(pair.key)) {
        report(pair.key, 'a key must be plain text, not a list, a mapping or an alias');
        return visit.SKIP;
      }
      if (isScalar(pair.key) && pair.key.value === null) {
        report(pair.key, 'a key must be plain text; this one is null', 'put it in quotes: "null"');
      }
      if (isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN') {
        report(pair.key, 'merge keys (<<) are not part of YAML 1.2', 'repeat the members, or use defaults or $ref');
      }
      return undefined;
    },
    Scalar(_key, scalar) {
      const { value, range, source, anchor } = scalar;
      if (anchor !== undefined) anchors.set(anchor, scalar);
      if (typeof value === 'number' && !Number.isFinite(value)) {
        const text = source ?? String(value);
        if (problems.length < 5) {
          const spot = spotAt(range?.[0] ?? 0);
          problems.push(problemAtSpot(spot, `${text} is not a number that JSON can hold`, 'write a finite number'));
        }
      } else if (typeof value === 'object' && value !== null) {
        if (problems.length < 5) {
          problems.push(problemAtSpot(spotAt(range?.[0] ?? 0), 'this tag gives a value that JSON cannot hold'));
        }
      }
    },
    Map(_key, map) {
      // The parser's own check compares every key with every other, which takes too long on a large hostile file.
      const names = new Set<string>();
      for (const pair of map.items) {
        const name = keyOf(pair);
        if (name === null) continue;
        if (names.has(name) && isScalar(pair.key)) report(pair.key, duplicateKey, 'rename or remove one of the two');
        names.add(name);
      }
      collection(map);
    },
    Seq(_key, seq) {
      collection(seq);
    },
  });
  return problems;
}

const plainTags = new Set(['tag:yaml.org,2002:map', 'tag:yaml.org,2002:seq']);

function isBlank(node: Node): boolean {
  return yaml().isScalar(node) && node.value === null && (node.source ?? '').trim() === '';
}
