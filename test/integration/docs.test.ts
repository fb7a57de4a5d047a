import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readBaseline } from '../../src/baseline/load-baseline.js';
import { quirks } from '../../src/chat/quirks.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { Problem } from '../../src/files/problems/problem.js';
import { outcomeClasses, reasons } from '../../src/judge/outcome.js';
import { simulate } from '../../src/simulator/index.js';
import { loadSuites } from '../../src/suite/read/load-suites.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { codeBlocks, markdownFiles, projectFolder, section, tableRows, textOf } from '../support/documents.js';
import { lastingFolder } from '../support/lasting-folder.js';
import { runNode } from '../support/run-node.js';
import { tempFolder } from '../support/temp-folder.js';
import { copyParts, exampleOf, type Example } from '../support/yaml-examples.js';

const files = markdownFiles();
const ofUsers = files.filter((file) => file === 'README.md' || /^docs\/[^/]+$/.test(file));

test.each(files)('%s calls only the package that is installed', (file) => {
  expect(textOf(file).match(/\bnpx (?!--no )chatspec.*/g)).toBeNull();
});

describe('the documents stay short', () => {
  const wordsOf = (file: string): number => textOf(file).split(/\s+/).filter(Boolean).length;

  test.each([
    ['README.md', 750],
    ['ARCHITECTURE.md', 900],
    ['CHANGELOG.md', 1200],
    ['SECURITY.md', 500],
    ['docs/how-chatspec-decides.md', 3000],
  ])('%s: at most %i words', (file, most) => expect(wordsOf(file)).toBeLessThanOrEqual(most));

  test('the other pages for users together: at most 30,000', () => {
    const pages = ofUsers.filter((file) => !['README.md', 'docs/how-chatspec-decides.md'].includes(file));
    expect(pages.reduce((sum, file) => sum + wordsOf(file), 0)).toBeLessThanOrEqual(30_000);
  });
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
    const simulator = await simulate({ profiles: file });
    await simulator.close();
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

/** The names in backticks that begin the rows of the first table of a text. */
const namesIn = (text: string): readonly string[] =>
  tableRows(text).flatMap(([first = '']) => [...first.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

describe('what can come back is explained', () => {
  test('every outcome class, in the order of the ladder', () => {
    expect(namesIn(section('docs/outcomes.md', '## Outcome classes'))).toEqual([...outcomeClasses]);
  });

  test('every reason', () => {
    expect(namesIn(section('docs/outcomes.md', '## Reasons'))).toEqual([...reasons]);
  });

  test('every behaviour of the built-in suites', () => {
    const suites = readdirSync(join(projectFolder, 'suites', 'core')).map((file) => textOf(`suites/core/${file}`));
    const ids = suites.flatMap((text) => (parse(text) as { behaviours?: { id: string }[] }).behaviours ?? []);
    const explained = tableRows(section('docs/outcomes.md', '### Known behaviours')).map(([id = '']) =>
      id.replaceAll('`', ''),
    );
    expect(explained.toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
  });

  test('every quirk', () => {
    expect(namesIn(textOf('docs/quirks.md')).toSorted()).toEqual(Object.keys(quirks).toSorted());
  });
});

describe('what can be written is explained', () => {
  interface Node {
    readonly properties?: Readonly<Record<string, Node>>;
  }
  const definitions = (schema: string): Readonly<Record<string, Node>> =>
    (
      JSON.parse(readFileSync(join(projectFolder, 'schemas', `${schema}.schema.json`), 'utf8')) as {
        readonly $defs: Readonly<Record<string, Node>>;
      }
    ).$defs;
  const spans = (file: string): string => [...textOf(file).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span).join(' ');
  const examples = (file: string): string =>
    codeBlocks(file)
      .map(({ text }) => text)
      .join('\n');
  const missing = (page: string, members: readonly string[]): readonly string[] => {
    const text = `${spans(page)}\n${examples(page)}`;
    return members.filter((member) => !new RegExp(`(?<![\\w])${member}(?![\\w])`).test(text));
  };

  test('every member of a suite', () => {
    const suite = definitions('suite');
    const parts = ['probe', 'step', 'expect', 'rule', 'when', 'retry', 'find', 'enforce'];
    const further = ['family', 'form', 'formEvidence'];
    const members = [...parts, ...further].flatMap((part) => Object.keys(suite[part]?.properties ?? {}));
    expect(members.length).toBeGreaterThan(50);
    expect(missing('docs/suite-files.md', members)).toEqual([]);
    expect(missing('docs/outcomes.md', Object.keys(suite['behaviour']?.properties ?? {}))).toEqual([]);
  });

  test('every member of a target', () => {
    const members = Object.keys(definitions('config')['target']?.properties ?? {});
    expect(members.length).toBeGreaterThan(4);
    expect(missing('docs/config.md', members)).toEqual([]);
  });
});

describe('the programs in the documents', () => {
  const all = ofUsers.flatMap(codeBlocks).filter(({ language }) => language === 'ts');
  const embedding = all.filter(({ text }) => text.includes("from 'chatspec'"));
  const reading = all.filter(({ text }) => text.includes("from 'chatspec/capabilities'"));
  // Run in test/integration/vitest-cells.test.ts.
  const testing = all.filter(({ text }) => text.includes("from 'chatspec/vitest'"));
  const programs = all.filter((program) => ![...embedding, ...reading, ...testing].includes(program));

  const compiledOnes = [...embedding, ...reading, ...programs];
  let place: string;
  const appOf = (text: string): string => join(place, `app-${compiledOnes.findIndex((one) => one.text === text)}`);

  // Together: the compiler reads the types of the package once.
  beforeAll(async () => {
    place = await lastingFolder();
    await mkdir(join(place, 'node_modules'));
    await symlink(projectFolder, join(place, 'node_modules', 'chatspec'));
    const sources = compiledOnes.map(({ text }) => [`${basename(appOf(text))}.ts`, text] as const);
    await writeFiles(place, { 'package.json': '{ "type": "module" }', ...Object.fromEntries(sources) });
    expect(compiled(compiledOnes.map(({ text }) => `${appOf(text)}.ts`))).toEqual([]);
  });

  test.each(reading)('$at reads the map of a run', async ({ text }) => {
    const folder = await tempFolder();
    const config = 'targets: { demo: { base_url: simulator, models: [sim-budget] } }\n';
    await writeFiles(folder, { 'chatspec.yaml': config });
    await chatspec(['run', '--tags', 'nightly', '--format', 'capabilities'], { cwd: folder });
    const { code, stdout, stderr } = await runNode([`${appOf(text)}.js`], {}, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^json_schema \{ max_tokens: \d+ \}/);
  });

  test.each(programs)('$at runs as an application would', async ({ text }) => {
    const simulator = await simulate();
    try {
      const models = ['sim-reference', 'sim-rf-prose'];
      const env = { CHAT_BASE_URL: simulator.baseUrl };
      const { code, stdout, stderr } = await runNode([`${appOf(text)}.js`, ...models], env);
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
      const { code, stdout, stderr } = await runNode([`${appOf(text)}.js`], {}, folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return { folder, lines: stdout.trimEnd().split('\n') };
    };

    test('can run a config and write a run folder with their own format', async () => {
      const { folder } = await outputOf('usualFormats');
      const written = await readdir(join(folder, 'reports', 'embedded'));
      for (const file of ['cells.csv', 'index.html', 'journal.jsonl', 'report.json']) expect(written).toContain(file);
      expect(await readFile(join(folder, 'reports', 'embedded', 'cells.csv'), 'utf8')).toContain(
        '"first/summary@service/sim-reference",pass\n',
      );
    });

    test('can run a plan with their own transport, reporter and clock', async () => {
      const { lines } = await outputOf('SendRequest');
      expect(lines).toContain('first/summary@service/sim-reference: pass');
      expect(lines).toContain('first/summary@service/sim-object-500: pass');
      expect(lines.at(-1)).toMatch(/^\d+ requests$/);
    });
  });

  test('exist for every library', () => {
    const text = all.map((program) => program.text).join('\n');
    for (const entry of ['', '/judge', '/simulator', '/capabilities', '/vitest'])
      expect(text).toContain(`from 'chatspec${entry}'`);
  });
});

/** Compiles in place and returns the compiler's messages. */
function compiled(sources: readonly string[]): readonly string[] {
  const program = ts.createProgram(sources, {
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

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names only files and folders that exist', (file) => {
  const roots = /^(?:src|test|fixtures|suites|schemas|scripts|bench|docs)\/[\w./-]*$/;
  const named = [...textOf(file).matchAll(/`([^`\s]+)`|^(src\/[\w.-]+)/gm)].map(([, span, line]) => span ?? line ?? '');
  const paths = named.filter((name) => roots.test(name));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
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
