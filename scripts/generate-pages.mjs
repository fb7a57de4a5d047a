// The pages that follow from tables: outcome classes and reasons, behaviours, and the reference of suite files.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { load } from './load-module.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Path of each generated page, and its text as it should be. */
export async function generatedPages() {
  const pages = {
    'docs/outcome-classes.md': await outcomeClasses(),
    'docs/known-behaviours.md': await knownBehaviours(),
    'docs/suite-reference.md': await suiteReference(),
  };
  const entries = Object.entries(pages).map(async ([path, text]) => [path, await formatted(path, text)]);
  return Object.fromEntries(await Promise.all(entries));
}

const generatedFrom = (source) => `<!-- Generated from ${source} by npm run generate; do not edit. -->\n`;

async function outcomeClasses() {
  const { outcomeProse } = await load('src/judge/outcome-classes.ts');
  const { reasonProse } = await load('src/judge/reasons.ts');
  const sections = Object.entries(outcomeProse).map(
    ([name, { title, explanation, breaks, cause, advice }]) => `## ${name}

**${title}.** ${explanation}

- **Breaks:** ${breaks}
- **Usual cause:** ${cause}
- **Remedy:** ${advice}
`,
  );
  const rows = Object.entries(reasonProse).map(
    ([name, { explanation, advice, fault }]) => `| \`${name}\` | ${explanation} | ${advice} | ${fault ? 'yes' : ''} |`,
  );
  return `# Outcome classes

${generatedFrom('src/judge/outcome-classes.ts and src/judge/reasons.ts')}
An answer that fails gets one class: the first check that it fails, in the order in which a careful client checks. The names are stable; logs, [reports](reading-the-report.md), suites (\`expect.outcome\`) and the [judge library](judge-library.md) use the same.

${sections.join('\n')}
## Reasons

An \`http_error\`, and an error object wherever it stands, has a reason. It goes by what the error means, whatever its status. A **fault** concerns the account or is temporary: it says nothing about the model, and its trial is repeated or left out.

| reason | means | remedy | fault |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

async function knownBehaviours() {
  const files = globSync('suites/core/*.yaml', { cwd: at('.') }).sort();
  const suites = await Promise.all(files.map(async (file) => parse(await readFile(at(file), 'utf8'))));
  const sections = suites.flatMap(({ suite, behaviours = [] }) =>
    behaviours.map(({ id, title, means, breaks, cause, advice }) => {
      for (const [member, text] of Object.entries({ means, breaks, cause }))
        if (text === undefined) throw new Error(`the behaviour ${id} has no "${member}"`);
      return `## ${id}

**${title.replace(/\{\{(\w+)\}\}/g, '…')}.** ${means}

- **Breaks:** ${breaks}
- **Usual cause:** ${cause}
- **Remedy:** ${advice.replace(/\{\{(\w+)\}\}/g, (_, name) => `(${name})`)}
- **Found by:** the suite \`${suite}\`
`;
    }),
  );
  return `# Known behaviours

${generatedFrom('the behaviours in suites/core')}
Some faults of models have a name, because many models have them and the remedy is known. Where the cells of a model show one, the report names it with the advice, and recommends no form that it breaks. How a behaviour is described, and how to add your own, is in [behaviours.md](behaviours.md).

${sections.join('\n')}`;
}

/** Definitions with members of their own, in the order of the schema. */
async function suiteReference() {
  const schema = JSON.parse(await readFile(at('schemas/suite.schema.json'), 'utf8'));
  const described = Object.entries(schema.$defs).filter(([, { properties }]) => properties !== undefined);
  const known = new Set(described.map(([name]) => name));
  const titles = {
    body: 'request',
    probe: 'A probe',
    step: 'A step of a flow',
    rule: 'A rule',
    when: 'An entry of when',
    family: 'A family',
    form: 'A form',
    formEvidence: 'An entry of evidence',
    behaviour: 'A behaviour',
  };
  const titleOf = (name) => titles[name] ?? name;
  const link = (name) => `[${titleOf(name)}](#${titleOf(name).toLowerCase().replaceAll(' ', '-')})`;

  const type = (node) => {
    if (node.$ref !== undefined) {
      const name = node.$ref.split('/').at(-1);
      if (name === 'outcomeClass') return '[outcome class](outcome-classes.md)';
      return known.has(name) ? link(name) : type(schema.$defs[name]);
    }
    if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(', ');
    if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
    const either = node.anyOf ?? node.oneOf;
    if (either !== undefined) return [...new Set(either.map(type))].join(' or ');
    if (node.type === 'array') return `list of ${type(node.items ?? {})}`;
    if (node.additionalProperties?.$ref !== undefined) return `name → ${type(node.additionalProperties)}`;
    if (node.properties !== undefined)
      return `object with ${Object.keys(node.properties)
        .map((key) => `\`${key}\``)
        .join(', ')}`;
    if (node.type === undefined) return 'any value';
    return [node.type]
      .flat()
      .map((word) => (word === 'null' ? '`~`' : word))
      .join(' or ');
  };
  const boundsOf = ({ minimum, maximum }) => {
    const bounds = [
      ...(minimum === undefined ? [] : [`at least ${minimum}`]),
      ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ];
    return bounds.length === 0 ? '' : `(${bounds.join(', ')})`;
  };
  const aboutOf = (node) => {
    const target = node.$ref === undefined ? node : schema.$defs[node.$ref.split('/').at(-1)];
    return [node.description ?? target.description ?? '', boundsOf(target)].filter(Boolean).join(' ');
  };
  const cell = (text) =>
    text
      .replaceAll('|', '\\|')
      .replaceAll('\n', ' ')
      .replace(/<(\w+)>/g, '`<$1>`')
      .replace(/(?<!`)(\{\{[^}]+\}\})(?!`)/g, '`$1`');
  const table = ({ properties, required = [] }) =>
    ['| member | value | meaning |', '| --- | --- | --- |']
      .concat(
        Object.entries(properties).map(
          ([name, node]) =>
            `| \`${name}\`${required.includes(name) ? ' (required)' : ''} | ${cell(type(node))} | ${cell(aboutOf(node))} |`,
        ),
      )
      .join('\n');
  const sections = described.map(
    ([name, node]) =>
      `## ${titleOf(name)}\n\n${node.description === undefined ? '' : `${node.description}\n\n`}${table(node)}\n`,
  );
  return `# Suite files: reference

${generatedFrom('schemas/suite.schema.json')}
Every member of a suite file, as the JSON Schema in the package describes it. [writing-probes.md](writing-probes.md) is the tutorial, and [suite-files.md](suite-files.md) explains how the members work together.

## The file

${table(schema)}

${sections.join('\n')}`;
}

async function formatted(path, text) {
  return format(text, { ...(await resolveConfig(at(path))), filepath: at(path) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await generatedPages())) await writeFile(at(path), text);
}
