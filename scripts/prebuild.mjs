// What every command would otherwise do again with files that ship with the package: compiling the JSON Schemas, parsing
// and checking the built-in suites and the profiles of the embedded service, compiling the templates of reports. Fails when
// one of them is wrong.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import handlebars from 'handlebars';
import { minifySync } from 'rolldown/utils';
import { globSync } from 'tinyglobby';
import { prebuiltName } from '../.modules/files/prebuilt.js';
import { readJson } from '../.modules/files/read-json.js';
import { compileNow, fileOf, prebuiltSchemaEnding, shippedSchemas } from '../.modules/files/shipped-schema.js';
import { prebuiltYamlEnding, toPrebuilt } from '../.modules/files/yaml/prebuilt-yaml.js';
import { readYaml } from '../.modules/files/yaml/read-yaml.js';
import { loadProfiles } from '../.modules/simulator/profiles/load-profiles.js';
import { ownProfiles } from '../.modules/simulator/profiles/profile-sources.js';
import { prebuiltTemplateEnding, templateCodeNow } from '../.modules/report/html/page-template.js';
import { builtinSets } from '../.modules/suite/read/find-suite-files.js';
import { loadSuites } from '../.modules/suite/read/load-suites.js';

const standaloneCode = createRequire(import.meta.url)('ajv/dist/standalone').default;
const folder = dirname(prebuiltName('', ''));
// While nothing is there, everything is read and checked as if it were a user's.
rmSync(folder, { recursive: true, force: true });

const place = { file: 'scripts/prebuild.mjs', line: 1, column: 1 };
const entries = builtinSets.map((name) => ({ pattern: `builtin:${name}`, place }));
const { problems } = await loadSuites(entries, '.', { modelVars: new Set() });
const others = ['chatspec.yaml', 'fixtures/starter/*.yaml', 'fixtures/clients.yaml'];
const files = globSync(['suites/**/*.{yaml,json}', 'fixtures/{schemas,profiles}/*.{yaml,json}', ...others], {
  ignore: ['**/labels.yaml'],
});
const read = await Promise.all(
  files.map((file) => (file.endsWith('.json') ? readJson(resolve(file)) : readYaml(resolve(file)))),
);
problems.push(...read.flatMap((source) => source.problems));
await loadProfiles(ownProfiles).catch((error) => problems.push(...error.problems));
if (problems.length > 0) {
  for (const { place: at, message } of problems) console.error(`${at?.file}:${at?.line}: ${message}`);
  process.exit(1);
}

mkdirSync(folder, { recursive: true });
for (const source of read) {
  const text = readFileSync(source.file, 'utf8');
  writeFileSync(prebuiltName(text, prebuiltYamlEnding), JSON.stringify(toPrebuilt(source)));
}
for (const name of shippedSchemas) {
  const text = readFileSync(fileOf(name), 'utf8');
  const { ajv, validate } = await compileNow(text, true);
  const built = prebuiltName(text, prebuiltSchemaEnding);
  // Half the size, and less to parse.
  writeFileSync(built, minified(built, standaloneCode(ajv, validate)));
}
for (const file of globSync('src/report/**/*.hbs')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(prebuiltName(text, prebuiltTemplateEnding), templateCodeNow(handlebars, text));
}

function minified(file, code) {
  const { code: short, errors } = minifySync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return short;
}
