import { closestHint } from '../../files/problems/nearest.js';
import { probeKeyOf, withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import type { Problem } from '../../files/problems/problem.js';
import type { ModelConfig } from '../../config/config.js';
import type { Cell } from '../ticket.js';

/** The filters of `run` and `list`. An absent or empty list leaves nothing out. */
export interface Filters {
  /** Globs over `TARGET/MODEL`, a model's id or its common name. */
  readonly models?: readonly string[];
  /** Globs over names of suites. */
  readonly suites?: readonly string[];
  /** Patterns over cell keys. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** A probe is asked if it has one of them. */
  readonly tags?: readonly string[];
}

type Test = (cell: Cell) => boolean;

export interface CompiledFilters {
  /** All filters together. */
  readonly isSelected: Test;
  /** A left-out cell that `--only` asks for, by a pattern that matches no planned cell. */
  readonly isNamed: Test;
  /** An error for each filter that matches nothing in the whole plan. */
  readonly problems: readonly Problem[];
}

/** @param leftOut cells that are asked only to settle a doubt; patterns may match them, too */
export function compileFilters(filters: Filters, planned: readonly Cell[], leftOut: readonly Cell[]): CompiledFilters {
  const cells = [...planned, ...leftOut];
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
  const onlyLeftOut = (filters.only ?? []).map(patternTest).filter((test) => !planned.some(test));
  return { isSelected, isNamed: (cell) => onlyLeftOut.some((test) => test(cell)), problems };
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
  const hint = closestHint(text, candidates);
  return { severity: 'error', message, place: null, ...(hint === undefined ? {} : { hint }) };
}

/** Only cells of the same probe, if the text names a probe and only its point is wrong. */
function ofSameProbe(text: string, candidates: readonly string[]): readonly string[] {
  const probe = withoutPoint(text);
  const same = probe === text ? [] : candidates.filter((candidate) => withoutPoint(candidate) === probe);
  return same.length > 0 ? same : candidates;
}

/** What the text may have meant, in the form in which it was written. */
function candidatesFor(option: string, text: string, cells: readonly Cell[]): string[] {
  if (option === 'models') return cells.flatMap(({ model }) => namesOf(model));
  if (option === 'suites') return cells.map(({ probe }) => probe.suite);
  if (option === 'tags') return cells.flatMap(({ probe }) => probe.tags);
  return cells.map((cell) => {
    const key = text.includes('[') ? cell.key : probeKeyOf(cell);
    return text.includes('@') ? key : withoutModel(key);
  });
}
