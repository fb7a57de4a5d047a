import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pictureUrl } from '../../suite/references/resolve-refs.js';
import { knownPicturesIn, saidOfPictures, withPicturesSeen } from './pictures.js';

const folder = fileURLToPath(new URL('../../../fixtures/pictures/', import.meta.url));
const find = knownPicturesIn(folder);
const urlOf = (name: string): string => {
  const picture = pictureUrl(`${folder}${name}`);
  return picture.ok ? picture.url : '';
};
const bodyWith = (...urls: readonly string[]) => ({
  messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }],
});
const saidOf = (pictures: Parameters<typeof withPicturesSeen>[1], ...urls: readonly string[]) => {
  const [message] = withPicturesSeen(bodyWith(...urls), pictures, find)['messages'] as unknown as readonly [
    { readonly content: readonly { readonly text: string }[] },
  ];
  return saidOfPictures(message.content.map(({ text }) => text).join(''));
};

test.each([
  ['seen', ['seven-red.png'], 'I see the digit 7 in red.'],
  ['seen', ['four-blue.png', 'seven-red.png'], 'I see the digit 4 in blue, then the digit 7 in red.'],
  ['ignored', ['seven-red.png'], null],
  ['invented', ['seven-red.png'], 'I see the digit 3 in green.'],
] as const)('%s %j: %s', (pictures, names, said) => {
  expect(saidOf(pictures, ...names.map(urlOf))).toBe(said);
});

test('of a picture that it does not know it says no more than that', () => {
  expect(saidOf('seen', 'data:image/png;base64,AAAA')).toBe('I see a picture.');
});
