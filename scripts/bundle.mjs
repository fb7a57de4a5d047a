// Makes what runs from src. In dist, modules that are used together share a file: every command would have to find, read
// and compile hundreds. `.modules` holds each by itself, for scripts that use one.
import { readFileSync, rmSync } from 'node:fs';
import { posix } from 'node:path';
import { rolldown } from 'rolldown';
import { globSync } from 'tinyglobby';
import { joinedGroups } from './joined-groups.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** As the package names it, and the threads that are started by their files. */
const entryFiles = [
  manifest.bin.chatspec,
  ...Object.values(manifest.exports).flatMap((entry) => entry.default ?? []),
  'dist/run/judging/judge-thread.js',
  'dist/simulator/simulator-thread.js',
].map((file) => posix.relative('dist', file));

const sourceOf = (file) => `src/${file.replace(/\.js$/, '.ts')}`;
const inputOf = (files) => Object.fromEntries(files.map((file) => [file.replace(/\.js$/, ''), sourceOf(file)]));
const allFiles = globSync('**/*.ts', { cwd: 'src', ignore: ['**/*.test.ts'] }).map((file) => file.replace(/ts$/, 'js'));

/** Modules find their files by their own address. In a file with others, it stays what it would be in a file of its own. */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const file = posix.relative('src', posix.relative(process.cwd(), id)).replace(/\.ts$/, '.js');
      return code.replaceAll('import.meta.url', `new URL('${mark}${file}', import.meta.url).href`);
    },
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(
      new RegExp(`(['"\`])${mark}([^'"\`]+)`, 'g'),
      (_, quote, file) => `${quote}${posix.relative(posix.dirname(fileName), file)}`,
    ),
};
const mark = 'module:';

/** Dependencies are installed with the package. Comments are for those who read the sources. */
const input = { platform: 'node', external: /^[^./]/, tsconfig: false };
const output = { format: 'esm', comments: false };

async function bundled() {
  const build = await rolldown({ ...input, input: inputOf(entryFiles), plugins: [ownAddresses] });
  const { output: files } = await build.write({
    ...{ ...output, dir: 'dist', chunkFileNames: 'chunks/[name].js' },
    codeSplitting: { groups: joinedGroups() },
  });
  return files.map(({ fileName }) => `dist/${fileName}`);
}

async function single() {
  const build = await rolldown({ ...input, input: inputOf(allFiles), treeshake: false });
  await build.write({ ...output, dir: '.modules', preserveModules: true, preserveModulesRoot: 'src' });
}

const [written] = await Promise.all([bundled(), single()]);
// Not before: another process may be running what was built last.
const kept = new Set(written);
for (const file of globSync('dist/**/*.js', { ignore: ['dist/prebuilt/**'] })) if (!kept.has(file)) rmSync(file);
