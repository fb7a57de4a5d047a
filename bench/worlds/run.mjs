// Compares chatspec with worlds whose truth is known and prints what it got right: `npm run worlds`, or some parts of
// it, as `npm run worlds -- nights --seeds 3`.
import { load } from '../../scripts/load-module.mjs';

const parts = ['nights', 'world'];
const args = process.argv.slice(2);
const firstOption = args.findIndex((argument) => argument.startsWith('--'));
const asked = firstOption === -1 ? args : args.slice(0, firstOption);
const unknown = asked.find((name) => !parts.includes(name));
if (unknown !== undefined) {
  console.error(`unknown part "${unknown}"; known: ${parts.join(', ')}`);
  process.exit(2);
}

for (const name of asked.length > 0 ? asked : parts) {
  console.log(`${name}\n`);
  await load(`bench/worlds/${name}.ts`);
}
