import { describe, expect, test } from 'vitest';
import { effectsOn } from './client-effects.js';
import { clientNames, clientsIn, clientsNamed, type ClientTable, type MeasuredClient } from './client-table.js';

const client = (id: string, name: string, version: string, via?: string): MeasuredClient => ({
  ...{ id, package: name, version, program: 'try.mjs', calls: { plain: 'create' } },
  ...(via !== undefined && { via }),
});
const old = client('shop-4', 'shop', '4.104.0');
const current = client('shop-6', 'shop', '6.49.0');
const plain = client('kit-5', 'kit', '5.0.3', '@kit/plain');
const other = client('kit-5-other', 'kit', '5.0.3', '@kit/other');
const chain = client('chain', '@chain/openai', '0.6.2');
const table: ClientTable = {
  ...{
    format: 'chatspec-clients/1',
    measured: '2026-11-20',
    models: [],
    calls: {},
    classes: {},
    unmeasured: { quirks: {}, classes: {} },
  },
  clients: [current, old, plain, other, chain],
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
    ['shop', [current]],
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
    expect(clientsIn(table, manifest)).toEqual(expected);
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
