import { closest } from 'fastest-levenshtein';
import { probeKeyOf, withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import type { Problem } from '../../files/problems/problem.js';
import type { ModelConfig } from '../../config/config.js';
import type { Cell } from '../ticket.js';

/** What `run` and `list` may be asked to leave out; an absent or empty list leaves out nothing. */
export interface Filters {
  /** Globs over `TARGET/MODEL`, a model's id or its common name. */
  readonly models?: readonly string[];
  /** Globs over names of suites. */
  readonly suites?: readonly string[];
  /** Patterns over cell keys. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** A probe that carries one of them is asked. */
  readonly tags?: readonly string[];
}

type Test = (cell: Cell) => boolean;

export interface CompiledFilters {
  /** All filters together. */
  readonly isSelected: Test;
  /** A spare cell that `--only` asks for: one of its patterns means no planned cell. */
  readonly isNamed: Test;
  /** An error for each part that nothing in the whole plan answers to. */
  readonly problems: readonly Problem[];
}

/** @param spare cells that are asked only in case of doubt: a pattern may mean them, too */
export function compileFilters(filters: Filters, planned: readonly Cell[], spare: readonly Cell[]): CompiledFilters {
  const cells = [...planned, ...spare];
  const problems: Problem[] = [];
  const anyOf = (option: string, written: readonly string[] | undefined, compile: (text: string) => Test): Test => {
    if (written === undefined || written.length === 0) return () => true;
    const tests = written.map((text) => {
      const test = compile(text);
      if (!cells.some(test)) problems.push(matchesNothing(option, text, cells));
      return test;
    });
    return (cell) => tests.some((test) => test(cell));
  };
  const inModels = anyOf('models', filters.models, modelTest);
  const inSuites = anyOf('suites', filters.suites, (glob) => {
    const matches = compileGlob(glob);
    return (cell) => matches(cell.probe.suite);
  });
  const only = anyOf('only', filters.only, patternTest);
  const skipped = anyOf('skip', filters.skip, patternTest);
  const skip: Test = filters.skip === undefined || filters.skip.length === 0 ? () => false : skipped;
  const tagged = anyOf('tags', filters.tags, (tag) => (cell) => cell.probe.tags.includes(tag));
  const isSelected: Test = (cell) => inModels(cell) && inSuites(cell) && only(cell) && !skip(cell) && tagged(cell);
  const meantForSpare = (filters.only ?? []).map(patternTest).filter((test) => !planned.some(test));
  return { isSelected, isNamed: (cell) => meantForSpare.some((test) => test(cell)), problems };
}

function patternTest(pattern: string): Test {
  const matches = compilePattern(pattern);
  return (cell) => matches(cell.key);
}

function modelTest(glob: string): Test {
  const matches = compileGlob(glob);
  return ({ model }) => namesOf(model).some(matches);
}

function namesOf(model: ModelConfig): readonly string[] {
  return [model.key, model.id, ...(model.as === null ? [] : [model.as])];
}

function matchesNothing(option: string, text: string, cells: readonly Cell[]): Problem {
  const candidates = ofSameProbe(text, [...new Set(candidatesFor(option, text, cells))]);
  const message = `--${option} ${text} matches nothing in the whole plan`;
  const problem: Problem = { severity: 'error', message, place: null };
  return candidates.length === 0 ? problem : { ...problem, hint: `did you mean "${closest(text, candidates)}"?` };
}

/** Where the probe is right and its point is not, no other probe was meant. */
function ofSameProbe(text: string, candidates: readonly string[]): readonly string[] {
  const probe = withoutPoint(text);
  const same = probe === text ? [] : candidates.filter((candidate) => withoutPoint(candidate) === probe);
  return same.length > 0 ? same : candidates;
}

/** What the text could have been meant to be, in the form in which it was written. */
function candidatesFor(option: string, text: string, cells: readonly Cell[]): string[] {
  if (option === 'models') return cells.flatMap(({ model }) => namesOf(model));
  if (option === 'suites') return cells.map(({ probe }) => probe.suite);
  if (option === 'tags') return cells.flatMap(({ probe }) => probe.tags);
  return cells.map((cell) => {
    const key = text.includes('[') ? cell.key : probeKeyOf(cell);
    return text.includes('@') ? key : withoutModel(key);
  });
}
