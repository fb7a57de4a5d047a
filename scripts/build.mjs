// Makes dist from src; with --types also the declarations, which only those who install the package read.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, posix } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import Handlebars from 'handlebars';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { globSync } from 'tinyglobby';
import { parse } from 'yaml';

const { default: standaloneCode } = standalone;
const { bin, exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));

/** As the package names them. */
const built = [bin.chatspec, ...Object.values(entries).flatMap((entry) => entry.default ?? [])].map((file) =>
  posix.relative('dist', file).replace(/\.js$/, ''),
);

const mark = 'module:';
/**
 * Modules find their files by their own address. In a file with others, it stays what it would be in a file of its own.
 */
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

const build = await rolldown({
  input: Object.fromEntries(built.map((name) => [name, `src/${name}.ts`])),
  // Dependencies are installed with the package.
  ...{ platform: 'node', external: /^[^./]/, tsconfig: false, plugins: [ownAddresses] },
});
// Comments are for those who read the sources.
const { output } = await build.write({
  ...{ dir: 'dist', format: 'esm', comments: false, chunkFileNames: 'chunks/[name].js' },
});
// Not before: another process may be running what was built last.
const written = new Set(output.map(({ fileName }) => `dist/${fileName}`));
const assets = globSync('**/*', { cwd: 'src', ignore: ['**/*.ts', 'judge/**'] });
const isTemplate = (asset) => asset.endsWith('.hbs');
const compiledTemplates = assets.filter(isTemplate).map((asset) => {
  const file = `dist/${asset.replace(/\.hbs$/, '.cjs')}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `module.exports = ${Handlebars.precompile(readFileSync(`src/${asset}`, 'utf8'))};\n`);
  return file;
});
const copies = assets.filter((asset) => !isTemplate(asset));
for (const asset of copies) cpSync(`src/${asset}`, `dist/${asset}`);
const shipped = globSync(['suites/*/*.yaml', 'fixtures/profiles/*.yaml', 'fixtures/clients.yaml'], {
  ignore: ['**/labels.yaml'],
});
for (const file of shipped) writePrepared(file);
const prepared = shipped.map(preparedFile);
const validators = await writeValidators();
const kept = new Set([
  ...written,
  ...compiledTemplates,
  ...copies.map((asset) => `dist/${asset}`),
  ...prepared,
  ...validators,
]);
for (const file of globSync('dist/**/*', { ignore: ['dist/**/*.d.ts'] })) if (!kept.has(file)) rmSync(file);

if (process.argv.includes('--types')) {
  // Types are checked by `npm run types`, which reads the tests as well.
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--noCheck'], { stdio: 'inherit' });
  pruneDeclarations();
}

/** The schemas that commands read, compiled: functions of what their code refers to. They start 0.1 s sooner. */
async function writeValidators() {
  const { createSchemaCompiler } = await import('../dist/chunks/schema-compiler.js');
  mkdirSync('dist/validators', { recursive: true });
  const names = ['suite', 'config', 'baseline', 'chat-request', 'report', 'summary', 'journal', 'capabilities'];
  return names.map((name) => {
    const compiler = createSchemaCompiler({ source: true });
    const code = standaloneCode(compiler, compiler.compile(JSON.parse(readFileSync(`schemas/${name}.schema.json`))));
    const file = `dist/validators/${name}.js`;
    // The code holds the schema as `schema0`, which some readers ask for names.
    const named = `${code}\nreturn Object.assign(module.exports, { schema: schema0 });`;
    const whole = `export default (isUsual, require) => {const module = {};${named}};\n`;
    writeFileSync(file, minifySync(file, whole).code);
    return file;
  });
}

function preparedFile(file) {
  return `dist/${file.replace(/\.yaml$/, '.json')}`;
}

/** A YAML file of the package as JSON, which every command reads sooner. */
function writePrepared(file) {
  mkdirSync(dirname(preparedFile(file)), { recursive: true });
  writeFileSync(preparedFile(file), JSON.stringify(parse(readFileSync(file, 'utf8'), { merge: true })));
}

/** Takes away the declarations that no entry of the package leads to: nobody can import them. */
function pruneDeclarations() {
  const reached = new Set(
    Object.values(entries).flatMap(({ types }) => (types === undefined ? [] : [normalize(types)])),
  );
  for (const file of reached) {
    const text = readFileSync(file, 'utf8');
    // The compilers of users read no JSON unless they are told to, and its type is nobody's business but the file's.
    const readable = text.replace(/^import (\w+) from '\.[^']+\.json'.*;$/gm, 'declare const $1: any;');
    if (readable !== text) writeFileSync(file, readable);
    const named = readable.matchAll(/(?:from |import\(|import )['"](\.[^'"]+)\.js['"]/g);
    for (const [, path] of named) reached.add(join(dirname(file), `${path}.d.ts`));
  }
  for (const file of globSync('dist/**/*.d.ts')) if (!reached.has(normalize(file))) rmSync(file);
}
