// Measures what chatspec takes on this machine and prints it: npm run bench [-- SUBJECT...]. Run it on an idle machine.
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Each is the file of its name. */
const subjects = ['engine', 'start', 'report', 'pace'];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !subjects.includes(name));
if (unknown !== undefined) {
  console.error(`unknown subject "${unknown}"; known: ${subjects.join(', ')}`);
  process.exit(2);
}
console.log(
  `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model}), load ${loadavg()[0].toFixed(1)}`,
);
for (const name of asked.length > 0 ? asked : subjects) {
  console.log(`\n${name}`);
  await import(`./${name}.mjs`);
}
