import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveCommands } from '../support/live-commands.js';
import { commands, markup } from '../support/hostile-texts.js';
import { type HostileProject, hostileProject, runFile } from '../support/hostile-project.js';
import { acting, foreignElements, proseOf } from '../support/rendered-markdown.js';

const models = (...ids: readonly string[]) => ids;
const projects: Readonly<Record<string, { readonly text: string; readonly models: readonly string[] }>> = {
  commands: { text: commands, models: models('::error::x', 'a##[set-env', `${'m'.repeat(61)}::group::##vso[x]`) },
  markup: {
    text: markup,
    models: models(
      '![x](http://host/p.png)\\|',
      '`[a](http://host)`\\\\|<img/src=http://host>',
      '@me:tada:#1$x$www.host',
    ),
  },
};

describe.each(Object.entries(projects))('what others interpret: %s', (kind, { text, models }) => {
  let project: HostileProject;
  beforeAll(async () => {
    project = await hostileProject({ text, models });
  });
  afterAll(() => project.close());

  const cell = () => `hostile/text@demo/${models[0] ?? ''}`;

  test('is harmless in all that is printed, and in report.md', async () => {
    expect(project.run.code, project.run.stderr).not.toBe(2);
    const printed = [
      ['run', project.run.stdout + project.run.stderr],
      ['report.md', await readFile(runFile(project, 'report.md'), 'utf8')],
    ];
    for (const args of [
      ['doctor'],
      ['doctor', '--json'],
      ['doctor', '--model', 'locked'],
      ['doctor', '--model', text],
      ['list'],
      ['list', '--json'],
      ['validate'],
      ['validate', '--json'],
      ['validate', `--${text}`],
      [text],
      ['run', '--only', text],
      ['run', '--resume', '--out', 'out/run'],
      ['evidence', 'out/run', cell()],
      ['evidence', 'out/run', cell(), '--json'],
      ['evidence', 'out/run', 'hostile/*'],
      ['evidence', 'out/run', text],
      ['evidence', text, text],
      ['diff', 'out/run', '--models', `demo/${models[0] ?? ''}`, 'demo/locked'],
      ['diff', 'out/run', '--models', `demo/${models[0] ?? ''}`, 'demo/locked', '--markdown'],
      ['diff', 'out/run', '--models', `demo/${models[0] ?? ''}`, 'demo/locked', '--json'],
      ['diff', 'out/run', '--models', text, text],
      ['report', 'out/run'],
      ['report', 'out/run', '--json'],
      ['report', 'out/run', '--format', 'failures'],
      ['baseline', 'accept', 'out/run', '--dry-run'],
      ['baseline', 'accept', 'out/run', '--json'],
      ['baseline', 'accept', 'out/run'],
      ['baseline', text, 'out/run'],
      ['rejudge', 'out/run', '--fail-on', 'never'],
    ]) {
      const { stdout, stderr } = await project.chatspec(...args);
      expect(stdout + stderr, args.join(' ')).not.toBe('');
      printed.push([args.join(' ').slice(0, 60), stdout + stderr]);
    }
    expect(
      printed.flatMap(([what = '', output = '']) => liveCommands(output).map((line) => `${what}: ${line}`)),
    ).toEqual([]);
  });

  test('is only text in Markdown', async () => {
    const evidence = await project.chatspec('evidence', 'out/run', cell());
    const diff = await project.chatspec(
      'diff',
      'out/run',
      '--models',
      `demo/${models[0] ?? ''}`,
      'demo/locked',
      '--markdown',
    );
    for (const [name, source] of [
      ['report.md', await readFile(runFile(project, 'report.md'), 'utf8')],
      ['evidence', evidence.stdout],
      ['diff --markdown', diff.stdout],
    ] as const) {
      expect(source, name).toContain(kind === 'markup' ? 'http://host/p.png' : 'error');
      expect(foreignElements(source), name).toEqual([]);
      expect(proseOf(source), name).not.toMatch(acting);
    }
  });
});
