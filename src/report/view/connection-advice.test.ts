import { describe, expect, test } from 'vitest';
import { connectionAdvice } from './connection-advice.js';
import { unreachedAdvice } from './unreached-advice.js';

const service = 'https://service.example/v1';

test.each([
  ['while connecting (DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate)', service, /NODE_EXTRA_CA_CERTS=FILE/],
  ['(SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in chain)', service, /NODE_EXTRA_CA_CERTS/],
  ['(UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first certificate)', service, /NODE_EXTRA_CA_CERTS/],
  ['(UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unable to get)', service, /NODE_EXTRA_CA_CERTS/],
  ['(CERT_HAS_EXPIRED: certificate has expired)', service, /out of date .*clock/],
  [
    '(ERR_TLS_CERT_ALTNAME_INVALID: Host: service.example. is not in the cert)',
    service,
    /another name than service\.example/,
  ],
  ['(ERR_SSL_WRONG_VERSION_NUMBER: wrong version number)', service, /does not speak TLS: write base_url with http:/],
  ['(the proxy answered with HTTP 407)', service, /HTTPS_PROXY=http:\/\/USER:PASSWORD@HOST:PORT/],
  ['(the proxy answered with HTTP 403)', service, /let service\.example through/],
  ['(the proxy answered with HTTP 502)', service, /could not reach service\.example/],
  ['(getaddrinfo ENOTFOUND service.example)', service, /Check the host name in base_url/],
  ['(getaddrinfo ENOTFOUND proxy.example)', service, /That is the proxy/],
  ['(connect ECONNREFUSED 10.0.0.1:443)', service, /Nothing takes connections at service\.example/],
  ['(connect ECONNREFUSED 10.0.0.1:3128)', service, /That is the proxy/],
  ['(connect ECONNREFUSED 127.0.0.1:80)', 'http://service.example/v1', /Nothing takes connections/],
  [
    'the other side closed the connection before an answer began (UND_ERR_SOCKET)',
    'http://h:8443/v1',
    /https:\/\/h:8443/,
  ],
  [
    'the other side closed the connection before an answer began (UND_ERR_SOCKET)',
    service,
    /^Check base_url, the network/,
  ],
  ['no connection was made in time (10 s)', service, /^Check base_url, the network and the proxy/],
])('%s at %s', (detail, baseUrl, advice) => {
  expect(connectionAdvice(detail, baseUrl)).toMatch(advice);
});

test('a service that says that its port speaks TLS is quoted with the remedy', () => {
  const answered = {
    ...({ class: 'http_error', reason: 'unknown', status: 400 } as const),
    detail: 'HTTP 400: The plain HTTP request was sent to HTTPS port',
  };
  expect(unreachedAdvice(answered, 'http://h:8443/v1')).toBe(
    'The port speaks TLS: write base_url with https://h:8443.',
  );
});

describe('a 200 that no client can read', () => {
  const malformed = (detail: string) => ({ class: 'malformed_response', reason: null, status: 200, detail }) as const;

  test.each(['the body is a completion with other text behind it: {"ok":true}', 'choices is null'])(
    'speaks for the address where it holds what only such a service sends: %s',
    (detail) => {
      const advice = unreachedAdvice(malformed(detail), service);
      expect(advice).toMatch(/^The service was reached, but no client can read such an answer/);
      expect(advice).not.toContain('base_url');
    },
  );

  test('leads to the address where nothing speaks for it', () => {
    expect(unreachedAdvice(malformed('the body is an HTML page (Login)'), service)).toMatch(/check base_url \(often/);
  });

  test('does not question the address of a model that has answered before', () => {
    const advice = unreachedAdvice(malformed('the body is an HTML page (Login)'), service, true);
    expect(advice).toMatch(/although the model has answered before: check whether a proxy or a login page/);
    expect(advice).not.toContain('/v1');
  });
});
