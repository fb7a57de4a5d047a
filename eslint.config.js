import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';
import { arrowsPlugin } from './scripts/eslint-arrows.mjs';

/**
 * The arrows of the house: each room and the rooms whose files it may import, all of which stand above it in this table.
 * Only cli and the library's entry stand above them all and may import everything.
 */
const rows = {
  json: '',
  stats: '',
  errors: '',
  options: '',
  cell: '',
  capabilities: 'options',
  files: 'json errors cell',
  chat: 'json',
  body: 'json files chat',
  masking: 'json chat',
  judge: 'json options chat masking',
  clients: 'json files chat judge',
  suite: 'json stats options cell files body judge',
  config: 'json options cell files body masking clients',
  baseline: 'json stats options chat cell files judge',
  plan: 'json errors stats options cell files body judge suite config baseline',
  decide: 'json stats options cell chat judge suite baseline plan',
  estimate: 'json options cell chat config plan decide',
  journal: 'json stats errors options files chat judge baseline plan decide',
  matrix: 'json stats options cell chat judge suite config baseline plan decide journal',
  report: 'json stats options cell capabilities files chat masking judge plan decide journal matrix',
  transport: 'json errors options chat masking config',
  run: 'json stats errors options cell chat judge config plan decide journal',
  simulator: 'json options files masking',
  shapes: 'json cell files masking matrix report simulator',
  assemble:
    'json options cell files clients body chat masking judge suite config baseline plan decide estimate journal matrix report transport run simulator',
  vitest: 'json options cell plan journal report assemble',
};

/** Each room with the names of the rooms it may import. */
export const arrows = Object.fromEntries(
  Object.entries(rows).map(([room, reachable]) => [room, reachable.split(' ').filter((name) => name !== '')]),
);

for (const [index, [room, reachable]] of Object.entries(arrows).entries()) {
  const above = Object.keys(arrows).slice(0, index);
  const wrong = reachable.filter((other) => !above.includes(other));
  if (wrong.length > 0) throw new Error(`${room} cannot import ${wrong.join(', ')}: below it in the table of arrows`);
}

const onlyTheCliTouchesTheProcess = [
  { object: 'process', property: 'exit', message: 'Only src/cli exits; return a value or throw.' },
  { object: 'process', property: 'env', message: 'Only src/cli reads the environment; take it as an argument.' },
  { object: 'process', property: 'argv', message: 'Only src/cli reads the command line.' },
];

/** A call has room for some 100,000 arguments on the stack, and a service may send more of anything. */
const noSpreadOfItsData = [
  {
    selector: "CallExpression[callee.object.name='Math'] > SpreadElement",
    message: 'Loop or reduce: the data may exceed the stack.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement',
    message: 'Loop or concat: the data may exceed the stack.',
  },
];
const plainValues = 'Literal, TemplateLiteral, Identifier, MemberExpression, ConditionalExpression';
/** A literal is spread, a brace left out, or a choice put into another, only to save lines. */
const plainForms = [
  {
    selector: 'ObjectExpression > SpreadElement[argument.type="ObjectExpression"]',
    message: 'Write the members one by one.',
  },
  { selector: 'SpreadElement[argument.type="ArrayExpression"]', message: 'Write the elements one by one.' },
  {
    selector: 'IfStatement[alternate]:not([consequent.type="BlockStatement"])',
    message: 'An if with an else has braces.',
  },
  {
    selector: 'ConditionalExpression > ConditionalExpression.consequent',
    message: 'Return early, or name the inner choice.',
  },
  {
    selector: 'ConditionalExpression > ConditionalExpression > ConditionalExpression',
    message: 'A ladder of so many steps is a function that returns early, or a table.',
  },
  ...['consequent', 'alternate'].map((branch) => ({
    selector: `ConditionalExpression > ConditionalExpression.alternate > :not(${plainValues}).${branch}`,
    message: 'A choice within a choice is a table of plain values: return early, or name the inner choice.',
  })),
];
/** Members and names that hold sentences for people. */
const proseNames = '/^(detail|because|advice|advices|clause|explanation|headline|todo|caveats?|says|summaryText)$/';
const readingCalls =
  '/^(includes|startsWith|endsWith|match|matchAll|search|split|indexOf|lastIndexOf|slice|replace|replaceAll)$/';
/** A code says what happened; a sentence only tells people, and may change with any version. */
const noReadingProse = [
  ...[`object.property.name=${proseNames}`, `object.name=${proseNames}`].map(
    (read) => `CallExpression[callee.property.name=${readingCalls}][callee.${read}]`,
  ),
  ...[`property.name=${proseNames}`, `name=${proseNames}`].map(
    (read) => `CallExpression[callee.property.name=/^(test|exec)$/][arguments.0.${read}]`,
  ),
  `BinaryExpression[operator=/^[!=]==$/][left.property.name=${proseNames}][right.type="Literal"][right.value=/./]`,
].map((selector) => ({ selector, message: 'No code reads a sentence: give a code beside it, and read that.' }));
const noRoundingJson = {
  selector: 'MemberExpression[object.name="JSON"]',
  message: 'It rounds integers beyond 2^53, or throws: parsedJson and writtenJson keep their digits.',
};
/** The one reader and writer, what has no others, and what runs in contexts of its own. */
const nativeJson = ['src/json/json.ts', 'src/capabilities/**', 'src/judge/jsonata/**', 'src/report/safe/redact.ts'];
/** Formats that print no section of the page: they read what `matrix` found. */
const factFormats = ['render-{junit,ctrf,openmetrics,otel,json,summary}', 'test-cases', 'failure-lines'].map(
  (name) => `src/report/formats/${name}.ts`,
);
const onlyFacts = {
  regex: '/(page|sections/(?!(names|shown-run|run-time)\\.js))',
  message: 'This format prints no section: read the facts.',
};
const onlyOwnSections = { regex: '/page/', message: 'What others print too stands in sections or words.' };
/** The rooms that walk through what a service sent. */
const readsAnswers = ['chat', 'judge', 'transport', 'run', 'journal', 'report/gather', 'report/evidence'];

/** What the tests of promises know of the inside: what a program can import, the command line, and helpers that know no more. */
const entries = [
  'index',
  'parts',
  'judge/index',
  'capabilities/index',
  'simulator/index',
  'vitest/index',
  'cli/program',
];
const publicHelpers = [
  ...['cli', 'io', 'temp-folder', 'lasting-folder', 'after-file', 'exchanges', 'junit-structure', 'recommended-client'],
  ...['label-run', 'label-table', 'label-mismatches', 'write-files'],
];
/** @param helpers how an import of a helper begins */
const onlyPublicEntries = (helpers) => ({
  patterns: [
    { regex: `/src/(?!(${entries.join('|')})\\.js$)`, message: 'These tests know the public entries alone.' },
    {
      regex: `${helpers}(?!(${publicHelpers.join('|')})\\.js$)`,
      message: 'This helper knows the inside; these tests may not.',
    },
  ],
});

const house = arrowsPlugin(fileURLToPath(new URL('src', import.meta.url)), arrows);

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'reports/', 'node_modules/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // One program for all files takes a fifth less time than a service that opens them one by one.
        project: './tsconfig.json',
        tsconfigRootDir: dirname(fileURLToPath(import.meta.url)),
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // There are no enums here, and to look for them took a tenth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { house },
    rules: { 'house/room': 'error', 'house/circle': 'error' },
  },
  {
    files: Object.keys(arrows).map((room) => `src/${room}/**/*.ts`),
    ignores: ['**/*.test.ts'],
    rules: { 'no-console': 'error', 'no-restricted-properties': ['error', ...onlyTheCliTouchesTheProcess] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      curly: ['error', 'multi-line'],
      'no-restricted-syntax': ['error', ...plainForms, ...noReadingProse, noRoundingJson],
    },
  },
  {
    files: readsAnswers.map((room) => `src/${room}/**/*.ts`),
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...plainForms, ...noReadingProse, noRoundingJson, ...noSpreadOfItsData],
    },
  },
  {
    files: ['src/report/**/*.ts'],
    ignores: ['src/report/page/**', 'src/report/report-formats.ts', 'src/report/site/write-site.ts', '**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [onlyOwnSections] }] },
  },
  {
    files: factFormats,
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [onlyFacts] }] },
  },
  {
    files: nativeJson,
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plainForms, ...noReadingProse] },
  },
  {
    files: ['**/*.test.ts', 'test/**', 'bench/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', '@typescript-eslint/no-empty-function': 'off' },
  },
  {
    files: ['test/{conformance,contract}/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', onlyPublicEntries('/support/')] },
  },
  {
    files: [`test/support/{${publicHelpers.join(',')}}.ts`],
    rules: { 'no-restricted-imports': ['error', onlyPublicEntries('^\\./')] },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
