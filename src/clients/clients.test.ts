import { describe, expect, test } from 'vitest';
import { packageJson } from './project/read-libraries.js';
import { effectsOn } from './client-effects.js';
import {
  clientNames,
  clientsIn,
  clientsMeant,
  clientsNamed,
  type ClientTable,
  type MeasuredClient,
} from './client-table.js';

const client = (id: string, name: string, version: string, via?: string): MeasuredClient => ({
  ...{ id, ecosystem: 'npm' as const, package: name, version, program: 'try.mjs', calls: { plain: 'create' } },
  ...(via !== undefined && { via }),
});
const old = client('shop-4', 'shop', '4.104.0');
const current = client('shop-6', 'shop', '6.49.0');
const plain = client('kit-5', 'kit', '5.0.3', '@kit/plain');
const other = client('kit-5-other', 'kit', '5.0.3', '@kit/other');
const chain = client('chain', '@chain/openai', '0.6.2');
const snake: MeasuredClient = { ...client('snake-shop', 'shop', '3.57.0'), ecosystem: 'pypi' };
const only: MeasuredClient = { ...client('snake-only', 'snake-kit', '0.8.1'), ecosystem: 'pypi' };
const gopher: MeasuredClient = { ...client('gopher', 'shop.io/kit', '3.9.0'), ecosystem: 'go' };
const table: ClientTable = {
  ...{
    format: 'chatspec-clients/1',
    measured: '2026-11-20',
    models: [],
    calls: {},
    classes: {},
    unmeasured: { quirks: {}, classes: {} },
  },
  clients: [current, old, plain, other, chain, snake, only, gopher],
  quirks: {
    odd: {
      models: ['m'],
      clients: {
        'shop-6': { works: ['plain'], breaks: { tool: 'throws TypeError: no' } },
        'shop-4': { works: ['plain'] },
        'kit-5': { works: [], breaks: { plain: 'wrong value', tool: 'wrong value' } },
        'kit-5-other': { works: ['plain', 'tool'] },
      },
    },
    partly: {
      models: ['m', 'n'],
      clients: {
        'shop-6': {
          ...{ works: [], breaks: { plain: 'throws TypeError: no', tool: 'needs ?.: TypeError: no' } },
          differs: { plain: { throws: ['m'], works: ['n'] } },
        },
        'shop-4': {
          ...{ works: [], breaks: { plain: 'wrong value', tool: 'throws Error: x' } },
          differs: { plain: { 'wrong value': ['m'], throws: ['n'] } },
        },
        chain: {
          ...{ works: [], breaks: { plain: 'throws Error: x', tool: 'throws Error: x' } },
          differs: { plain: { throws: ['m'], works: ['n'] } },
        },
        'kit-5': { works: [], breaks: { plain: 'needs ?.: TypeError: no', tool: 'throws Error: x' } },
      },
    },
    same: {
      models: ['m'],
      clients: {
        'kit-5': { works: [], breaks: { plain: 'wrong value', tool: 'throws Error: x' } },
        'kit-5-other': { works: [], breaks: { tool: 'throws Error: y', plain: 'wrong value' } },
      },
    },
  },
};

describe('a name in the config', () => {
  test.each([
    ['shop', [current, snake]],
    ['npm:shop', [current]],
    ['pypi:shop', [snake]],
    ['go:shop', []],
    ['pypi:shop@3', [snake]],
    ['pypi:shop@4', []],
    ['snake-kit', [only]],
    ['go:shop.io/kit', [gopher]],
    ['shop@4', [old]],
    ['shop-4', [old]],
    ['kit', [plain, other]],
    ['kit-5-other', [other]],
    ['@chain/openai', [chain]],
    ['@chain/openai@0', [chain]],
    ['shop@5', []],
    ['shp', []],
    ['', []],
  ])('%s', (name, expected) => {
    expect(clientsNamed(table, name)).toEqual(expected);
  });

  test.each([
    ['npm', [current]],
    ['pypi', [snake]],
    ['go', [current, snake]],
  ] as const)('that two ecosystems have is of the one that the project has: %s', (ecosystem, expected) => {
    const library = { ecosystem, name: 'shop', version: '', locked: false, direct: true };
    expect(clientsMeant(table, 'shop', [library])).toEqual(expected);
    expect(clientsMeant(table, 'pypi:shop', [library])).toEqual([snake]);
  });

  test('finds others only in the ecosystem that it begins with', () => {
    expect(clientNames(table, 'pypi:shp')).toEqual(['pypi:shop', 'pypi:shop@3', 'pypi:snake-kit', 'pypi:snake-kit@0']);
    expect(clientNames(table, 'shp')).toEqual(expect.arrayContaining(['npm:shop', 'pypi:shop', 'shop', 'gopher']));
  });

  test('can be every one of those that are offered', () => {
    for (const name of clientNames(table)) expect(clientsNamed(table, name), name).not.toEqual([]);
  });
});

describe('a package.json', () => {
  test.each([
    ['a caret', { dependencies: { shop: '^6.10.0' } }, [current]],
    ['an older version', { devDependencies: { shop: '~4.1' } }, [old]],
    ['a version that was not measured', { dependencies: { shop: '^5.0.0' } }, []],
    ['a longer number', { dependencies: { shop: '60.1.0' } }, []],
    ['a tag', { dependencies: { shop: 'latest' } }, []],
    ['an address', { dependencies: { shop: 'github:shop/shop#6' } }, []],
    ['an alias', { dependencies: { shop: 'npm:shop@6.1.0' } }, [current]],
    ['the package alone: any of its parts may read the answers', { dependencies: { kit: '5' } }, [plain, other]],
    ['one of its parts', { dependencies: { kit: '>=5', '@kit/other': '1' } }, [other]],
    ['dependencies before others', { dependencies: { shop: '6' }, devDependencies: { shop: '4' } }, [current]],
    ['nothing', {}, []],
    ['no object', null, []],
  ])('with %s', (_name, manifest, expected) => {
    expect(clientsIn(table, packageJson(JSON.stringify(manifest)))).toEqual(expected);
  });
});

describe('a project in another language', () => {
  const asks = (version: string, locked = false, direct: boolean | null = true) => ({
    ...{ ecosystem: 'pypi' as const, name: 'shop', version, locked, direct },
  });
  test.each([
    ['any version', asks(''), [snake]],
    ['a lower bound', asks('>=1.40'), [snake]],
    ['its own major version as the lower bound', asks('>=3'), [snake]],
    ['one that is too high', asks('>=4'), []],
    ['an upper bound above it', asks('>=1,<4'), [snake]],
    ['one at its major version', asks('<3'), []],
    ['one within its major version', asks('<3.60'), [snake]],
    ['one below', asks('<=2'), []],
    ['a compatible release', asks('~=3.1'), [snake]],
    ['another', asks('~=2.54'), []],
    ['a caret', asks('^3.1'), [snake]],
    ['an exclusion', asks('!=3.57.0'), [snake]],
    ['a locked version', asks('3.1.0', true), [snake]],
    ['an older one', asks('1.68.0', true), []],
    ['one that something else brings along', asks('3.1.0', true, false), []],
    ['one of which nothing is said', asks('3.1.0', true, null), [snake]],
  ])('with %s', (_name, library, expected) => {
    expect(clientsIn(table, [library])).toEqual(expected);
  });

  test('means what it asks for itself, where it says so', () => {
    const own = { ...asks('0.8.1', true), name: 'snake-kit' };
    expect(clientsIn(table, [own, asks('3.57.0', true, null)])).toEqual([only]);
    expect(clientsIn(table, [{ ...own, ecosystem: 'npm' }, asks('3.57.0', true, null)])).toEqual([snake]);
  });
});

const told = (clients: readonly MeasuredClient[], quirk: string) => {
  const { breaks, reads } = effectsOn(table, clients)(quirk)!;
  return { breaks, reads };
};

describe('what a quirk does', () => {
  test('is told as codes, apart for what only some models do', () => {
    expect(effectsOn(table, [current, old, chain])('partly')?.harms).toEqual([
      { client: 'shop 6.49', always: ['needs ?.'], sometimes: ['throws'] },
      { client: 'shop 4.104', always: ['throws', 'wrong value'], sometimes: [] },
      { client: '@chain/openai 0.6', always: ['throws'], sometimes: [] },
    ]);
  });

  test('tells those that break from those that read it', () => {
    expect(told([current, old], 'odd')).toEqual({ breaks: ['shop 6.49: throws'], reads: ['shop 4.104'] });
  });

  test('names the part where the parts differ, and else only the package', () => {
    expect(told([plain, other], 'odd')).toEqual({
      breaks: ['kit 5.0 with @kit/plain: wrong value'],
      reads: ['kit 5.0 with @kit/other'],
    });
    expect(told([plain, other], 'same')).toEqual({ breaks: ['kit 5.0: throws or wrong value'], reads: [] });
  });

  test('is sometimes, where one model of the row does no harm', () => {
    expect(told([current, old, chain, plain], 'partly')).toEqual({
      breaks: [
        'shop 6.49: needs ?. or sometimes throws',
        'shop 4.104: throws or wrong value',
        '@chain/openai 0.6: throws',
        'kit 5.0: throws',
      ],
      reads: [],
    });
  });

  test.each(['odd', 'unknown', 'toString'])('is not known of a client that never met %s', (quirk) => {
    expect(effectsOn(table, [chain])(quirk)).toBeNull();
  });
});
