import type { ClientLoss } from '../../matrix/diff/client-losses.js';
import { count } from '../words/phrases.js';

type Row = readonly [client: string, change: string];

/** The user's clients that fail on what the head answers: `broken` for certain, `doubtful` by too few answers. */
export function clientRows(all: readonly ClientLoss[] = []): { readonly broken: Row[]; readonly doubtful: Row[] } {
  const rows = (rule: boolean) => all.filter((one) => one.rule === rule).map(rowOf);
  return { broken: rows(true), doubtful: rows(false) };
}

function rowOf({ client, effect, quirk, model, seen, of, cells, rule }: ClientLoss): Row {
  const few = rule ? '' : ', too few to be the rule';
  return [
    client,
    `worked -> ${effect}: ${model} shows ${quirk} in ${seen} of ${count(of, 'answer')}${few} (in ${count(cells.length, 'cell')})`,
  ];
}

/** "openai 6.49 (throws)", each once. */
export function clientNames(all: readonly ClientLoss[]): readonly string[] {
  return [...new Set(all.map(({ client, effect }) => `${client} (${effect})`))];
}
