import { mkdir, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { aStartedEvent } from '../../../test/support/build/event.js';
import { createJournal } from '../../journal/journal.js';
import { latestFolder, pointLatestTo, pointLatestToResumed } from './read-history.js';

test('an older run that is resumed does not become the newest; one that is the newest stays so', async () => {
  const root = await tempFolder();
  const config = { file: join(root, 'chatspec.yaml') };
  const begun = async (name: string, at: string) => {
    const folder = join(root, 'reports', 'runs', name);
    const journal = await createJournal(folder);
    await journal.append({ ...aStartedEvent(), at });
    await journal.close();
    return folder;
  };
  const [old, fresh] = ['2026-11-20T03:00:00.000Z', '2026-11-21T03:00:00.000Z'];
  const [first, second] = [await begun('first', old), await begun('second', fresh)];
  const latest = async () => basename(await readlink(latestFolder(config)));

  await pointLatestToResumed(config, first, old);
  expect(await latest()).toBe('first');
  await pointLatestTo(config, second);
  await pointLatestToResumed(config, first, old);
  expect(await latest()).toBe('second');
  await pointLatestToResumed(config, second, fresh);
  expect(await latest()).toBe('second');

  const unread = join(root, 'reports', 'runs', 'unread');
  await mkdir(unread);
  await pointLatestTo(config, unread);
  await pointLatestToResumed(config, first, old);
  expect(await latest()).toBe('first');
});
