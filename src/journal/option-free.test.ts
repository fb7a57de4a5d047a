import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Programs that embed chatspec get these sentences, and have no command line. */
test.each(['journal', 'run', 'transport'])(
  'no sentence of src/%s names an option of the command line',
  async (room) => {
    const files = (await readdir(join('src', room), { recursive: true })).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) {
      const text = await readFile(join('src', room, name), 'utf8');
      expect(text.match(/['"`(\s]--[a-z][a-z-]+/g), name).toBeNull();
    }
  },
);
