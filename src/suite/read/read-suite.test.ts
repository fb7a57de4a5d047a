import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { loadLanguages } from '../checks/languages.js';
import { readSuite } from './read-suite.js';

test('a suite of the package that was changed after the build is checked like any other', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'thinking.yaml');
  await writeFile(join(folder, 'package.json'), '{}');
  await writeFile(file, 'suite: thinking\nunknown: 1\nprobes: { a: { request: { messages: [], tool_choice: 7 } } }\n');
  const context = { baseFolder: folder, modelVars: null, languages: await loadLanguages(), recheck: false };
  const { problems } = await readSuite(
    { file, builtin: true },
    { ...context, files: new Map(), sampleFiles: new Map() },
  );
  expect(problems.map(({ message }) => message)).toEqual([
    'unknown key "unknown"',
    expect.stringContaining('tool_choice'),
  ]);
});
