import type { Document, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { type Problem, problemAtSpot, type Spot } from '../problems/problem.js';
import { yamlKeyText, yaml } from './yaml-places.js';

export const duplicateKey = 'this key appears twice in one mapping';

/** Of one file: the others mostly follow from them. */
export const mostProblems = 5;
/** Resolving an alias takes the library time in proportion to all of them. */
const mostAliases = 10_000;

/** A problem for each node that YAML can express and JSON cannot. */
export function notJsonProblems(document: Document.Parsed, spotAt: (offset: number) => Spot): Problem[] {
  const { isScalar, visit } = yaml();
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null && contents.source.trim() === '')) {
    return [problemAtSpot(spotAt(0), 'the file is empty', 'remove it, or fill it')];
  }
  const problems: Problem[] = [];
  const anchors = new Map<string, Node>();
  let aliases = 0;
  const report: ReportNode = (node, message, hint) => {
    if (problems.length < mostProblems) problems.push(problemAtSpot(spotAt(node.range?.[0] ?? 0), message, hint));
  };
  const anchored = (node: YAMLMap | YAMLSeq | Scalar): void => {
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
  };
  visit(document, {
    Alias(_key, alias, ancestors) {
      aliases += 1;
      const target = anchors.get(alias.source);
      if (target === undefined) {
        report(alias, `no anchor &${alias.source} is defined above`, 'put the value in quotes if it begins with *');
      } else if (ancestors.includes(target)) {
        report(alias, `*${alias.source} is inside the value that it repeats; data cannot contain itself`);
      } else if (aliases === mostAliases + 1) {
        report(alias, `the file has more than ${mostAliases} aliases`);
      }
    },
    Pair: (_key, { key }) => (checkKey(key, report) ? undefined : visit.SKIP),
    Scalar(_key, scalar) {
      const { value, source } = scalar;
      anchored(scalar);
      if (typeof value === 'number' && !Number.isFinite(value)) {
        report(scalar, `${source ?? String(value)} is not a number that JSON can hold`, 'write a finite number');
      }
    },
    Map(_key, map) {
      // The parser's own check compares every key with every other, which takes too long on a large hostile file.
      const names = new Set<string>();
      for (const pair of map.items) {
        const name = yamlKeyText(pair);
        if (name === null) continue;
        if (names.has(name)) report(pair.key as Node, duplicateKey, 'rename or remove one of the two');
        names.add(name);
      }
      anchored(map);
    },
    Seq: (_key, seq) => anchored(seq),
  });
  return problems;
}

type ReportNode = (node: Node, message: string, hint?: string) => void;

/** Reports a key that JSON cannot hold. Returns whether its pair is worth looking into. */
function checkKey(key: unknown, report: ReportNode): boolean {
  const { isAlias, isCollection, isScalar } = yaml();
  if (isCollection(key) || isAlias(key)) {
    report(key, 'a key must be plain text, not a list, a mapping or an alias');
    return false;
  }
  if (!isScalar(key)) return true;
  if (key.value === null) report(key, 'a key must be plain text; this one is null', 'put it in quotes: "null"');
  if (key.value === '<<' && key.type === 'PLAIN') {
    report(key, 'merge keys (<<) are not part of YAML 1.2', 'repeat the members, or use defaults or $ref');
  }
  return true;
}
