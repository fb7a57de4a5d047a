// Takes from dist the type declarations that no entry of the package leads to: nobody can import them.
import { globSync } from 'tinyglobby';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();
const open = Object.values(entries).flatMap(({ types }) => (types === undefined ? [] : [normalize(types)]));
while (open.length > 0) {
  const file = open.pop();
  if (reached.has(file)) continue;
  reached.add(file);
  const named = readFileSync(file, 'utf8').matchAll(/(?:from |import\(|import )['"](\.[^'"]+)\.js['"]/g);
  for (const [, path] of named) open.push(join(dirname(file), `${path}.d.ts`));
}
for (const file of globSync('dist/**/*.d.ts')) if (!reached.has(normalize(file))) rmSync(file);
