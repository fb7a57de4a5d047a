// Types of the raw files, from the JSON Schemas that ship in the package.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

export const generated = {
  'schemas/suite.schema.json': 'src/suite/suite-file.ts',
  'schemas/config.schema.json': 'src/config/config-file.ts',
};

/** The types that other files import. */
const exported = new Set(
  `SuiteFile ProbeFile StepFile AxisFile PointFile FindFile EnforceFile BehaviourFile FamilyFile FormFile FormEvidenceFile RetryFile RepeatFile
  Name NeedName Pointer ProbeReference Rate
  ConfigFile TargetFile ModelFile LimitsFile SettingsFile FromEnvironment FromCommand FromList`.split(/\s+/),
);

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Free data becomes our JSON types, and a reference stays a reference: a description beside it would copy the type. */
function readable(node) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(readable);
  const { $ref, description } = node;
  if (typeof $ref === 'string') return { $ref };
  const known = judged[node.title] ?? judged[node.enum?.[0]];
  if (known !== undefined) return { tsType: known.type };
  const about = typeof description === 'string' ? { description } : {};
  if (node.additionalProperties === true && !('title' in node))
    return { ...about, tsType: freeTypes[String(node.type)] };
  if (Object.keys(node).every((key) => key === 'description' || key === 'examples'))
    return { ...about, tsType: 'Json' };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inside(key, value)]));
}

/** What the judge defines: by its title, or a list by its first word. */
const judged = {
  ExpectFile: { type: 'ExpectSpec', from: '../judge/expectation.js' },
  transport: { type: 'OutcomeClass', from: '../judge/outcome.js' },
  auth: { type: 'Reason', from: '../judge/outcome.js' },
};

const freeTypes = { object: 'JsonObject', 'object,null': 'JsonObject | null', 'object,boolean': 'Json' };

function inside(key, value) {
  if (key !== 'properties' && key !== '$defs') return typeof value === 'object' ? readable(value) : value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readable(member)]));
}

/** The text of the generated file. */
export async function typesOf(schemaPath) {
  const schema = JSON.parse(await readFile(at(schemaPath), 'utf8'));
  delete schema.anyOf;
  const types = await compile(readable(schema), schema.title, {
    bannerComment: '',
    additionalProperties: false,
    format: false,
    ignoreMinAndMaxItems: true,
  });
  const used = ['Json', 'JsonObject'].filter((name) => new RegExp(`\\b${name}\\b`).test(types));
  const lists = Object.values(judged).filter(({ type }) => new RegExp(`\\b${type}\\b`).test(types));
  const imports = [{ type: used.join(', '), from: '../json/json.js' }, ...lists]
    .filter(({ type }) => type !== '')
    .map(({ type, from }) => `import type { ${type} } from '${from}';\n`)
    .join('');
  const options = await resolveConfig(at(generated[schemaPath]));
  const banner = `/* Generated from ${schemaPath} by npm run generate; do not edit. */\n`;
  const own = types
    .replace(/^export type (\w+) = \1;?$/m, '')
    .replace(/^export (?=\w+ (\w+))/gm, (word, name) => (exported.has(name) ? word : ''));
  return format(banner + imports + own, { ...options, parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [schemaPath, target] of Object.entries(generated)) await writeFile(at(target), await typesOf(schemaPath));
}
