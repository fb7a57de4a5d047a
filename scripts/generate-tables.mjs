// The outcome classes, reasons, rungs and quirks of the judge, wherever they are written down besides its own tables: the
// enumerations of the JSON Schemas, and the tables of docs/run-folder.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { load } from './load-module.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Path of each file that holds something generated, and its text as it should be. */
export async function filesWithTables() {
  const { outcomeClasses, outcomeProse } = await load('src/judge/outcome-classes.ts');
  const { reasons, reasonProse } = await load('src/judge/reasons.ts');
  const { rungs } = await load('src/judge/outcome.ts');
  const { quirkTable } = await load('src/chat/quirks.ts');
  return {
    'schemas/suite.schema.json': await schemaWith('schemas/suite.schema.json', {
      '$defs.outcomeClass': outcomeClasses,
      '$defs.expect.properties.rejected.properties.reason': reasons,
    }),
    'schemas/baseline.schema.json': await schemaWith('schemas/baseline.schema.json', {
      '$defs.Entry.properties.class': outcomeClasses,
      '$defs.Entry.properties.reason': reasons,
    }),
    'schemas/report.schema.json': await schemaWith('schemas/report.schema.json', {
      '$defs.OutcomeClass': [...outcomeClasses, null],
      '$defs.Reason': [...reasons, null],
      '$defs.Rung': [...rungs, null],
    }),
    'docs/run-folder.md': await pageWith('docs/run-folder.md', {
      '## Outcome classes': [['class', 'means'], ...rowsOf(outcomeProse, ({ explanation }) => [explanation])],
      '## Reasons': [
        ['reason', 'means', 'fault'],
        ...rowsOf(reasonProse, ({ explanation, fault }) => [explanation, fault === true ? 'yes' : '']),
      ],
      '## Quirks': [
        ['quirk', 'means', 'breaks'],
        ...rowsOf(quirkTable, ({ means, breaks }) => [means.replace(/<[^>]+>/g, '`$&`'), breaks]),
      ],
    }),
  };
}

async function schemaWith(path, enumerations) {
  const schema = JSON.parse(await readFile(at(path), 'utf8'));
  for (const [place, values] of Object.entries(enumerations)) {
    const holder = place.split('.').reduce((node, step) => node[step], schema);
    if (holder?.enum === undefined) throw new Error(`${path} has no enumeration at ${place}`);
    holder.enum = values;
  }
  return formatted(path, JSON.stringify(schema, null, 2));
}

const rowsOf = (table, cells) => Object.entries(table).map(([name, entry]) => [`\`${name}\``, ...cells(entry)]);

/** Replaces the first table below each heading. */
async function pageWith(path, tables) {
  let text = await readFile(at(path), 'utf8');
  for (const [heading, [head, ...rows]] of Object.entries(tables)) {
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
    const table = new RegExp(`(\\n${heading}\\n(?:(?!\\n## )[\\s\\S])*?\\n)(?:\\|.*\\n)+`);
    if (!table.test(text)) throw new Error(`${path} has no table below "${heading}"`);
    text = text.replace(table, (_, before) => before + lines.join(''));
  }
  return formatted(path, text);
}

async function formatted(path, text) {
  return format(text, { ...(await resolveConfig(at(path))), filepath: at(path) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await filesWithTables())) await writeFile(at(path), text);
}
