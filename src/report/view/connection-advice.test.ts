import { expect, test } from 'vitest';
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
