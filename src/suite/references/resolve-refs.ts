import { largestExpansion, expandedSize } from '../../files/yaml/data-limits.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path, Source, SourceFile } from '../../files/source.js';
import { isObject, type Json } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';
import type { RefFiles } from './ref-files.js';
import { eachMember, referenceOf } from './references.js';

/** Nobody nests files deeper; keeps the recursion bounded. */
const longestChain = 24;

/**
 * The suite with every file `$ref` replaced by what it leads to. Places are in the file that really contains a value.
 * A `$ref` that cannot be replaced gives one problem, and becomes null.
 */
export function resolveRefs(suite: SourceFile, files: RefFiles): { source: Source; problems: Problem[] } {
  const problems: Problem[] = [];
  const known = new Map<string, Json>();

  const resolved = (value: Json, file: SourceFile, path: Path, based: boolean, chain: readonly string[]): Json => {
    const reference = referenceOf(value, based);
    if (reference?.kind === 'wrong') return null;
    if (reference?.kind === 'file') {
      const target = files(file, reference.path);
      return target === null ? null : replaced(target, reference.pointer, { file, path: [...path, '$ref'] }, chain);
    }
    let changed = false;
    const members: [string, Json][] = [];
    for (const [step, member, inside] of eachMember(value, based)) {
      const now = resolved(member, file, [...path, step], inside, chain);
      changed ||= now !== member;
      members.push([String(step), now]);
    }
    if (!changed) return value;
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };

  const replaced = (
    target: SourceFile,
    pointer: string,
    by: { readonly file: SourceFile; readonly path: Path },
    chain: readonly string[],
  ): Json => {
    const id = `${target.file}#${pointer}`;
    const before = known.get(id);
    if (before !== undefined) return before;
    const report = (message: string, hint: string) => void problems.push(problemAt(by.file, by.path, message, hint));
    if (chain.includes(id)) {
      const names = [...chain.slice(chain.indexOf(id)), id];
      report('this $ref leads back to itself', `it goes ${names.map((link) => link.replace(/#$/, '')).join(' -> ')}`);
      return null;
    }
    if (chain.length > longestChain) {
      report(`more than ${longestChain} files are nested here`, 'join some of them');
      return null;
    }
    const part = at(target.data, pointerSteps(pointer));
    if (part === undefined) {
      report(`there is nothing at #${pointer} in that file`, 'check the part after #');
      return null;
    }
    const value = resolved(part, target, pointerSteps(pointer), false, [...chain, id]);
    known.set(id, value);
    return value;
  };

  const data = resolved(suite.data, suite, [], false, [`${suite.file}#`]);
  if (expandedSize(data) > largestExpansion * 5) {
    problems.push(
      problemAt(suite, [], 'the $refs of this file expand to far too much data', 'use fewer, or smaller files'),
    );
    return { source: { data: null, spotOf: suite.spotOf }, problems };
  }
  return { source: { data, spotOf: spotsThrough(suite, files) }, problems };
}

/** Finds places by following a path from file to file, in the way in which the values were put together. */
function spotsThrough(suite: SourceFile, files: RefFiles): Source['spotOf'] {
  return (path, part = 'value') => {
    let [file, way, value]: [SourceFile, (string | number)[], Json | undefined] = [suite, [], suite.data];
    const enter = (): void => {
      // `based` makes no difference here: it is about references that are not files.
      for (let links = 0; links <= longestChain; links++) {
        const reference = value === undefined ? null : referenceOf(value, true);
        const next = reference?.kind === 'file' ? files(file, reference.path) : null;
        if (next === null || reference?.kind !== 'file') return;
        way = pointerSteps(reference.pointer);
        file = next;
        value = at(file.data, way.map(String));
      }
    };
    for (const step of path) {
      enter();
      way.push(step);
      value = memberAt(value, step);
    }
    if (part === 'value') enter();
    return file.spotOf(way, part);
  };
}

function memberAt(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
