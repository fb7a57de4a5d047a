import { compileGlob } from '../../cell/cell-pattern.js';
import type { ModelConfig } from '../../config/config.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';

/** The models that a name or a pattern means: by key, id or common name. Throws a UserError where there is none. */
export function modelsNamed(all: readonly ModelConfig[], text: string): readonly ModelConfig[] {
  const namesOf = ({ key, id, as }: ModelConfig): readonly string[] => [key, id, ...(as === null ? [] : [as])];
  const found = all.filter((model) => namesOf(model).some(compileGlob(text)));
  if (found.length > 0) return found;
  const known = { title: 'its models', names: all.map(({ key }) => key), command: 'chatspec list' };
  throw userError(`the config has no model "${text}"`, nearHint(nearNames(text, all.flatMap(namesOf)), known));
}
