import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = new URL('../', import.meta.url);

/** Modules find their files by the address of their source. */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};

/** What the named TypeScript modules of the project export, in one object. */
export async function load(...paths) {
  const build = await rolldown({
    cwd: fileURLToPath(root),
    input: paths,
    ...{ platform: 'node', external: /^[^./]/, tsconfig: false, plugins: [ownAddresses] },
  });
  // Within the project, so that packages are found.
  const cache = fileURLToPath(new URL('node_modules/.cache/', root));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(`${cache}chatspec-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { output } = await build.write({ dir: folder, format: 'esm', entryFileNames: '[name]-[hash].mjs' });
  const modules = output.filter(({ isEntry }) => isEntry).map(({ fileName }) => import(`${folder}/${fileName}`));
  return Object.assign({}, ...(await Promise.all(modules)));
}
