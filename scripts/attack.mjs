// Plays every attack of bench/attack on loopback and prints what was measured; exits with 1 when one did not hold.
//   npm run attack [-- SUBJECT...] [--write]
// --write puts the figures into docs/running.md. Its own builds can stand elsewhere: --built DIR.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';

/** A single attack that takes longer has not held. */
const mostSeconds = 120;
const root = new URL('../', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    built: { type: 'string', default: new URL('node_modules/.cache/chatspec-bench', root).pathname },
  },
});
const built = pathToFileURL(`${resolve(values.built)}/`);

// The built sources look for these where they stand beside the sources.
for (const asset of ['package.json', 'schemas', 'suites', 'fixtures']) {
  cpSync(new URL(asset, root), new URL(asset, built), { recursive: true });
}
cpSync(new URL('src', root), new URL('src', built), { recursive: true, filter: (path) => !path.endsWith('.ts') });

const subjects = [];
// The sources name the subjects: a file that was taken away may still stand among the built ones.
for (const file of readdirSync(new URL('bench/attack', root)).filter((name) => name.endsWith('.ts'))) {
  const subject = basename(file, '.ts');
  const { attacks } = await import(new URL(`bench/attack/${subject}.js`, built).href);
  if (attacks !== undefined) subjects.push({ subject, attacks });
}
const unknown = positionals.find((name) => !subjects.some(({ subject }) => subject === name));
if (unknown !== undefined) {
  console.error(`unknown subject "${unknown}"; known: ${subjects.map(({ subject }) => subject).join(', ')}`);
  process.exit(2);
}

const rows = [];
const begun = performance.now();
for (const { subject, attacks } of subjects) {
  if (positionals.length > 0 && !positionals.includes(subject)) continue;
  for (const attack of attacks) {
    const from = performance.now();
    const { held, figure } = await played(attack);
    const seconds = (performance.now() - from) / 1000;
    rows.push({ subject, name: attack.name, held, figure });
    console.log(`${held ? 'held  ' : 'BROKEN'}  ${subject}: ${attack.name}: ${figure} (${seconds.toFixed(1)} s)`);
  }
}
const broken = rows.filter(({ held }) => !held).length;
console.log(`\n${table(rows)}\n`);
console.log(`${rows.length - broken} held, ${broken} did not, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
if (values.write) await writeFigures();
process.exit(broken === 0 ? 0 : 1);

async function played(attack) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${mostSeconds} s`)), mostSeconds * 1000);
  });
  try {
    return await Promise.race([attack.run(), late]);
  } catch (error) {
    return { held: false, figure: `error: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    clearTimeout(timer);
  }
}

function table(all) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  const body = all.map(({ subject, name, held, figure }) => line([subject, name, held ? 'held' : 'BROKEN', figure]));
  return [line(['subject', 'attack', '', 'measured']), '| --- | --- | --- | --- |', ...body].join('\n');
}

async function writeFigures() {
  if (positionals.length > 0) throw new Error('--write writes the whole table: name no subject');
  const file = new URL('docs/running.md', root);
  const text = readFileSync(file, 'utf8');
  const between = /(?<=<!-- attack figures -->\n)[^]*(?=\n<!-- end of attack figures -->)/;
  if (!between.test(text)) throw new Error('docs/running.md has lost the markers of the attack figures');
  const options = { ...(await resolveConfig(file.pathname)), parser: 'markdown' };
  writeFileSync(
    file,
    await format(
      text.replace(between, () => `\n${table(rows)}\n`),
      options,
    ),
  );
}
