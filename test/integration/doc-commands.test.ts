import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { verbGroups } from '../../src/cli/verbs.js';
import { codeBlocks, markdownFiles, section, tableRows, textOf } from '../support/documents.js';
import { shellWords } from '../support/shell-words.js';

const verbs = Object.values(verbGroups).flat();

const pages = markdownFiles().filter((file) => file === 'README.md' || file.startsWith('docs/'));

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
