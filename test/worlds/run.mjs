// Compares chatspec with worlds whose truth is known and prints what it got right: `npm run worlds`, or some parts of it,
// as `npm run worlds -- nights --seeds 3`.
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const parts = ['nights', 'world', 'stories', 'makespan'];
const args = process.argv.slice(2);
const firstOption = args.findIndex((argument) => argument.startsWith('--'));
const asked = firstOption === -1 ? args : args.slice(0, firstOption);
const unknown = asked.find((name) => !parts.includes(name));
if (unknown !== undefined) {
  console.error(`unknown part "${unknown}"; known: ${parts.join(', ')}`);
  process.exit(2);
}

/** Modules find their files by the address of their source. */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};
const build = await rolldown({
  input: Object.fromEntries(parts.map((name) => [name, `test/worlds/${name}.ts`])),
  ...{ platform: 'node', external: /^[^./]/, tsconfig: false, plugins: [ownAddresses] },
});
const dir = 'node_modules/.cache/chatspec-worlds';
await build.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', cleanDir: true });
for (const name of asked.length > 0 ? asked : parts) {
  console.log(`${name}\n`);
  await import(pathToFileURL(`${dir}/${name}.mjs`).href);
}
