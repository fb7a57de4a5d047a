import { splitAtModel, withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compilePattern } from '../../cell/cell-pattern.js';
import { nearHint, nearNames } from './nearest.js';

/** Where the cells are, such as "the plan", and the command that lists them. */
interface CellsThere {
  readonly keys: readonly string[];
  readonly where: string;
  readonly command: string;
}

/**
 * What a pattern that matches none of the cells may have meant, or else a few of what it may name; undefined: there are no
 * cells. Only the part that is wrong is compared with what could stand there: the model, the point or the probe.
 */
export function patternHint(text: string, { keys, where, command }: CellsThere): string | undefined {
  const { head, model } = splitAtModel(text);
  const having = keys.filter(compilePattern(head));
  if (model !== null && having.length > 0) {
    const names = unique(having.map((key) => splitAtModel(key).model ?? ''));
    const near = nearNames(model, names).map((name) => `${head}@${name}`);
    return nearHint(near, { title: 'the models that have it', names, command });
  }
  const at = model === null ? '' : `@${model}`;
  const probe = withoutPoint(head);
  const points = unique(keys.filter(compilePattern(`${probe}${at}`)).map(withoutModel)).filter((key) => key !== probe);
  if (probe !== head && points.length > 0) {
    const near = nearNames(head, points).map((name) => `${name}${at}`);
    return nearHint(near, { title: `the points of ${probe}`, names: points, command });
  }
  const probes = unique(keys.map((key) => withoutPoint(withoutModel(key))));
  const suites = unique(probes.map((name) => name.slice(0, name.indexOf('/'))));
  const rest = text.slice(probe.length);
  const kept = (name: string): string => (keys.some(compilePattern(`${name}${rest}`)) ? `${name}${rest}` : name);
  const near = text.includes('/') ? [] : nearSuites(text, suites);
  return nearHint(near.length > 0 ? near : nearNames(probe, probes).map(kept), {
    title: `the probes of ${where}`,
    names: probes,
    command,
  });
}

function nearSuites(text: string, suites: readonly string[]): readonly string[] {
  return (suites.includes(text) ? [text] : nearNames(text, suites)).map((suite) => `${suite}/*`);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
