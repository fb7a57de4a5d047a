import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { readBaseline } from '../../src/baseline/load-baseline.js';
import { quirks } from '../../src/chat/quirks.js';
import { verbs } from '../../src/cli/verbs.js';
import { loadConfig } from '../../src/config/index.js';
import type { Problem } from '../../src/files/problems/problem.js';
import { outcomeProse } from '../../src/judge/outcome-classes.js';
import { reasonProse } from '../../src/judge/reasons.js';
import { loadProfiles } from '../../src/simulator/profiles/load-profiles.js';
import { startSimulator } from '../../src/simulator/index.js';
import { loadSuites } from '../../src/suite/read/load-suites.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { codeBlocks, markdownFiles, projectFolder, section, tableRows, textOf } from '../support/documents.js';
import { runNode } from '../support/run-node.js';
import { tempFolder } from '../support/temp-folder.js';
import { copyParts, exampleOf, type Example } from '../support/yaml-examples.js';

const files = markdownFiles();
const ofUsers = files.filter((file) => file === 'README.md' || /^docs\/[^/]+$/.test(file));

test.each(files.filter((file) => file !== 'CHANGELOG.md'))('%s calls only the package that is installed', (file) => {
  expect(textOf(file).match(/\bnpx (?!--no )chatspec.*/g)).toBeNull();
});

describe('the YAML examples', () => {
  const examples = ofUsers.flatMap(codeBlocks).filter(({ language }) => language === 'yaml');

  test.each(examples)('$at is valid', async ({ text }) => {
    const example = exampleOf(text);
    if (example !== null) expect(errorsAmong(await problemsOf(example))).toEqual([]);
  });

  test('cover every kind of file', () => {
    const kinds = new Set(examples.map(({ text }) => exampleOf(text)?.kind));
    for (const kind of ['suite', 'config', 'baseline', 'profiles'] as const) expect(kinds).toContain(kind);
  });
});

async function problemsOf({ kind, text }: Example): Promise<readonly Problem[]> {
  if (kind === 'baseline') return (await readBaseline(text, 'baseline.yaml')).problems;
  const folder = await tempFolder();
  await writeFiles(folder, { [`files/${kind}.yaml`]: text, 'chatspec.yaml': '' });
  const file = join(folder, 'files', `${kind}.yaml`);
  // What an example leaves to the environment is there.
  const env = { CHATSPEC_BASE_URL: 'https://service.example/v1', CHATSPEC_MODELS: 'model-a model-b' };
  if (kind === 'config') return (await loadConfig(file, env)).problems;
  if (kind === 'profiles') {
    await loadProfiles(dirname(file));
    return [];
  }
  await copyParts(join(folder, 'files'));
  const entries = ['files/suite.yaml', ...(text.includes('needs:') ? ['builtin:core'] : [])];
  const place = { file: 'chatspec.yaml', line: 1, column: 1 };
  return (
    await loadSuites(
      entries.map((pattern) => ({ pattern, place })),
      folder,
    )
  ).problems;
}

function errorsAmong(problems: readonly Problem[]): readonly string[] {
  return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

describe('docs/commands.md', () => {
  const file = 'docs/commands.md';
  const nameOf = (usage: string): string => usage.split(' ')[0] ?? '';
  const flagsIn = (text: string): readonly string[] => [...text.matchAll(/`(--[a-z-]+)/g)].map(([, flag = '']) => flag);

  test.each(verbs.map(({ usage, options }) => ({ verb: nameOf(usage), options })))(
    'names the options of $verb',
    ({ verb, options }) => {
      const line = /^Options: .*$/m.exec(section(file, `## ${verb}`))?.[0] ?? '';
      expect(flagsIn(line)).toEqual(options.map(([flags]) => flags.split(' ')[0]));
    },
  );

  test('explains every option of every verb, as the verb declares it', () => {
    const explained = tableRows(section(file, '## Options')).map(([option = '']) => option.replaceAll('`', ''));
    const written = verbs.flatMap(({ options }) => options.map(([flags]) => flags));
    expect(explained.toSorted()).toEqual([...new Set(written)].toSorted());
  });

  test('lists exactly the verbs that exist', () => {
    const listed = tableRows(textOf(file)).map(([verb = '']) => /`([a-z]+)`/.exec(verb)?.[1]);
    expect(listed).toEqual(verbs.map(({ usage }) => nameOf(usage)));
  });

  test('agrees with the other documents: every command line calls a verb that exists', () => {
    const known = verbs.map(({ usage }) => nameOf(usage));
    const called = ofUsers.flatMap((document) =>
      [...codeIn(document).matchAll(/^(?:npx --no )?chatspec ([a-z]+)/gm)].map(
        ([, verb = '']) => `${document}: ${verb}`,
      ),
    );
    expect(called.filter((call) => !known.includes(call.split(': ')[1] ?? ''))).toEqual([]);
  });
});

/** The code spans, one per line. */
function codeIn(file: string): string {
  const spans = [...textOf(file).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
  return [...codeBlocks(file).map(({ text }) => text), ...spans].join('\n');
}

describe('docs/run-folder.md', () => {
  const file = 'docs/run-folder.md';
  const explained = (heading: string): unknown =>
    Object.fromEntries(tableRows(section(file, heading)).map(([name = '', text = '']) => [plain(name), plain(text)]));
  const explanations = (prose: Readonly<Record<string, { readonly explanation: string }>>): unknown =>
    Object.fromEntries(Object.entries(prose).map(([name, { explanation }]) => [name, plain(explanation)]));

  test('explains every outcome class', () => {
    expect(explained('## Outcome classes')).toEqual(explanations(outcomeProse));
  });

  test('explains every reason', () => {
    expect(explained('## Reasons')).toEqual(explanations(reasonProse));
  });

  test('explains every quirk', () => {
    const all = Object.fromEntries(Object.entries(quirks).map(([name, text]) => [name, plain(text)]));
    expect(explained('## Quirks')).toEqual(all);
  });
});

/** The text without its Markdown markup. */
function plain(text: string): string {
  return text.replaceAll(/[`\\]/g, '');
}

describe('the programs in the documents', () => {
  const all = ofUsers.flatMap(codeBlocks).filter(({ language }) => language === 'ts');
  const embedding = all.filter(({ text }) => text.includes("from 'chatspec'"));
  const reading = all.filter(({ text }) => text.includes("from 'chatspec/capabilities'"));
  // Run in test/integration/vitest-cells.test.ts.
  const testing = all.filter(({ text }) => text.includes("from 'chatspec/vitest'"));
  const programs = all.filter((program) => ![...embedding, ...reading, ...testing].includes(program));

  test.each(reading)('$at compiles and reads the map of a run', async ({ text }) => {
    const folder = await tempFolder();
    const config = 'targets: { demo: { base_url: simulator, models: [sim-budget] } }\n';
    await writeFiles(folder, { 'package.json': '{ "type": "module" }', 'app.ts': text, 'chatspec.yaml': config });
    await mkdir(join(folder, 'node_modules'));
    await symlink(projectFolder, join(folder, 'node_modules', 'chatspec'));
    expect(compiled(join(folder, 'app.ts'))).toEqual([]);
    await chatspec(['run', '--tags', 'nightly', '--format', 'capabilities'], { cwd: folder });
    const { code, stdout, stderr } = await runNode([join(folder, 'app.js')], {}, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^json_schema \{ max_tokens: \d+ \}/);
  });

  test.each(programs)('$at compiles and runs as an application would', async ({ text }) => {
    const folder = await tempFolder();
    await writeFiles(folder, { 'package.json': '{ "type": "module" }', 'app.ts': text });
    await mkdir(join(folder, 'node_modules'));
    await symlink(projectFolder, join(folder, 'node_modules', 'chatspec'));
    expect(compiled(join(folder, 'app.ts'))).toEqual([]);

    const simulator = await startSimulator();
    try {
      const models = ['sim-reference', 'sim-rf-prose'];
      const env = { CHAT_BASE_URL: simulator.baseUrl };
      const { code, stdout, stderr } = await runNode([join(folder, 'app.js'), ...models], env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^(?:sim-reference|model-a) .*(?:buyer|status)/);
      expect(stdout).toContain('sim-rf-prose');
      if (text.includes('chatspec/judge')) {
        expect(stdout).toContain('sim-reference {"buyer":"Li Lei","quantity":3,"total":897}');
        expect(stdout.match(/sim-rf-prose: not_json: /g)).toHaveLength(2);
      }
    } finally {
      await simulator.close();
    }
  });

  describe('that embed chatspec', () => {
    const outputOf = async (part: string): Promise<{ readonly folder: string; readonly lines: readonly string[] }> => {
      const { text = '' } = embedding.find((program) => program.text.includes(part)) ?? {};
      const folder = await tempFolder();
      const starter = join(projectFolder, 'fixtures', 'starter');
      const config = await readFile(join(starter, 'chatspec.yaml'), 'utf8');
      await writeFiles(folder, { 'chatspec.yaml': config.replace('# - sim-object-500', '- sim-object-500') });
      await cp(join(starter, 'suite.yaml'), join(folder, 'suites', 'first.yaml'));
      await writeFiles(folder, { 'package.json': '{ "type": "module" }', 'app.ts': text });
      await mkdir(join(folder, 'node_modules'));
      await symlink(projectFolder, join(folder, 'node_modules', 'chatspec'));
      expect(compiled(join(folder, 'app.ts'))).toEqual([]);
      const { code, stdout, stderr } = await runNode([join(folder, 'app.js')], {}, folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return { folder, lines: stdout.trimEnd().split('\n') };
    };

    test('can run a config and write a run folder with their own format', async () => {
      const { folder, lines } = await outputOf('writeRunFolder');
      expect(lines.join('\n')).toContain('2 models, 2 cells: 2 pass');
      const files = await readdir(join(folder, 'reports', 'embedded'));
      for (const file of ['cells.csv', 'index.html', 'journal.jsonl', 'report.json']) expect(files).toContain(file);
      expect(await readFile(join(folder, 'reports', 'embedded', 'cells.csv'), 'utf8')).toContain(
        '"first/summary@service/sim-reference",pass\n',
      );
    });

    test('can run a plan with their own transport, reporter and clock', async () => {
      const begun = performance.now();
      const { lines } = await outputOf('SendRequest');
      expect(lines).toContain('first/summary@service/sim-reference: pass');
      expect(lines).toContain('first/summary@service/sim-object-500: pass');
      expect(lines.join('\n')).toMatch(/^service waits 60 s \(retry\)$/m);
      expect(lines.at(-1)).toMatch(/^\d+ requests$/);
      expect(performance.now() - begun).toBeLessThan(30_000);
    });
  });

  test('exist for every library', () => {
    expect(embedding).not.toEqual([]);
    const text = programs.map((program) => program.text).join('\n');
    expect(text).toContain("from 'chatspec/judge'");
    expect(text).toContain("from 'chatspec/simulator'");
  });
});

/** Compiles in place and returns the compiler's messages. */
function compiled(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(projectFolder, 'node_modules', '@types')],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('links', () => {
  test.each(files)('in %s lead to files and headings that exist', (file) => {
    const text = textOf(file).replaceAll(/^```.*?^```$|`[^`\n]*`/gms, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => !/^[a-z]+:/.test(target) && !targetExists(file, target));
    expect(broken).toEqual([]);
  });
});

function targetExists(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#', 2);
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(projectFolder, file))) return false;
  return anchor === undefined || headingsOf(file).includes(anchor);
}

/** The anchor of a heading, as the usual renderers make it. */
function headingsOf(file: string): readonly string[] {
  return [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
