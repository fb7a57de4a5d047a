import { basename } from 'node:path';
import { probeKeyOf, splitAtModel, withoutPoint } from '../../cell/cell-key.js';
import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import { modelsMeant, namesOfModel } from '../../cell/model-names.js';
import { nearHint, nearNames, patternHint } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import type { Cell } from '../plan.js';
import { settingsLacking, type Absence } from './plan-cells.js';

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

/** A cell as filters read it, or a probe that has no cells for a model. */
type Filtered = Pick<Cell, 'key' | 'probe' | 'model'>;
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

/** The cells and probes that filters may name. */
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
  const testsOf = (option: keyof Filters): readonly Test[] =>
    (filters[option] ?? []).map((text) => {
      const test = testFor(option, text, cells);
      if (!cells.some(test)) {
        const message = `--${option} ${text} matches nothing in the whole plan`;
        const lacking = absences.filter(isPointOf(option, text));
        const isAbsent = lacking.length > 0 && ![...planned, ...leftOut].some(isPointOf(option, text));
        const hint = isAbsent ? absenceHint(lacking) : hintForUnmatched(option, text, cells);
        problems.push({ severity: 'error', message, place: null, hint });
      }
      return test;
    });
  const wanted = (['models', 'suites', 'only', 'tags'] as const).map(testsOf).filter(({ length }) => length > 0);
  const skipped = testsOf('skip');
  const isSelected: Test = (cell) =>
    wanted.every((tests) => tests.some((test) => test(cell))) && !skipped.some((test) => test(cell));
  const onlyLeftOut = (filters.only ?? [])
    .map((text) => testFor('only', text, cells))
    .filter((test) => !planned.some(test));
  return {
    isSelected,
    wouldSelect: (absence) => isSelected(withoutCells(absence)),
    isNamed: (cell) => onlyLeftOut.some((test) => test(cell)),
    problems,
  };
}

/** A hint to the settings without which a probe has no cells. */
export const absenceHint = (absences: readonly Pick<Absence, 'settings'>[]): string =>
  `the config defines ${settingsLacking(absences)}; chatspec list without filters shows the lines to add`;

function testFor(option: keyof Filters, text: string, cells: readonly Filtered[]): Test {
  switch (option) {
    case 'tags':
      return ({ probe }) => probe.tags.includes(text);
    case 'models': {
      const meant = new Set(modelsMeant(modelsOf(cells), text).map(({ key }) => key));
      return ({ model }) => meant.has(model.key);
    }
    case 'suites': {
      const matches = compileGlob(text);
      return ({ probe }) => matches(probe.suite);
    }
    case 'only':
    case 'skip': {
      const matches = compilePattern(text);
      return ({ key }) => matches(key);
    }
  }
}

const modelsOf = (cells: readonly Filtered[]) => [...new Map(cells.map(({ model }) => [model.key, model])).values()];

function withoutCells({ probe, model }: Absence): Filtered {
  return { key: probeKeyOf({ probe, model }), probe, model };
}

/** Whether a pattern names a point of the probe, if perhaps one that it does not have. */
function isPointOf(option: keyof Filters, text: string): (one: Pick<Filtered, 'probe' | 'model'>) => boolean {
  if (option !== 'only' && option !== 'skip') return () => false;
  const { head, model } = splitAtModel(text);
  const matches = compilePattern(`${withoutPoint(head)}@${model ?? '*'}`);
  return (one) => matches(probeKeyOf(one));
}

/**
 * The names that a filter which matches nothing may have meant, or else a few that there are; undefined: none.
 */
function hintForUnmatched(option: keyof Filters, text: string, cells: readonly Filtered[]): string | undefined {
  const command = 'chatspec list';
  switch (option) {
    case 'models': {
      const models = modelsOf(cells);
      const names = models.map(({ key }) => key);
      return nearHint(nearNames(text, models.flatMap(namesOfModel)), {
        title: 'the models of the plan',
        names,
        command,
      });
    }
    case 'suites': {
      const names = [...new Set(cells.map(({ probe }) => probe.suite))];
      // A suite is often named by its file, as the config does.
      const meant = basename(text).replace(/\.ya?ml$/i, '');
      return nearHint(nearNames(meant, names), { title: 'the suites of the plan', names, command });
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
