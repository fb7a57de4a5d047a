import { distance } from 'fastest-levenshtein';
import { splitAtModel, withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compilePattern } from '../../cell/cell-pattern.js';

/**
 * Any object of a suite or config has at most so many keys: whoever writes one that there is not needs all that there
 * are.
 */
const mostInALine = 12;
/** A message lists at most this many names, each on a line of its own. */
const mostListed = 5;
const mostSuggested = 3;

/**
 * The candidates that a word probably misspells, the nearest first: what differs in a third of its letters at most.
 * Letters in the wrong order count as one mistake.
 */
function near(word: string, candidates: Iterable<string>): readonly { readonly name: string; readonly far: number }[] {
  const small = word.toLowerCase().slice(0, 200);
  // Any two words of one or two letters are near each other, so none of them helps.
  const farthest = small.length < 3 ? 0 : Math.max(1, Math.floor(small.length / 3));
  return [...new Set(candidates)]
    .flatMap((name) => {
      if (name === word || Math.abs(name.length - small.length) > farthest) return [];
      const other = name.toLowerCase();
      const far = lettersOf(small) === lettersOf(other) ? 1 : distance(small, other);
      return far <= farthest ? [{ name, far }] : [];
    })
    .sort((one, other) => one.far - other.far);
}

const lettersOf = (word: string): string => Array.from(word).sort().join('');

/** The candidate that `word` probably misspells; null when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  return near(word, candidates)[0]?.name ?? null;
}

/** The names that a word or a pattern probably means: those that hold it, or else the nearest. */
export function nearNames(pattern: string, candidates: Iterable<string>): readonly string[] {
  const word = pattern.replaceAll('*', '');
  const names = [...new Set(candidates)].filter((name) => name !== pattern);
  const holding = names.filter((name) => word.length > 1 && name.toLowerCase().includes(word.toLowerCase()));
  const found = near(word, names);
  const best = found.filter(({ far }) => far === found[0]?.far).map(({ name }) => name);
  return (holding.length > 0 ? holding : best).sort((a, b) => a.length - b.length).slice(0, mostSuggested);
}

/** A hint: `did you mean "x"?`, or else the known names, if they are not too many; undefined when there are none. */
export function didYouMean(word: string, candidates: Iterable<string>, kind = 'known'): string | undefined {
  const names = [...candidates];
  const meant = nearest(word, names);
  if (meant !== null) return `did you mean "${meant}"?`;
  if (names.length === 0) return undefined;
  return names.length > mostInALine ? listedNames(kind, names) : `${kind}: ${names.join(', ')}`;
}

/** The words that could have been meant. */
interface KnownNames {
  readonly title: string;
  readonly names: readonly string[];
  /** Lists them all. */
  readonly command?: string;
}

/** `did you mean "a" or "b"?`, or else a few of the known names; undefined when there are none. */
export function nearHint(meant: readonly string[], { title, names, command }: KnownNames): string | undefined {
  const quoted = meant.slice(0, mostSuggested).map((name) => `"${name}"`);
  if (quoted.length > 0) {
    return `did you mean ${[quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter(Boolean).join(' or ')}?`;
  }
  return names.length === 0 ? undefined : listedNames(title, names, command);
}

/** A title and a few names, one a line; then how many more there are, and the command that lists them. */
export function listedNames(title: string, names: readonly string[], command?: string): string {
  const more = names.length - mostListed;
  const rest = `and ${more} more${command === undefined ? '' : `: ${command}`}`;
  return [`${title}:`, ...names.slice(0, mostListed), ...(more > 0 ? [rest] : [])].join('\n      ');
}

/** Where the cells are, such as "the plan", and the command that lists them. */
interface CellsThere {
  readonly keys: readonly string[];
  readonly where: string;
  readonly command: string;
}

/**
 * The cells that a pattern which matches none may have meant, or else a few of what it may name; undefined: there are
 * no cells. Only the part that is wrong is compared with what could stand there: the model, the point or the probe.
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
