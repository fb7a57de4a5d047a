import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Linter, type ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const { arrowsPlugin } = (await import(new URL('../../scripts/eslint-arrows.mjs', import.meta.url).href)) as {
  readonly arrowsPlugin: (src: string, arrows: Readonly<Record<string, readonly string[]>>) => ESLint.Plugin;
};

const arrows = { ground: [], middle: ['ground'] };

async function houseOf(files: Readonly<Record<string, string>>): Promise<string> {
  const src = await tempFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(src, name)), { recursive: true });
    await writeFile(join(src, name), text);
  }
  return src;
}

async function lint(files: Readonly<Record<string, string>>, name: string): Promise<string[]> {
  const src = await houseOf(files);
  const config: Linter.Config = {
    files: ['**/*.ts'],
    plugins: { house: arrowsPlugin(src, arrows) },
    rules: { 'house/room': 'error', 'house/circle': 'error' },
  };
  return new Linter({ cwd: src })
    .verify(files[name] ?? '', [config], { filename: join(src, name) })
    .map(({ message }) => message);
}

describe('the arrows between the rooms', () => {
  test('let a room import itself and the rooms of its row, at any depth', async () => {
    const text = "import { a } from '../../ground/a.js';\nimport { c } from '../c.js';\na(c);";
    const files = { 'middle/deep/b.ts': text, 'middle/c.ts': '', 'ground/a.ts': '' };
    expect(await lint(files, 'middle/deep/b.ts')).toEqual([]);
  });

  test.each(["import '../middle/b.js';", "export { b } from '../middle/b.js';", "await import('../middle/b.js');"])(
    'forbid every other import: %s',
    async (text) => {
      const messages = await lint({ 'ground/a.ts': text, 'middle/b.ts': '' }, 'ground/a.ts');
      expect(messages).toEqual([expect.stringContaining('src/ground may import no other room')]);
    },
  );

  test('report files that import each other in a circle, with the path', async () => {
    const files = {
      'middle/a.ts': "import './b.js';",
      'middle/b.ts': "import './c.js';",
      'middle/c.ts': "import './a.js';",
      'middle/d.ts': "import './a.js';",
    };
    expect(await lint(files, 'middle/b.ts')).toEqual([
      `These files import each other in a circle: ${['b', 'c', 'a', 'b'].map((one) => join('middle', `${one}.ts`)).join(' -> ')}.`,
    ]);
    expect(await lint(files, 'middle/d.ts')).toEqual([]);
  });
});
