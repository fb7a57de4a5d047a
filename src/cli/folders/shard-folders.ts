import { resolve } from 'node:path';
import type { ShardFolder } from '../../journal/merge-journals.js';
import { shown } from './folders.js';
import type { Io } from '../terminal/io.js';
import { startOf } from '../options/recorded-options.js';
import { userError } from '../../files/problems/problem.js';

type Shards = readonly [ShardFolder, ...ShardFolder[]];

/** The shards of one run, in their order. Throws a UserError for a folder that is none, is another run's, or comes twice. */
export async function shardsIn(paths: readonly string[], io: Io): Promise<Shards> {
  const found = await Promise.all(paths.map((path) => shardIn(resolve(io.cwd, path), io)));
  const [first, ...others] = found.sort((a, b) => a.index - b.index);
  if (first === undefined) throw userError('merge takes the run folders of the shards');
  let before = first;
  for (const one of others) {
    const [name, other] = [one, first].map(({ folder }) => shown(folder, io));
    if (one.started.plan !== first.started.plan || one.of !== first.of) {
      throw userError(`${name ?? ''} is no shard of the same run as ${other ?? ''}`, 'give the folders of one run');
    }
    if (one.index === before.index) {
      const message = `shard ${one.index}/${one.of} comes twice: ${shown(before.folder, io)} and ${name ?? ''}`;
      throw userError(message, 'give each shard once');
    }
    before = one;
  }
  return [first, ...others];
}

async function shardIn(folder: string, io: Io): Promise<ShardFolder & { readonly index: number; readonly of: number }> {
  const started = await startOf(folder);
  const name = shown(folder, io);
  if (started === null)
    throw userError(`${name} holds no run`, 'give the folders that run --shard I/N --out DIR wrote');
  if (started.shard === null) {
    throw userError(
      `${name} is a whole run and no shard`,
      'its report is there already; merge joins runs with --shard',
    );
  }
  return { folder, started, ...started.shard };
}
