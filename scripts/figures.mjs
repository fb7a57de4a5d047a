// Figures about the structure of src: `npm run figures`. With `-- --list`, also the files behind each figure.
import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { circleThrough, moduleGraph } from './module-graph.mjs';

/** A file of at most this many lines with a single importer may belong in that importer. */
const shortFile = 45;
/** A folder with more files than this should be divided. */
const fullFolder = 15;

const [root = '.'] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const src = resolve(root, 'src');
const graph = moduleGraph(src);
const files = [...graph.keys()];
const name = (file) => relative(src, file);
const lines = new Map(files.map((file) => [file, readFileSync(file, 'utf8').split('\n').length - 1]));
const importers = new Map(files.map((file) => [file, files.filter((other) => graph.get(other).includes(file))]));

const grouped = (keyOf) => {
  const groups = new Map();
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file]);
  return [...groups];
};
const ascending = [...lines.values()].sort((a, b) => a - b);
const longest = [...lines].sort(([, a], [, b]) => b - a).slice(0, 5);

const figures = {
  files: files.length,
  lines: ascending.reduce((sum, count) => sum + count, 0),
  'median file': ascending[ascending.length >> 1],
  'largest file': longest[0][1],
};
const lists = {
  'files in a circle of imports': files.filter((file) => circleThrough(file, graph) !== null).map(name),
  [`files of at most ${shortFile} lines with one importer`]: files
    .filter((file) => lines.get(file) <= shortFile && importers.get(file).length === 1)
    .map((file) => `${name(file)} <- ${name(importers.get(file)[0])}`),
  'base names that occur twice': grouped(basename)
    .filter(([base, all]) => all.length > 1 && base !== 'index.ts')
    .map(([, all]) => all.map(name).join(' ')),
  [`folders of more than ${fullFolder} files`]: grouped(dirname)
    .filter(([, all]) => all.length > fullFolder)
    .map(([folder, all]) => `${name(folder)}: ${all.length}`),
};

for (const [title, figure] of Object.entries(figures)) console.log(`${title}: ${figure}`);
for (const [title, list] of Object.entries(lists)) console.log(`${title}: ${list.length}`);
if (process.argv.includes('--list')) {
  console.log(`\nlargest files:\n${longest.map(([file, count]) => `  ${name(file)} ${count}`).join('\n')}`);
  for (const [title, list] of Object.entries(lists))
    console.log(`\n${title}:\n${list.map((one) => `  ${one}`).join('\n')}`);
}
