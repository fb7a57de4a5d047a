// Measures and prints the tables of bench/, which `npm run bench` builds first. `npm run bench -- speed` runs one of them.
//   npm run bench [-- BENCH...] [--write | --check] [--built DIR]
// --write puts tables into docs/ and ratios into bench/ratios.json. --check runs the benches whose ratios stand there and
// exits with 1 when one lost more than a fifth. --built is where the sources were built, if not in node_modules/.cache.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { copyAssets } from './built-assets.mjs';

const root = new URL('../', import.meta.url);
const ratiosFile = new URL('bench/ratios.json', root);
/** Those with `named` take long or need more than this repository, and run only when they are named. */
const benches = {
  speed: { how: 'depends on the machine' },
  start: { how: 'depends on the machine; needs npm run build; --write' },
  demo: { how: 'depends on the machine; builds; --write', named: true },
  engine: { how: 'depends on the machine; needs npm run build; --write' },
  judge: { how: 'depends on the machine; --write' },
  requests: { how: 'the service is embedded, seeds are fixed; --write', named: true },
  peer: { how: 'depends on the machine; needs npm run build and npm; --write', named: true },
  report: { how: 'depends on the machine; needs chromium; --write', named: true },
  scale: { how: 'depends on the machine; needs npm run build; --write --most N', named: true },
};

const args = process.argv.slice(2);
const builtAt = args.indexOf('--built');
const folder = builtAt === -1 ? 'node_modules/.cache/chatspec-bench' : args.splice(builtAt, 2)[1];
const firstOption = args.findIndex((argument) => argument.startsWith('--'));
const [asked, options] = firstOption === -1 ? [args, []] : [args.slice(0, firstOption), args.slice(firstOption)];
const check = options.includes('--check');
const write = options.includes('--write');
const readRatios = () => JSON.parse(readFileSync(ratiosFile, 'utf8'));
const tracked = readRatios();
const hasRatios = (name) => Object.keys(tracked).some((ratio) => ratio.startsWith(`${name}/`));

const mistake = mistakeIn();
if (mistake !== undefined) {
  console.error(mistake);
  process.exit(2);
}

const built = pathToFileURL(`${resolve(folder)}/`);
const page = ['templates', 'style', 'browser'].map((name) => `src/report/html/${name}`);
copyAssets(['package.json', 'schemas', 'suites', 'fixtures', ...page], root, built);
const builtBench = (name) => import(new URL(`bench/${name}.js`, built).href);

const chosen = Object.keys(benches).filter((name) =>
  asked.length > 0 ? asked.includes(name) : !benches[name].named && (!check || hasRatios(name)),
);
for (const name of chosen) {
  console.log(`${name} (${benches[name].how})\n`);
  await builtBench(name);
}

const { measuredRatios } = await builtBench('tracked-ratios');
const { compareRatios, updatedRatios } = await builtBench('compare-ratios');
if (write) {
  // Read again: another bench may have written its ratios while this one ran.
  writeFileSync(ratiosFile, `${JSON.stringify(updatedRatios(readRatios(), measuredRatios(), chosen), null, 2)}\n`);
}
if (check) await printComparison();

/** What is wrong with the command line, if anything. Benches have options of their own, so most are left to them. */
function mistakeIn() {
  const unknown = asked.find((name) => !(name in benches));
  if (unknown !== undefined) return `unknown bench "${unknown}"; known: ${Object.keys(benches).join(', ')}`;
  if (folder === undefined) return '--built needs a folder';
  if (!check) return undefined;
  if (write) return '--check compares with the tracked ratios, and --write replaces them: give one of the two';
  const without = asked.find((name) => !hasRatios(name));
  if (without !== undefined)
    return `"${without}" has no ratios in bench/ratios.json: run it with --write first, or leave it out`;
  const stray = options.find((option) => option !== '--check');
  return stray === undefined ? undefined : `"${stray}" after --check: name benches before it, and give no other option`;
}

async function printComparison() {
  const { printTable } = await builtBench('print-table');
  const { rows, problems } = compareRatios(tracked, measuredRatios(), chosen);
  console.log('tracked ratios\n');
  printTable(['ratio', 'tracked', 'now', 'change'], rows);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
