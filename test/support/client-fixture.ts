import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The client libraries whose request shapes are recorded, each in a folder with its own lock. */
export const clientFixtures = ['openai-6', 'openai-4', 'ai-5', 'langchain', 'instructor'] as const;

/** The folder of a fixture, with its libraries installed as its lock says. */
export async function clientFixture(name: (typeof clientFixtures)[number]): Promise<string> {
  const folder = join(process.cwd(), 'fixtures', 'clients', name);
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  }
  return folder;
}
