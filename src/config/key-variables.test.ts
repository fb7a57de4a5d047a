import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keyVariableFault, obeyedVariables, valuesNamedSecret } from './key-variables.js';

test.each([
  ['CHATSPEC_API_KEY', null],
  ['my_service', null],
  ['GITHUB_TOKEN', null],
  ['NODE_AUTH_TOKEN', null],
  ['PATHS', null],
  ['CI_KEY', null],
  ['LD_PRELOAD', 'obeyed'],
  ['ld_library_path', 'obeyed'],
  ['NODE_OPTIONS', 'obeyed'],
  ['BASH_ENV', 'obeyed'],
  ['PATH', 'obeyed'],
  ['Path', 'obeyed'],
  ['PS4', 'obeyed'],
  ['PS5', null],
  ['https_proxy', 'obeyed'],
  ['CI', 'obeyed'],
  ['_', 'obeyed'],
  ['', 'no_name'],
  ['x y', 'no_name'],
  ['1A', 'no_name'],
  ['a-b', 'no_name'],
  ['a8d93kd02kd93kd02kd93kd02kd93kd02', 'no_name'],
])('a key in the variable "%s": %s', (name, fault) => {
  expect(keyVariableFault(name)).toBe(fault);
});

test('the action refuses the same variables', () => {
  const action = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8');
  for (const [name, pattern] of Object.entries(obeyedVariables)) expect(action).toContain(`${name}='${pattern}'\n`);
});

test('a secret is known by the name of its variable', () => {
  const env = {
    API_KEY: 'a',
    GH_TOKEN: 'b',
    PASSWD: 'c',
    SSH_AUTH: 'd',
    my_secret: 'e',
    HOME: 'f',
    UNSET_KEY: undefined,
  };
  expect(valuesNamedSecret(env)).toEqual(['a', 'b', 'c', 'd', 'e', '']);
});
