import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs.js';
import type { JsonObject } from '../../src/json/json.js';
import { faultSchema } from '../../src/simulator/profiles/profile-schema.js';
import { codeBlocks, markdownFiles, projectFolder, section, tableRows, textOf } from '../support/documents.js';
import { shellWords } from '../support/shell-words.js';

const pages = markdownFiles().filter((file) => file === 'README.md' || file.startsWith('docs/'));

describe('the blocks', () => {
  test.each(pages)('%s have a language that a test reads, and stand at the margin', (file) => {
    const fences = [...textOf(file).matchAll(/^([ >]*)```(\w*)[^\n]*\n(.*?)^\1```$/gms)];
    // `console` is executed (doc-pages), `sh` is parsed here, `yaml` and `ts` are run or checked by docs.test, and what
    // build machines read (`groovy` too) by the tests of docs/ci.md.
    for (const [, indent, language = '', text = ''] of fences) {
      expect(indent).toBe('');
      expect(['sh', 'console', 'yaml', 'ts', 'json', 'groovy', '']).toContain(language);
      if (language === 'json') expect(() => JSON.parse(text) as unknown).not.toThrow();
      if (language === '') expect(text).not.toMatch(/^\$? ?(npx|chatspec) /m);
    }
  });
});

test('docs/README.md leads to every page', () => {
  const links = [...textOf('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => `docs/${name}`);
  expect([...new Set(links)].toSorted()).toEqual(pages.filter((file) => /^docs\/(?!README)/.test(file)).toSorted());
});

/** What documents may call besides chatspec itself; none of it depends on what chatspec does. */
const others = ['npm', 'git', 'export', 'cd', 'mkdir', 'cat', 'cp', 'jq', 'source', 'gh'];

describe('the command lines', () => {
  const written = pages.flatMap((file) =>
    codeBlocks(file)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ at, text }) =>
        text
          .replaceAll('\\\n', ' ')
          .split('\n')
          .flatMap((line) => line.split(' && '))
          .filter((line) => line.trim() !== '' && !line.startsWith('#'))
          .map((line) => ({ at, line: line.trim() })),
      ),
  );
  const spans = pages.flatMap((file) =>
    [...textOf(file).matchAll(/(?<!`)`((?:npx --no )?chatspec [a-z][^`\n]*)`(?!`)/g)].map(([, line = '']) => ({
      at: file,
      line,
    })),
  );

  test('call chatspec, or a program that is listed here', () => {
    const unknown = written.filter(
      ({ line }) => !isOurs(line) && !isVitest(line) && !others.includes(shellWords(line)[0] ?? ''),
    );
    expect(unknown.filter(({ line }) => !/^[A-Z_]+=\S+$/.test(line))).toEqual([]);
  });

  const ours = written.filter(({ line }) => isOurs(line));
  test('are many', () => expect(ours.length).toBeGreaterThan(20));

  test.each([...ours, ...spans.filter(({ line }) => !line.includes('…'))])('$line ($at)', ({ line }) => {
    const complete = ours.some((one) => one.line === line);
    expect(problemOf(line, complete)).toBeNull();
  });
});

const isVitest = (line: string): boolean => line.startsWith('npx vitest ');
const isOurs = (line: string): boolean => /^(npx --no )?chatspec /.test(line);

/** Why chatspec would refuse the options of a command line; null if it would not. */
function problemOf(line: string, complete: boolean): string | null {
  const [, name = '', ...args] = shellWords(line.replace(/^npx --no /, ''));
  const verb = verbs.find(({ usage }) => usage.split(' ')[0] === name);
  if (verb === undefined) return name === 'VERB' ? null : `there is no verb ${name}`;
  // In a sentence, a command may be named without its arguments.
  const usage = complete ? verb.usage : name;
  const command = new Command(usage.split(' ')[0]).exitOverride().configureOutput({ writeErr: () => undefined });
  for (const argument of usage.split(' ').slice(1)) if (/^[<[]/.test(argument)) command.argument(argument);
  if (!usage.includes('<') && !usage.includes('[')) command.allowExcessArguments();
  for (const [flags, , times] of verb.options) {
    if (times === 'many') command.option(flags, '', (value: string) => value);
    else command.option(flags, '');
  }
  try {
    command.parse(args, { from: 'user' });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('docs/troubleshooting.md', () => {
  const file = 'docs/troubleshooting.md';
  const sources = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(projectFolder, 'src', name), 'utf8'))
    .join('\n')
    .replaceAll('${variableText(name)}', 'the environment variable ${name}');
  const messages = ['Before anything is sent', 'While it runs', 'In the report'].flatMap((heading) =>
    tableRows(section(file, `## ${heading}`)).map(([message = '']) => message),
  );

  test('has messages', () => expect(messages.length).toBeGreaterThan(20));

  test.each(messages)('%s is in the source', (message) => {
    const text = /`([^`]+)`/.exec(message)?.[1] ?? '';
    const parts = text.split('…').map((part) => part.trim());
    expect(Math.max(...parts.map((part) => part.length))).toBeGreaterThan(5);
    // In one message, one behind the other, with nothing but what differs between them.
    const inOne = new RegExp(
      parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\n]{0,120}?'),
      'i',
    );
    expect(inOne.test(sources), inOne.source).toBe(true);
  });
});

describe('docs/simulator.md', () => {
  const actions = (faultSchema['properties'] as Record<string, { properties: Record<string, JsonObject> }>)['do']!
    .properties;
  const text = section('docs/simulator.md', '## Profiles');
  const tableOf = (head: RegExp) => tableRows(text.slice(text.search(head)));
  const namesIn = (cell = '') => cell.replaceAll(/\([^)]*\)/g, '').match(/(?<=`)\w+(?=`)/g) ?? [];
  const taking = tableOf(/^\| action /m).flatMap(([names, value = '']) =>
    namesIn(names).map((name) => [name, value] as const),
  );
  const values = new Map(taking);
  const listed = new Set(tableOf(/^\| `do` /m).flatMap(([names]) => namesIn(names)));

  test('tells of every action what it changes, and which value it takes', () => {
    expect(taking.map(([name]) => name).sort()).toEqual(Object.keys(actions).sort());
    expect(Object.keys(actions).filter((name) => !listed.has(name))).toEqual([]);
  });

  test.each(Object.entries(actions))('%s takes what the schema asks for', (name, schema) => {
    const said = values.get(name) ?? '';
    const members = Object.keys((schema['properties'] ?? {}) as object);
    const choices = (schema['enum'] ?? []) as readonly string[];
    expect(said).toMatch(kindOf(schema));
    expect([...members, ...choices].filter((one) => !said.includes(`\`${one}\``))).toEqual([]);
    expect(said.includes('`null`')).toBe([schema['type']].flat().includes('null') || name === 'headers');
  });
});

function kindOf(schema: JsonObject): RegExp {
  if (schema['const'] === true) return /^`true`$/;
  if (schema['enum'] !== undefined) return /^`/;
  const type = [schema['type']].flat()[0];
  if (type === undefined) return /^any value/;
  if (type === 'string') return /^a text/;
  if (type === 'number') return /^a share from 0 to 1/;
  if (type === 'integer') return /^(a whole number|an HTTP status)/;
  return type === 'array' ? /^a list/ : /^an object/;
}
