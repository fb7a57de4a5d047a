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
    // `console` is run by doc-pages, `sh` is parsed here, `yaml` and `ts` are run or checked by docs.test, and what build
    // machines read (`groovy` too) by the tests of docs/ci.md.
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
const others = ['npm', 'git', 'jq', 'source', 'gh'];

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

describe('docs/commands.md', () => {
  const file = 'docs/commands.md';
  const nameOf = (usage: string): string => usage.split(' ')[0] ?? '';

  test('lists exactly the verbs that exist, each with a part of its own', () => {
    const names = verbs.map(({ usage }) => nameOf(usage));
    expect(tableRows(textOf(file)).map(([verb = '']) => /`([a-z]+)`/.exec(verb)?.[1])).toEqual(names);
    for (const name of names) expect(section(file, `## ${name}`)).toContain(`chatspec ${name}`);
  });

  test('explains every option, as its verb declares it', () => {
    const told = new Set([...textOf(file).matchAll(/`(--[^`]+)`/g)].map(([, flags]) => flags));
    const missing = verbs.flatMap(({ usage, options }) =>
      options.filter(([flags]) => !told.has(flags)).map(([flags]) => `${usage}: ${flags}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(verbs.map(({ usage, options }) => ({ verb: nameOf(usage), options })))(
    'names only options of $verb in its part',
    ({ verb, options }) => {
      const shared = tableRows(section(file, '## Options of run and list')).map(([flags = '']) => flags);
      const tables = tableRows(section(file, `## ${verb}`)).map(([flags = '']) => flags);
      const known = options.map(([flags]) => `\`${flags}\``);
      for (const flags of tables.filter((one) => one.startsWith('`--'))) expect(known).toContain(flags);
      if (verb === 'run') expect(known.toSorted()).toEqual(shared.toSorted());
      if (verb === 'list') for (const flags of known) expect(shared).toContain(flags);
    },
  );
});

describe('docs/troubleshooting.md', () => {
  const file = 'docs/troubleshooting.md';
  const sources = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(projectFolder, 'src', name), 'utf8'))
    .join('\n')
    .replaceAll('${variableText(name)}', 'the environment variable ${name}');
  const messages = ['Before anything is sent', 'While it runs'].flatMap((heading) =>
    tableRows(section(file, `## ${heading}`)).map(([message = '']) => message),
  );

  test('has messages', () => expect(messages.length).toBeGreaterThan(10));

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

test('docs/simulator.md names every action and condition of profiles', () => {
  const { properties } = faultSchema as unknown as Record<'properties', Record<string, { properties?: JsonObject }>>;
  const named = new Set(section('docs/simulator.md', '## Profiles').match(/(?<=`)\w+(?=`)/g));
  const members = ['do', 'when'].flatMap((part) => Object.keys(properties[part]?.properties ?? {}));
  expect(members.length).toBeGreaterThan(50);
  expect(members.filter((name) => !named.has(name))).toEqual([]);
});
