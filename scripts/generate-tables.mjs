// The outcome classes, reasons and rungs of the judge as enumerations of the JSON Schemas; its error patterns without
// the sentences that they must recognise.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { load } from './load-module.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Path of each file that holds something generated, and its text as it should be. */
export async function filesWithTables() {
  const { outcomeClasses, reasons } = await load('src/judge/outcome.ts');
  const { rungs } = await load('src/judge/outcome.ts');
  const { clueKinds } = await load('src/judge/clue.ts');
  const { connectionFaults } = await load('src/chat/exchange.ts');
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
      '$defs.Clue.properties.kind': clueKinds,
      '$defs.Clue.properties.fault': connectionFaults,
    }),
    'src/judge/refusals/patterns.json': await patterns('src/judge/refusals/patterns'),
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

async function patterns(path) {
  const table = parse(await readFile(at(`${path}.yaml`), 'utf8'));
  for (const row of Object.values(table).flatMap(Object.values)) if (row.words) row.words = Object.keys(row.words);
  return formatted(`${path}.json`, JSON.stringify(table));
}

async function formatted(path, text) {
  return format(text, { ...(await resolveConfig(at(path))), filepath: at(path) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await filesWithTables())) await writeFile(at(path), text);
}
