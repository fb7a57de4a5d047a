// Prints the tables of docs/how-chatspec-decides.md from bench/, which `npm run bench` builds first.
// `npm run bench -- speed` runs one of them. `many-nights`, `later-nights` and `run-sizes` take a quarter of an hour each and run only when named, and so does `report`, which needs chromium.
import { copyAssets } from './built-assets.mjs';

const built = new URL('../node_modules/.cache/chatspec-bench/', import.meta.url);
const tables = {
  'sequential-test': 'exact, no chance',
  nights: 'seeds are fixed',
  speed: 'depends on the machine',
  start: 'depends on the machine; needs npm run build; --write',
  report: 'depends on the machine; needs chromium; --write',
  'many-nights': 'seeds are fixed',
  'later-nights': 'seeds are fixed; --write',
  'run-sizes': 'seeds are fixed',
  world: 'seeds are fixed; --seeds N --models N',
  'world-nights': 'seeds are fixed; --seeds N --models N',
};
const onlyWhenAsked = new Set(['report', 'many-nights', 'later-nights', 'run-sizes', 'world', 'world-nights']);
const options = process.argv.findIndex((argument) => argument.startsWith('--'));
const asked = process.argv.slice(2, options === -1 ? undefined : options);
const unknown = asked.find((name) => !(name in tables));
if (unknown !== undefined) {
  console.error(`unknown bench "${unknown}"; known: ${Object.keys(tables).join(', ')}`);
  process.exit(2);
}
const page = ['templates', 'style', 'browser'].map((name) => `src/report/html/${name}`);
copyAssets(
  ['package.json', 'schemas', 'suites', 'fixtures', 'bench/world/suite', ...page],
  new URL('../', import.meta.url),
  built,
);
for (const [name, how] of Object.entries(tables)) {
  if (asked.length > 0 ? !asked.includes(name) : onlyWhenAsked.has(name)) continue;
  console.log(`${name} (${how})\n`);
  await import(new URL(`bench/${name}.js`, built).href);
}
