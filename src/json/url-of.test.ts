import { expect, test } from 'vitest';
import { urlOf } from './url-of.js';

test('knows an address however often it was asked, and whatever letters its host has', () => {
  const hosts = Array.from({ length: 50_000 }, () => urlOf('https://bücher.example/v1')?.hostname);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
  expect(urlOf('no address')).toBeNull();
});
