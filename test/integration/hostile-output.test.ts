import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveCommands } from '../support/live-commands.js';
import { type HostileProject, hostileProject, runFile } from '../support/hostile-project.js';
import { acting, foreignElements, proseOf } from '../support/rendered-markdown.js';

/** Commands to build machines: at the beginning of a line, within one, after each kind of line break. */
const commands = [
  '::set-output name=x::y',
  '  ::add-mask::chatspec',
  'words before ::error file=a.js,line=1::broken',
  '\r::stop-commands::token\u2028::warning::w\u0085::notice::n',
  'words ##[set-env name=NODE_OPTIONS]--require x',
  '##[add-path]/tmp ##vso[task.setvariable variable=PATH]x ##[error]e',
  "##teamcity[buildNumber '1']",
  'section_start:1:hidden\r\u001b[0Ksection_end:1:hidden\r\u001b[0K travis_fold:start:x',
  `${'x'.repeat(70)} ::debug::where a line of 80 columns is wrapped ${'y'.repeat(79)}::group::hard`,
].join('\n');

/** Everything in Markdown that fetches, links, pings or breaks out of its place. */
const markup = [
  '![x](http://host/p.png)\\| ![y][1] <img src="http://host/q.png"> <b>bold</b>',
  '[click](http://host/) <http://host/> http://host/a https://host www.host.example me@host.example',
  '@octocat @org/team #123 GH-12 org/repo#5 $\\sqrt{3x}$ :shipit: ~~x~~ `a` ``b`` \\`c\\\\`',
  '',
  '| a | b |\n|---|---|\n| ![z](http://host/z.png) | \\|',
  '[^1] [1]\n\n[^1]: note\n[1]: http://host/r.png\n# heading\n- [ ] task\n1. list\n```\n![in](http://host/s.png)\n~~~\n/close\n---',
].join('\n');

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
  }, 60_000);
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
