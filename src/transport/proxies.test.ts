import { describe, expect, test } from 'vitest';
import { proxiesFor, proxyFault } from './dispatcher.js';

const secure = 'https://service.example/v1';

describe('HTTPS_PROXY', () => {
  test.each([
    ['not a url', /is not the address of a proxy/, /http:\/\/HOST:PORT/],
    ['proxy.corp:8080', /is not the address/, /write http:\/\/proxy\.corp:8080/],
    ['127.0.0.1:3128', /is not the address/, /write http:\/\/127\.0\.0\.1:3128/],
    ['http://127.0.0.1:99999', /is not the address/, /HOST:PORT/],
    ['ftp://proxy.corp', /is not the address/, /HOST:PORT/],
    ['http://me:p%zz@proxy.corp:8080', /not URL-encoded/, /%25/],
    ['me:hunter2@proxy.corp', /is not the address/, /HOST:PORT/],
  ])('%j is an error that shows no password', (value, message, hint) => {
    const fault = proxyFault([secure], { HTTPS_PROXY: value });
    expect(fault?.message).toMatch(message);
    expect(fault?.hint).toMatch(hint);
    expect(JSON.stringify(fault)).not.toMatch(/hunter2|p%zz/);
  });

  test('is used for https alone, so elsewhere it may be anything', () => {
    expect(proxyFault(['http://h/v1'], { HTTPS_PROXY: '::' })).toBeNull();
    expect(proxyFault(['simulator'], { HTTPS_PROXY: '::' })).toBeNull();
    expect(proxyFault([secure], { HTTPS_PROXY: '', https_proxy: '::' })).toBeNull();
    expect(proxyFault([secure], { HTTPS_PROXY: 'http://me:p%40ss@proxy.corp:3128' })).toBeNull();
    expect(proxiesFor(secure, { https_proxy: ' http://p:1 ', no_proxy: 'x' })).toEqual({
      httpsProxy: 'http://p:1',
      noProxy: 'x',
    });
  });

  test('in small letters is named as it is', () => {
    expect(proxyFault([secure], { https_proxy: 'x' })?.message).toContain('https_proxy');
  });
});
