import { splitAtModel, withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import { nearHint, nearNames } from './near-names.js';

/** Where the cells are, such as "the plan", and the command that lists them. */
export interface CellsThere {
  readonly keys: readonly string[];
  readonly where: string;
  readonly command: string;
}

/**
 * What a pattern that matches none of the cells may have meant, or else a few of what it may name; undefined: there are no
 * cells. Only the part that is wrong is compared with what could stand there: the model, the point, the suite or the probe.
 * Compared as a whole, the parts that are right would make anything look near.
 */
export function patternHint(text: string, { keys, where, command }: CellsThere): string | undefined {
  const { head, model } = splitAtModel(text);
  const at = model === null ? '' : `@${model}`;
  const having = keys.filter(compilePattern(head));
  if (model !== null && having.length > 0) {
    const names = unique(having.map((key) => splitAtModel(key).model ?? ''));
    const near = nearNames(model, names).map((name) => `${head}@${name}`);
    return nearHint(near, { title: 'the models that have it', names, command });
  }
  const probe = withoutPoint(head);
  const points = pointsOf(keys.filter(compilePattern(`${probe}${at}`)));
  if (probe !== head && points.length > 0) {
    const near = nearPoints(head.slice(probe.length), points).map((point) => `${probe}${point}${at}`);
    const names = points.map((point) => `${probe}${point}`);
    return nearHint(near, { title: `the points of ${probe}`, names, command });
  }
  const kept = (name: string): string =>
    [`${name}${head.slice(probe.length)}${at}`, `${name}${at}`].find((one) => keys.some(compilePattern(one))) ?? name;
  const probes = unique(keys.map((key) => withoutPoint(withoutModel(key))));
  const near = nearProbes(probe, probes).map(kept);
  return nearHint(unique(near), { title: `the probes of ${where}`, names: probes, command });
}

/** A label may be misspelt, or an axis left out. */
function nearPoints(written: string, points: readonly string[]): readonly string[] {
  return nearNames(written.replace('[', '[*').replaceAll(',', '*,').replace(']', '*]'), points);
}

/** Patterns `SUITE/PROBE` that match something and are like the text: where its suite is right, only the probe counts. */
function nearProbes(text: string, probes: readonly string[]): readonly string[] {
  const suites = unique(probes.map(suiteIn));
  const slash = text.indexOf('/');
  if (slash === -1) {
    if (suites.includes(text)) return [`${text}/*`];
    const near = nearNames(text, probes);
    return near.length > 0 ? near : nearNames(text, suites).map((suite) => `${suite}/*`);
  }
  const [suite, probe] = [text.slice(0, slash), text.slice(slash + 1)];
  const [isSuite, isProbe] = [compileGlob(suite), compileGlob(probe)];
  const within = probes.filter((name) => isSuite(suiteIn(name)));
  if (within.length > 0) {
    const near = nearNames(probe, within.map(probeIn));
    const found = within.filter((name) => near.includes(probeIn(name)));
    return found.length > 0 ? found : probes.filter((name) => isProbe(probeIn(name)));
  }
  const near = nearNames(suite, suites).map((name) => `${name}/${probe}`);
  const right = near.filter((pattern) => probes.some(compileGlob(pattern)));
  return right.length > 0 ? right : nearNames(text, probes);
}

const suiteIn = (name: string): string => name.slice(0, name.indexOf('/'));
const probeIn = (name: string): string => name.slice(name.indexOf('/') + 1);

/** `[axis=label,...]`, of the keys that have one. */
function pointsOf(keys: readonly string[]): readonly string[] {
  const heads = keys.map(withoutModel);
  return unique(heads.map((head) => head.slice(withoutPoint(head).length))).filter((point) => point !== '');
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
