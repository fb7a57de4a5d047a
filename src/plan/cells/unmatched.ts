import { basename } from 'node:path';
import type { ModelConfig } from '../../config/config.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { patternHint } from '../../files/problems/pattern-hint.js';
import type { Cell } from '../ticket.js';

/** What filters read of a cell, or of a probe that has no cells for a model. */
export type Filtered = Pick<Cell, 'key' | 'probe' | 'model'>;

export type FilterName = 'models' | 'suites' | 'only' | 'skip' | 'tags';

/** Every name by which a model may be chosen. */
export function namesOf({ key, id, as }: ModelConfig): readonly string[] {
  return [key, id, ...(as === null ? [] : [as])];
}

const command = 'chatspec list';

/** What a filter that matches nothing may have meant, or else a few of what it may name; undefined: there is nothing. */
export function hintForUnmatched(option: FilterName, text: string, cells: readonly Filtered[]): string | undefined {
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
