// Plays every attack of bench/attack/subjects on loopback and prints what was measured; exits with 1 when one did not hold.
//   npm run attack [-- SUBJECT...] [--write]
// --write puts the figures into docs/running.md. Its own builds can stand elsewhere: --built DIR.
import { fork } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { copyAssets } from './built-assets.mjs';

const root = new URL('../', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    built: { type: 'string', default: new URL('node_modules/.cache/chatspec-bench', root).pathname },
  },
});
const built = pathToFileURL(`${resolve(values.built)}/`);

copyAssets(['package.json', 'schemas', 'suites', 'fixtures'], root, built);
cpSync(new URL('src', root), new URL('src', built), { recursive: true, filter: (path) => !path.endsWith('.ts') });

// The sources name the subjects: a file that was taken away may still stand among the built ones.
const subjects = readdirSync(new URL('bench/attack/subjects', root)).map((name) => basename(name, '.ts'));
const unknown = positionals.find((name) => !subjects.includes(name));
if (unknown !== undefined) {
  console.error(`unknown subject "${unknown}"; known: ${subjects.join(', ')}`);
  process.exit(2);
}
const chosen = positionals.length === 0 ? subjects : subjects.filter((name) => positionals.includes(name));
if (values.write && chosen.length < subjects.length) {
  console.error('--write writes the whole table: name no subject');
  process.exit(2);
}

const begun = performance.now();
const played = new Map();
// What is measured (CPU of a process, counts, memory) does not depend on what else runs, so two play at a time. The limits
// come first, because they take long and need little.
const waiting = [...chosen].sort((a, b) => Number(b === 'limits') - Number(a === 'limits'));
const lane = async () => {
  for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
    played.set(subject, await play(subject));
  }
};
await Promise.all([lane(), lane()]);

const rows = chosen.flatMap((subject) => played.get(subject));
const broken = rows.filter(({ held }) => !held).length;
console.log(`\n${table(rows)}\n`);
console.log(`${rows.length - broken} held, ${broken} did not, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
if (values.write) await writeFigures();
process.exit(broken === 0 ? 0 : 1);

/** Each subject has a process of its own, so that no attack ends the others, and none measures their CPU seconds. */
function play(subject) {
  const child = fork(new URL('attack-subject.mjs', import.meta.url), [
    new URL(`bench/attack/subjects/${subject}.js`, built).href,
  ]);
  const results = [];
  child.on('message', ({ name, held, figure, seconds }) => {
    results.push({ subject, name, held, figure });
    console.log(`${held ? 'held  ' : 'BROKEN'}  ${subject}: ${name}: ${figure} (${seconds.toFixed(1)} s)`);
  });
  const told = new Promise((resolve) => child.once('disconnect', resolve));
  return new Promise((done) => {
    child.once('exit', async (code, signal) => {
      await told;
      // It ends with 0 only after all its attacks.
      if (code === 0 && results.length > 0) return done(results);
      const figure = `ended with ${signal ?? code} after ${results.length} attacks`;
      console.log(`BROKEN  ${subject}: ${figure}`);
      done([...results, { subject, name: 'all its attacks', held: false, figure }]);
    });
  });
}

function table(all) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  const body = all.map(({ subject, name, held, figure }) => line([subject, name, held ? 'held' : 'BROKEN', figure]));
  return [line(['subject', 'attack', '', 'measured']), '| --- | --- | --- | --- |', ...body].join('\n');
}

async function writeFigures() {
  const file = new URL('docs/running.md', root);
  const text = readFileSync(file, 'utf8');
  const between = /(?<=<!-- attack figures -->\n)[^]*(?=\n?<!-- end of attack figures -->)/;
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
