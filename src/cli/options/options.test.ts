import { describe, expect, test } from 'vitest';
import { UserError } from '../../files/problems/problem.js';
import { checkVerbOptions, splitOptionList, optionNames } from './options.js';

describe('a list with commas', () => {
  test.each<[string, readonly string[]]>([
    ['a,b', ['a', 'b']],
    [' a , b,', ['a', 'b']],
    ['a[x=1,y=2]@t/m,b', ['a[x=1,y=2]@t/m', 'b']],
    ['b,a[x=1,y=2]@t/m,c[z=3]', ['b', 'a[x=1,y=2]@t/m', 'c[z=3]']],
    ['*[*x=1,*],b', ['*[*x=1,*]', 'b']],
    ['a[x=1,y=2', ['a[x=1,y=2']],
    ['*x=1,y=2],b', ['*x=1,y=2]', 'b']],
    ['a/b,*=object]', ['a/b', '*=object]']],
    ['*=object],b,c', ['*=object]', 'b', 'c']],
    ['a@t/@cf/m[x]@y,b', ['a@t/@cf/m[x]@y', 'b']],
    ['', []],
    [',', []],
  ])('%s', (text, items) => {
    expect(splitOptionList(text)).toEqual(items);
  });
});

describe('an option of names', () => {
  test.each<[string | readonly string[] | undefined, readonly string[] | undefined]>([
    [undefined, undefined],
    ['a,b', ['a', 'b']],
    [
      ['a,b', 'c', 'a'],
      ['a', 'b', 'c'],
    ],
  ])('%j', (given, names) => {
    expect(optionNames({ tags: given }, 'tags')).toEqual(names);
  });

  test.each([[''], [['', ' ,']]])('%j is an error: it must not mean everything', (given) => {
    return expect(checkVerbOptions([['--tags <LIST>', '', 'many']], { tags: given })).rejects.toThrow(UserError);
  });
});
