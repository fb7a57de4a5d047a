import { resolve } from 'node:path';
import { type Problem, hasErrors, problemAt, type SourceFile } from '../files/problems/problem.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { readText } from '../files/read-text.js';
import { checkAgainst } from '../files/shipped-schema.js';
import { splitAtModel } from '../cell/cell-key.js';
import { didYouMean, nearest } from '../files/problems/nearest.js';
import { quirks } from '../chat/quirks.js';
import { indexCovers } from './expected.js';
import type { Baseline, BaselineEntry, Cover, StoredThreshold, WireEntry } from './entries.js';
import { unnamedEntries, type UnnamedEntries } from './pruned-models.js';

/** A baseline file as its JSON Schema describes it. */
interface BaselineFile {
  /** Older files have plain patterns, which do not say how much is known. */
  readonly covers: readonly (string | { readonly cells: string; readonly trials: number })[];
  readonly wire?: readonly (Pick<WireEntry, 'model'> & Partial<WireEntry>)[];
  readonly expect?: readonly (Pick<BaselineEntry, 'key' | 'verdict' | 'date'> & Partial<BaselineEntry>)[];
  readonly thresholds?: readonly (Pick<StoredThreshold, 'key' | 'value' | 'date'> & Partial<StoredThreshold>)[];
}

export interface LoadedBaseline {
  /** null when there is an error, or (with a warning) no file. */
  readonly baseline: Baseline | null;
  readonly problems: readonly Problem[];
  /** The file could not be read, so that the line at fault is the one which names it. */
  readonly unread?: true;
}

/** Reads a baseline file; the order of its entries does not matter. Never throws because of what the user wrote. */
export async function loadBaseline(file: string): Promise<LoadedBaseline> {
  const absolute = resolve(file);
  const read = readText(absolute);
  if (!read.ok && read.missing) return { baseline: null, problems: [missingBaselineFile(absolute)] };
  if (!read.ok) return { baseline: null, problems: [read.problem], unread: true };
  return readBaseline(read.text, absolute);
}

/** Like {@link loadBaseline}, from a text; `file` is only used in messages. */
export async function readBaseline(text: string, file: string): Promise<LoadedBaseline> {
  const source = parseYaml(text, file);
  if (hasErrors(source.problems)) return { baseline: null, problems: source.problems };
  const misfits = await checkAgainst('baseline', source);
  if (misfits.length > 0) return { baseline: null, problems: misfits };
  const data = source.data as unknown as BaselineFile;
  const problems = [...source.problems, ...contradictions(source, data)];
  if (hasErrors(problems)) return { baseline: null, problems };
  const { covers, wire = [], expect = [], thresholds = [] } = data;
  const baseline: Baseline = {
    file,
    covers: covers.map(coverOf),
    wire: wire.flatMap(wireEntriesOf),
    expect: expect.map((entry) => ({ ...entryFieldDefaults, ...entry })),
    thresholds: thresholds.map((threshold) => ({ note: null, link: null, ...threshold })),
    text,
  };
  return { baseline, problems };
}

function coverOf(written: BaselineFile['covers'][number]): Cover {
  return typeof written === 'string' ? { cells: written, trials: null } : written;
}

/** Without quirks, nobody looked at them yet. */
const wireEntriesOf = ({
  quirks: accepted,
  ...entry
}: NonNullable<BaselineFile['wire']>[number]): readonly WireEntry[] =>
  accepted === undefined ? [] : [{ only: {}, sometimes: [], ...entry, quirks: accepted }];

const entryFieldDefaults = {
  class: null,
  reason: null,
  status: null,
  passed: null,
  total: null,
  note: null,
  link: null,
  provisional: false,
  threshold: null,
} as const;

function* contradictions(
  source: SourceFile,
  { covers, wire = [], expect = [], thresholds = [] }: BaselineFile,
): Generator<Problem> {
  yield* openModels(source, covers);
  yield* unseenCovers(source, covers);
  yield* twice(source, 'expect', 'key', expect, 'keep the right one and remove the other');
  yield* twice(source, 'wire', 'model', wire, 'join their quirks');
  yield* twice(source, 'thresholds', 'key', thresholds, 'keep one of them');
  yield* unknownQuirks(source, wire);
  const covered = indexCovers(covers.map(coverOf));
  const warning = { severity: 'warning' } as const;
  for (const [index, { key, verdict, passed = null, total = null, ways = {} }] of expect.entries()) {
    const at = (member: string) => ['expect', index, member];
    if (covered(key) === undefined) {
      const hint = 'the entry still counts; add a pattern to covers, such as the key itself';
      yield problemAt(source, at('key'), `no pattern under covers matches ${key}`, hint, warning);
    }
    if (verdict === 'flaky' && (passed === null || total === null)) {
      const message = 'a flaky cell is compared by its rate; without a rate, no change is noticed';
      const hint = 'add passed and total: how many trials passed, and of how many';
      yield problemAt(source, at('verdict'), message, hint, warning);
    }
    if (passed !== null && total !== null && passed > total) {
      const hint = 'take the entry from an older version of the file, or remove it and accept a run of the cell';
      yield problemAt(source, at('passed'), `${passed} of ${total} trials cannot have passed`, hint);
    } else if (verdict === 'flaky' && total !== null && (passed === 0 || passed === total)) {
      const message = `a cell of which ${passed} of ${total} trials passed is not flaky`;
      const hint = passed === 0 ? 'write verdict: fail' : 'remove the entry: the cell passes';
      yield problemAt(source, at('passed'), message, hint);
    }
    const failures = Object.values(ways).reduce((sum, count) => sum + count, 0);
    if (passed !== null && total !== null && passed <= total && failures > total - passed) {
      const message = `ways count ${failures} failures, of ${total} trials of which ${passed} passed`;
      yield problemAt(source, at('ways'), message, 'remove ways, and accept a run of the cell');
    }
  }
  const entries = new Set(expect.map(({ key }) => key));
  for (const [index, { key }] of thresholds.entries()) {
    if (!entries.has(key)) continue;
    const hint = 'move the threshold into that entry, or remove the entry if the cell passes';
    const message = `${key} is also under expect, as a cell that does not pass`;
    yield problemAt(source, ['thresholds', index, 'key'], message, hint);
  }
}

/** Only of a single cell can it be accepted that it was looked at in vain. */
function* unseenCovers(source: SourceFile, covers: BaselineFile['covers']): Generator<Problem> {
  for (const [index, cover] of covers.entries()) {
    if (typeof cover === 'string' || cover.trials > 0 || !cover.cells.includes('*')) continue;
    const message = `${cover.cells} cannot be known from 0 trials`;
    yield problemAt(source, ['covers', index, 'trials'], message, 'remove the line, and accept a run of these cells');
  }
}

function* twice<Name extends string>(
  source: SourceFile,
  list: string,
  member: Name,
  entries: readonly Readonly<Record<Name, string>>[],
  hint: string,
): Generator<Problem> {
  const seen = new Set<string>();
  for (const [index, { [member]: name }] of entries.entries()) {
    if (seen.has(name)) yield problemAt(source, [list, index, member], `${name} has two entries`, hint);
    seen.add(name);
  }
}

/** A name that no version of chatspec knows may be of a newer one, so it is only a warning. */
function* unknownQuirks(source: SourceFile, wire: NonNullable<BaselineFile['wire']>): Generator<Problem> {
  for (const [index, { quirks: accepted = [], sometimes = [] }] of wire.entries()) {
    for (const [list, names] of Object.entries({ quirks: accepted, sometimes })) {
      for (const [place, name] of names.entries()) {
        if (Object.hasOwn(quirks, name)) continue;
        const hint = didYouMean(name, Object.keys(quirks), 'quirks');
        yield problemAt(source, ['wire', index, list, place], `there is no quirk "${name}"`, hint, {
          severity: 'warning',
        });
      }
    }
  }
}

/** Plain patterns of older files may leave the model open, since that is how they were written. */
function* openModels(source: SourceFile, covers: BaselineFile['covers']): Generator<Problem> {
  for (const [index, cover] of covers.entries()) {
    if (typeof cover === 'string') continue;
    const { model } = splitAtModel(cover.cells);
    if (model !== null && !model.includes('*')) continue;
    const message = `${cover.cells} does not name a model: a model that is added later would count as looked at`;
    const hint = 'write one entry for each model, such as { cells: "*@TARGET/MODEL", trials: 12 }';
    yield problemAt(source, ['covers', index, 'cells'], message, hint, { severity: 'warning' });
  }
}

/** Only a warning, since the first run, whose results become the baseline, must be possible without one. */
function missingBaselineFile(file: string): Problem {
  const message = `there is no baseline file ${file} yet, so every cell is new`;
  return { severity: 'warning', message, place: null, hint: 'chatspec baseline accept RUN writes it' };
}

/** A removed model leaves many entries, which need not all be named. */
const maxNamedEntries = 5;

/**
 * Warnings for entries whose key is not a cell of the current plan: it is misspelt and has no effect, or the cell no
 * longer exists.
 * @param keys of every cell that may be asked
 */
export function staleEntries(baseline: Baseline, keys: ReadonlySet<string>): readonly Problem[] {
  const { text = '', file, expect } = baseline;
  const models = new Set([...keys].map((key) => splitAtModel(key).model));
  const unnamed = unnamedEntries(baseline, (model) => models.has(model));
  const gone = new Set(unnamed.entries.expect);
  const ofGone = unnamed.count === 0 ? [] : [goneModels(unnamed)];
  const stale = expect.flatMap(({ key }, index) => (keys.has(key) || gone.has(key) ? [] : [{ key, index }]));
  if (stale.length === 0) return ofGone;
  const source = parseYaml(text, file);
  const named = stale.slice(0, maxNamedEntries).map(({ key, index }, position): Problem => {
    const meant = nearest(key, keys);
    const further = position === maxNamedEntries - 1 ? stale.length - maxNamedEntries : 0;
    const alike = further > 0 ? `, as for ${further} more ${further === 1 ? 'entry' : 'entries'}` : '';
    const message = `${key}: no such cell in the current suites and models${alike}`;
    const hint = meant === null ? 'remove the entry if the cell is gone for good' : `did you mean "${meant}"?`;
    return problemAt(source, ['expect', index, 'key'], message, hint, { severity: 'warning' });
  });
  return [...named, ...ofGone];
}

function goneModels({ models, count }: UnnamedEntries): Problem {
  const entries = `${count} ${count === 1 ? 'entry of the baseline is' : 'entries of the baseline are'}`;
  const message = `${entries} of models that the config does not name: ${models.join(', ')}`;
  return { severity: 'warning', message, place: null, hint: 'chatspec baseline accept RUN --prune removes them' };
}
