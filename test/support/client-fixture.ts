import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The client libraries whose request shapes are recorded, each in a folder with its own lock. */
export const clientFixtures = ['openai-6', 'openai-4', 'ai-5', 'langchain', 'instructor'] as const;

/** The folder of a fixture, with its libraries installed as its lock says. */
export async function clientFixture(name: (typeof clientFixtures)[number]): Promise<string> {
  const folder = join(process.cwd(), 'fixtures', 'clients', name);
  while (!existsSync(join(folder, 'node_modules', '.package-lock.json')) || existsSync(installing(folder))) {
    await installOrWait(folder);
  }
  return folder;
}

const installing = (folder: string) => join(folder, '.installing');

/** Several files of tests want a fixture at the same time, and an installation begins by removing another. */
async function installOrWait(folder: string): Promise<void> {
  const mine = await mkdir(installing(folder)).then(
    () => true,
    () => false,
  );
  if (!mine) {
    // Left by a process that was killed.
    const { mtimeMs = Date.now() } = (await stat(installing(folder)).catch(() => null)) ?? {};
    if (Date.now() - mtimeMs > 180_000) await rmdir(installing(folder)).catch(() => undefined);
    return setTimeout(200);
  }
  try {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  } finally {
    await rmdir(installing(folder));
  }
}
