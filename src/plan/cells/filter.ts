import { basename } from 'node:path';
import { probeKeyOf, splitAtModel, withoutPoint } from '../../cell/cell-key.js';
import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import type { ModelConfig } from '../../config/config.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { patternHint } from '../../files/problems/pattern-hint.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Cell } from '../ticket.js';
import { collectedAbsences, type Absence } from './absent-settings.js';
import { absentSettingsNotes } from './settings-advice.js';

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

type Test = (cell: Filtered) => boolean;

interface CompiledFilters {
  /** All filters together. */
  readonly isSelected: Test;
  /** Whether all filters together let through a probe that has no cells for a model, for lack of a setting. */
  readonly wouldSelect: (absence: Absence) => boolean;
  /** A left-out cell that `--only` asks for, by a pattern that matches no planned cell. */
  readonly isNamed: Test;
  /** An error for each filter that matches nothing in the whole plan. */
  readonly problems: readonly Problem[];
}

/** What filters may name. */
interface Nameable {
  readonly planned: readonly Cell[];
  /** Cells that are asked only to settle a doubt. */
  readonly leftOut: readonly Cell[];
  /** A filter that names such a probe is no misspelling, even if there is nothing to ask. */
  readonly absences: readonly Absence[];
}

export function compileFilters(filters: Filters, { planned, leftOut, absences }: Nameable): CompiledFilters {
  const cells: readonly Filtered[] = [...planned, ...leftOut, ...absences.map(withoutCells)];
  const problems: Problem[] = [];
  const anyOf = (option: FilterName, written: readonly string[] | undefined, compile: (text: string) => Test): Test => {
    if (written === undefined || written.length === 0) return () => true;
    const tests = written.map((text) => {
      const test = compile(text);
      if (!cells.some(test)) problems.push(matchesNothing(option, text, [...planned, ...leftOut], absences));
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
  return {
    isSelected,
    wouldSelect: (absence) => isSelected(withoutCells(absence)),
    isNamed: (cell) => onlyLeftOut.some((test) => test(cell)),
    problems,
  };
}

function withoutCells({ probe, model }: Absence): Filtered {
  return { key: probeKeyOf({ probe, model }), probe, model };
}

function patternTest(pattern: string): Test {
  const matches = compilePattern(pattern);
  return (cell) => matches(cell.key);
}

function modelTest(glob: string): Test {
  const matches = compileGlob(glob);
  return ({ model }) => namesOf(model).some(matches);
}

function matchesNothing(
  option: FilterName,
  text: string,
  cells: readonly Filtered[],
  absences: readonly Absence[],
): Problem {
  const lacking =
    ['only', 'skip'].includes(option) && !cells.some(isPointOf(text)) ? absences.filter(isPointOf(text)) : [];
  const [advice] = absentSettingsNotes(collectedAbsences(lacking));
  const nameable = [...cells, ...absences.map(withoutCells)];
  const message = `--${option} ${text} matches nothing in the whole plan`;
  const hint = advice ?? hintForUnmatched(option, text, nameable);
  return { severity: 'error', message, place: null, ...(hint === undefined ? {} : { hint }) };
}

/** Whether the text names a point of the probe, if perhaps one that it does not have. */
function isPointOf(text: string): (one: Pick<Filtered, 'probe' | 'model'>) => boolean {
  const { head, model } = splitAtModel(text);
  const matches = compilePattern(`${withoutPoint(head)}@${model ?? '*'}`);
  return (one) => matches(probeKeyOf(one));
}

/** What filters read of a cell, or of a probe that has no cells for a model. */
type Filtered = Pick<Cell, 'key' | 'probe' | 'model'>;

type FilterName = 'models' | 'suites' | 'only' | 'skip' | 'tags';

/** Every name by which a model may be chosen. */
function namesOf({ key, id, as }: ModelConfig): readonly string[] {
  return [key, id, ...(as === null ? [] : [as])];
}

const command = 'chatspec list';

/** What a filter that matches nothing may have meant, or else a few of what it may name; undefined: there is nothing. */
function hintForUnmatched(option: FilterName, text: string, cells: readonly Filtered[]): string | undefined {
  switch (option) {
    case 'models': {
      const models = new Map(cells.map(({ model }) => [model.key, model]));
      const near = nearModels(text, [...models.values()]);
      return nearHint(near, { title: 'the models of the plan', names: [...models.keys()], command });
    }
    case 'suites': {
      const names = [...new Set(cells.map(({ probe }) => probe.suite))];
      return nearHint(nearNames(suiteMeant(text), names), { title: 'the suites of the plan', names, command });
    }
    case 'tags': {
      const names = [...new Set(cells.flatMap(({ probe }) => probe.tags))];
      return nearHint(nearNames(text, names), { title: 'the tags of the plan', names });
    }
    case 'only':
    case 'skip':
      return patternHint(text, { keys: cells.map(({ key }) => key), where: 'the plan', command });
  }
}

/** A suite is often named by its file, as the config does. */
const suiteMeant = (text: string): string => basename(text).replace(/\.ya?ml$/i, '');

/** By the name that is most like the text, so that no model is suggested twice. */
function nearModels(text: string, models: readonly ModelConfig[]): readonly string[] {
  return nearNames(
    text,
    models.flatMap((model) => nearNames(text, namesOf(model)).slice(0, 1)),
  );
}
