import { expect, test } from 'vitest';
import { anAnswer, anExchange, aRequest } from '../../../test/support/build.js';
import { connectionFaults, type Answer, type TransportFailure } from '../../chat/exchange.js';
import { judge } from '../../judge/application/judge-answer.js';
import type { Clue } from '../../judge/clue.js';
import { reasonProse, reasons } from '../../judge/outcome.js';
import { plainRequestAdvice, unreachedAdvice } from './connection-advice.js';

const baseUrl = 'https://service.test:8443/v1';
const unreached = (clue?: Clue) => ({
  class: 'transport' as const,
  reason: null,
  status: null,
  ...(clue && { clue }),
});
const adviceOf = (clue?: Clue): string => unreachedAdvice(unreached(clue), baseUrl);

test.each(connectionFaults)('%s has an advice of its own', (fault) => {
  const others = connectionFaults.filter((one) => one !== fault);
  const different = others.map((one) => adviceOf({ kind: 'connection', fault: one }));
  expect([...different, adviceOf()]).not.toContain(adviceOf({ kind: 'connection', fault }));
});

const judged = (changes: Partial<Answer>): Clue | undefined =>
  judge(anExchange(aRequest(), changes) as unknown, { request: aRequest() }).clue;
const failing = (failure: TransportFailure): Partial<Answer> => ({ status: null, body: [], failure });

test.each<readonly [string, Partial<Answer>, Clue | undefined]>([
  [
    'a failure that names its fault, whatever its sentence says',
    failing({ kind: 'other', connection: 'proxy_login', message: 'ECONNREFUSED 127.0.0.1:1' }),
    { kind: 'connection', fault: 'proxy_login' },
  ],
  [
    'a refusal that an older version recorded',
    failing({ kind: 'connection_refused', message: '' }),
    { kind: 'connection', fault: 'refused' },
  ],
  ['the same of a name', failing({ kind: 'dns', message: '' }), { kind: 'connection', fault: 'unknown_host' }],
  ['a time-out, whose words are those of a proxy', failing({ kind: 'total_timeout', message: 'HTTP 407' }), undefined],
  ['a port of TLS', { status: 400, body: ['Client sent an HTTP request to an HTTPS server.'] }, { kind: 'wants_tls' }],
  ['another refusal', { status: 400, body: ['Client sent a request to an HTTPS server.'] }, undefined],
  ['choices that are none', { body: ['{"choices":[]}'] }, { kind: 'broken_completion' }],
  ['text behind a completion', { body: [`${anAnswer().body.join('')} ok`] }, { kind: 'broken_completion' }],
  ['text behind another document', { body: ['{"a":1} ok'] }, undefined],
  ['another document', { body: ['{"a":1}'] }, undefined],
])('%s', (_, answer, clue) => {
  expect(judged(answer)).toEqual(clue);
});

test.each(reasons)('where no address helps, %s is explained by the table of reasons', (reason) => {
  const failure = { class: 'http_error' as const, reason, status: 418 };
  const { advice } = reasonProse[reason];
  expect(plainRequestAdvice(failure, baseUrl)).toBe(unreachedAdvice(failure, baseUrl) || advice);
});
