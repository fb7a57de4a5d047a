import { expect, test } from 'vitest';
import { builtInMasked, mask, sign } from './key-like.js';

const rest = 'Zq7Zq7Zq7Zq7Zq7Z';

/** One of every kind that a pattern names, by itself. */
const keyLike: readonly string[] = [
  `-----BEGIN RSA PRIVATE KEY-----${rest}-----END RSA PRIVATE KEY-----`,
  ...['Bearer ', 'Basic\t', 'bearer ', 'BASIC '].map((scheme) => scheme + rest),
  ...['sk', 'pk', 'rk', 'ak'].flatMap((name) => [`${name}-${rest}`, `${name}_${rest}`]),
  ...['gho_', 'ghp_', 'ghs_', 'ghu_', 'ghr_', 'github_pat_', 'glpat-', 'hf_', 'gsk_', 'xai-', 'nvapi-'].map(
    (name) => name + rest,
  ),
  ...['a', 'b', 'e', 'p', 'r', 's'].map((kind) => `xox${kind}-${rest}`),
  ...['AKIA', 'ASIA'].map((name) => name + 'ZQ7ZQ7ZQ7ZQ7ZQ7Z'),
  `AIza${rest}${rest}`,
  `eyJ${rest}.${rest}`,
  ...['api_key', 'api-key', 'apikey', 'API_KEY', 'access_token', 'access-token', 'accesstoken', 'AccessToken'].flatMap(
    (name) => [`${name}=${rest}`, `${name}": "${rest}`],
  ),
  ...['auth_token', 'auth-token', 'authtoken', 'client_secret', 'clientsecret', 'secret_key', 'secretkey'].map(
    (name) => `${name}: ${rest}`,
  ),
  ...['password', 'Password', 'PASSWORD'].map((name) => `${name}=${rest}`),
  'a@b.cd',
];

test.each(keyLike)('%s is masked', (key) => {
  expect(builtInMasked(key)).toContain(mask);
  expect(builtInMasked(`1 ${key} 1`)).not.toContain(key);
});

/** Each way in which a sign can be spelled, in any case. */
const signs = [
  ...['@', 'eyJ', 'AIza', 'AKIA', 'ASIA', '-----BEGIN', 'Bearer ', 'Bearer\t', 'Basic ', 'Basic\t', 'password'],
  ...['sk', 'pk', 'rk', 'ak', 'gho', 'ghp', 'ghs', 'ghu', 'ghr', 'pat', 'hf', 'gsk', 'xai', 'nvapi'].flatMap(ended),
  ...['xoxa', 'xoxb', 'xoxe', 'xoxp', 'xoxr', 'xoxs'].flatMap(ended),
  ...['api key', 'access token', 'auth token', 'client secret', 'secret key'].flatMap((name) =>
    ['', '-', '_'].map((between) => name.replace(' ', between)),
  ),
];

function ended(name: string): readonly string[] {
  return [`${name}-`, `${name}_`];
}

test.each(signs)('%s by itself lets a text be searched', (text) => {
  for (const spelled of [text, text.toLowerCase(), text.toUpperCase()]) {
    expect(sign.test(spelled)).toBe(true);
  }
});

test.each(['chatcmpl-QRvOv02wVTXXMzwh1sC5q6jiiYSsYyJx', 'tiny-terse', 'stop', 'a text', ''])('%s stays', (text) => {
  expect(builtInMasked(text)).toBe(text);
});
