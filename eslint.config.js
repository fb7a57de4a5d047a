import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';

/**
 * The arrows of the house: each room and the rooms whose files it may import.
 * A room that is not named on the right cannot be reached from the left.
 */
export const arrows = {
  json: [],
  files: ['json'],
  chat: ['json'],
  judge: ['json', 'chat'],
  suite: ['json', 'files', 'judge'],
  config: ['json', 'files'],
  baseline: ['json', 'files', 'judge'],
  plan: ['json', 'files', 'chat', 'judge', 'suite', 'config', 'baseline'],
  decide: ['json', 'chat', 'judge', 'suite', 'baseline', 'plan'],
  matrix: ['json', 'judge', 'suite', 'config', 'baseline', 'plan', 'decide'],
  report: ['json', 'files', 'chat', 'judge', 'suite', 'plan', 'decide', 'baseline', 'matrix'],
  transport: ['json', 'chat', 'config'],
  simulator: ['json', 'files'],
  run: ['json', 'chat', 'judge', 'suite', 'config', 'baseline', 'plan', 'decide', 'transport'],
};

const onlyTheCliTouchesTheProcess = [
  { object: 'process', property: 'exit', message: 'Only src/cli exits; return a value or throw.' },
  { object: 'process', property: 'env', message: 'Only src/cli reads the environment; take it as an argument.' },
  { object: 'process', property: 'argv', message: 'Only src/cli reads the command line.' },
];

const roomRules = Object.entries(arrows).map(([room, reachable]) => ({
  files: [`src/${room}/**/*.ts`],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(\\.\\./)+(?!(${[room, ...reachable].join('|')})/|\\.\\.)`,
            message: `src/${room} may import only ${[room, ...reachable].join(', ')}. See ARCHITECTURE.md.`,
          },
        ],
      },
    ],
    'no-console': 'error',
    'no-restricted-properties': ['error', ...onlyTheCliTouchesTheProcess],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'reports/', 'node_modules/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', 'scripts/*.mjs'] },
        tsconfigRootDir: dirname(fileURLToPath(import.meta.url)),
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: ['error', 'always'],
    },
  },
  ...roomRules,
  {
    files: ['**/*.test.ts', 'test/**', 'bench/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', '@typescript-eslint/no-empty-function': 'off' },
  },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
