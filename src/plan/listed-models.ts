import { compileGlob } from '../cell/cell-pattern.js';
import type { ListedModels } from '../config/config.js';
import { ChatspecError } from '../errors/chatspec-error.js';

/** Whether a pattern takes the id and none leaves it out. */
export function fitsListed({ patterns }: Pick<ListedModels, 'patterns'>, id: string): boolean {
  const out = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const within = patterns.filter((pattern) => !pattern.startsWith('!'));
  const isIn = (globs: readonly string[]): boolean => globs.some((glob) => compileGlob(glob)(id));
  return (within.length === 0 || isIn(within)) && !isIn(out);
}

/**
 * The ids to test, and how many more would fit: first those that were known before, so that a new one pushes none out
 * and one that is gone is missed; then the others in the service's order.
 */
export function chosenIds(
  listed: ListedModels,
  ids: readonly string[],
  known: readonly string[],
): { readonly ids: readonly string[]; readonly left: number } {
  const all = [...new Set([...known, ...ids])].filter((id) => fitsListed(listed, id));
  const chosen = all.slice(0, listed.atMost ?? all.length);
  return { ids: chosen, left: all.length - chosen.length };
}

/** A service gives no list of its models, and none of them is known: nothing can be measured. */
export class ModelsNotListed extends ChatspecError {
  readonly kind = 'not_listed';
  constructor(target: string, why: string) {
    super(`the models of target "${target}" are not known: its /models ${why}`, {
      hint: 'chatspec doctor says whether it answers; else name the models in the config',
    });
  }
}
