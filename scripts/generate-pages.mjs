// The pages that follow from tables: outcome classes and reasons, behaviours, and the reference of suite files.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { load } from './load-module.mjs';

const { effectKind } = await load('src/clients/effect-kind.ts');

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Path of each generated page, and its text as it should be. */
export async function generatedPages() {
  const pages = {
    'docs/outcome-classes.md': await outcomeClasses(),
    'docs/known-behaviours.md': await knownBehaviours(),
    'docs/suite-reference.md': await suiteReference(),
    'docs/clients.md': await clientsPage(),
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

An \`http_error\`, and an error object wherever it stands, has a reason. It goes by what the error means, whatever its status. A **fault** concerns the account or is temporary: it says nothing about the model, and its trial is repeated or left out. \`gateway\` is none inside a 2xx: there the service itself has answered, and a client that trusts the status takes the error for a reply.

| reason | means | remedy | fault |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const clientsIntroduction = `A quirk is an odd form of a right answer. A careful reader tolerates it; a client library may throw, or hand your code something else without a word. Real libraries were called on the embedded service's models, and their results compared with what they give with the reference.

## In your reports

Name the libraries that read the answers in [chatspec.yaml](config.md), or leave it to the \`package.json\` beside it:

\`\`\`yaml
targets:
  demo: { base_url: simulator, models: [sim-chunk-without-choices] }
clients: [openai, ai] # the newest version that was measured; openai@4 is an older one
\`\`\`

A quirk in a report then says which of them break and which read it: \`breaks: openai 6.49: throws; ai 5.0 reads it\`. In \`report.json\` they are \`wire[].breaks\` and \`wire[].reads\`.

## Your own client

\`\`\`sh
chatspec clients try -- node app.js
chatspec clients try --quirks done_missing,empty_content -- python app.py
\`\`\`

The program behind \`--\` makes its requests and prints what it makes of the answers. It finds the embedded service in \`OPENAI_BASE_URL\` and \`CHATSPEC_BASE_URL\`, with a key in \`OPENAI_API_KEY\` and a model in \`CHATSPEC_MODEL\`; any other model's name is answered as well. It runs once with the reference, then once for each quirk and each outcome class that an answer to its requests can show:

| it                   | means                                                                                                                   |
| -------------------- | ----------------------------------------------------------------------------------------------------------------------- |
| works | it prints what it prints with the reference |
| ends with exit code 0 | and nothing that it prints can be compared: it prints nothing, or something else each time |
| prints something else | a wrong value that nobody notices. Lines that differ between two runs with the reference, such as times, are not compared |
| fails                | its exit code is not 0; the line that names its error is shown                                                          |
| does not end in time | after \`--time-limit\` seconds (20)                                                                                     |
| not met | none of its requests brought it out; the report says which request would |

With a quirk, all but the first is a weakness of the client. With an outcome class the answer itself is wrong or incomplete, so that failing is right, and printing the same means that your program did not look. A program that does not work with the reference is not tried at all (exit code 2). Each line names the model that showed it; ask \`chatspec simulate\` for that model to meet it again. The exit code of a program that a signal ended is 128 and the signal's number. \`--json\` prints the same as [data](commands.md#json).
`;

/** By client: nothing where it never met it. The calls stand with an effect that not all of them have. */
function effectCell(met) {
  if (met === undefined) return '';
  const broken = Object.entries(met.breaks ?? {});
  if (broken.length === 0) return 'reads it';
  const all = met.works.length + broken.length;
  const effects = new Map();
  for (const [call, text] of broken)
    for (const effect of Object.keys(met.differs?.[call] ?? { [effectKind(text)]: [] }))
      if (effect !== 'works') effects.set(effect, [...(effects.get(effect) ?? []), callText(call, met)]);
  return [...effects]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([effect, calls]) => `${effectWords[effect] ?? effect}${calls.length < all ? ` (${calls.join(', ')})` : ''}`)
    .join(', ');
}

const effectWords = { 'wrong value': '**wrong value**', 'needs ?.': 'needs `?.`' };

const callText = (call, { differs = {} }) => `${call.replaceAll('_', ' ')}${call in differs ? '*' : ''}`;

/** Which models do what, where those of a row differ; clients with which it is the same stand together. */
function differencesIn(rows, clients) {
  const lines = new Map();
  for (const [name, met] of Object.entries(rows))
    for (const { id } of clients)
      for (const [call, effects] of Object.entries(met.clients[id]?.differs ?? {})) {
        const what = Object.entries(effects).map(([effect, models]) => {
          const named = models.slice(0, mostModels).map((model) => `\`${model}\``);
          const more = models.length > mostModels ? ` and ${models.length - mostModels} more` : '';
          return `${effectWords[effect] ?? effect} with ${named.join(', ')}${more}`;
        });
        const line = `${call.replaceAll('_', ' ')}: ${what.join('; ')}`;
        const key = `\`${name}\` ${line}`;
        lines.set(key, { name, line, ids: [...(lines.get(key)?.ids ?? []), id] });
      }
  if (lines.size === 0) return '';
  const told = [...lines.values()].map(({ name, line, ids }) => `- \`${name}\`, ${ids.join(', ')}, ${line}`);
  return `\nA star marks a call that not all models of the row break alike:\n\n${told.join('\n')}\n`;
}

const mostModels = 3;

async function clientsPage() {
  const { clients, quirks, classes, measured, models, calls, unmeasured } = parse(
    await readFile(at('fixtures/clients.yaml'), 'utf8'),
  );
  const head = clients.map(
    ({ package: name, version, via }) => `${name} ${version}${via === undefined ? '' : ` with ${via}`}`,
  );
  // Two clients may share a program.
  const programs = clients.filter(
    (one, index) => clients.findIndex(({ program }) => program === one.program) === index,
  );
  const methodCell = (name) => (name === undefined ? '' : `\`${name}\``);
  const reasons = (why) =>
    ['Not asked, and why:', '', ...Object.entries(why).map(([name, reason]) => `- \`${name}\`: ${reason}`)].join('\n');
  const table = (entries, title) => `| ${[title, ...head].join(' | ')} |
| ${['---', ...head.map(() => '---')].join(' | ')} |
${Object.entries(entries)
  .map(([name, met]) => `| ${[`\`${name}\``, ...clients.map(({ id }) => effectCell(met.clients[id]))].join(' | ')} |`)
  .join('\n')}`;
  return `# What breaks which client

${generatedFrom('fixtures/clients.yaml')}
${clientsIntroduction}
## Quirks

[How it was measured](#how-it-was-measured) says what each word means. Calls in parentheses are those of which it is true, where it is not true of all. An empty field: no call of the client met it.

${table(quirks, 'quirk')}
${differencesIn(quirks, clients)}
${reasons(unmeasured.quirks)}

## Outcome classes

The answer is wrong or incomplete. A client that throws has noticed; **wrong value** is what your code has to [check itself](judge-library.md).

${table(classes, 'class')}
${differencesIn(classes, clients)}
${reasons(unmeasured.classes)}

## How it was measured

On ${measured}, by \`npm run clients\` in the repository. A program for each library makes every call to each of ${models.length} models of the embedded service, at temperature 0 and without the library's own retries. Those whose body is 200 megabytes or whose stream never ends are left out. What was odd or wrong says chatspec's judge, of the very answers that the library got.

| call | asks for | ${programs.map(({ program }) => `[${program.split('/')[2]}](../${program})`).join(' | ')} |
| --- | --- | ${programs.map(() => '---').join(' | ')} |
${Object.entries(calls)
  .map(
    ([call, asks]) =>
      `| ${[call.replaceAll('_', ' '), asks, ...programs.map((one) => methodCell(one.calls[call]))].join(' | ')} |`,
  )
  .join('\n')}

- **reads it** (with an outcome class: the same as with the reference): the call gives exactly what the same call gives with \`sim-reference\`, compared as JSON. What a program does not take out of the answer, such as its usage, id or finish_reason, is not compared.
- **throws**: the library's call rejects, or throws while its stream is read. The name and first line of the error are in the data. What the program itself makes of the result is no error of the library: the programs read it with \`?.\` at every step.
- *needs \`?.\`*: the library hands the quirk on. Such code gets the right value; code that relies on the library's types (\`choices[0]\`) throws.
- **wrong value**: the call returns something else, and throws nothing: another text or object, or one where the library's types promise a list. A text that is no JSON counts here where the program has to parse it. With the AI SDK's streams, the error goes to \`onError\` only.
- *hangs*: the call has not ended after 15 seconds, asked alone after it had not ended within 2.5 seconds among others. An answer that the service itself never ends is not counted.
- *marks the call as invalid*: the library says in its result that it could not read the tool call.

A quirk counts only where every answer says what the reference says and shows no other quirk. Where no model shows it alone, an answer that breaks the call counts only if its other quirks are known to do no harm to that call. Several models may show the same; the worst result counts, a wrong value before an error, and the data says which models differ (\`differs\`). In reports, what not all of them break is broken "sometimes". The tools of the openai programs have \`strict: true\`, with which \`stream\` parses the arguments itself; without it, it does not throw on \`content_after_finish_reason\`. Not measured: other versions and settings of the libraries, their own retries and time limits, other runtimes than Node.js, and answers other than those of the embedded service. What a proxy on the way does is not measured either.

The data is \`chatspec/fixtures/clients.yaml\`, with the errors; its JSON Schema is \`chatspec/schemas/clients.schema.json\`.
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

**${withoutEndings(title).replace(/\{\{(\w+)\}\}/g, '…')}.** ${means}

- **Breaks:** ${breaks}
- **Usual cause:** ${cause}
- **Remedy:** ${withoutEndings(advice).replace(/\{\{(\w+)\}\}/g, (_, name) => `(${name})`)}
- **Found by:** the suite \`${suite}\`
`;
    }),
  );
  return `# Known behaviours

${generatedFrom('the behaviours in suites/core')}
Some faults of models have a name, because many models have them and the remedy is known. Where the cells of a model show one, the report names it with the advice, and recommends no form that it breaks. How a behaviour is described, and how to add your own, is in [behaviours.md](behaviours.md).

${sections.join('\n')}`;
}

/** What is joined to a word or a sentence is said of some models only. */
function withoutEndings(text) {
  return text.replace(/(?<=[\w.])\{\{\w+\}\}/g, '');
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
