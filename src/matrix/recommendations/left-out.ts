import type { Choice } from './choice.js';

/** Settings of a model are left at their default anyway, unless a recommendation names them. */
const isSetting: ReadonlySet<string> = new Set(['thinking', 'reasoning_effort']);

/** Members of a request that a client has to leave out. */
export function leftOut({ labels }: Choice): readonly string[] {
  return Object.entries(labels).flatMap(([name, label]) => (label === null && !isSetting.has(name) ? [name] : []));
}
