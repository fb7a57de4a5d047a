import { expect, test } from 'vitest';
import { anExchange } from '../../../test/support/build.js';
import { arrivalOfContent } from './content-arrival.js';

const piece = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const text = piece({ content: 'a' });
const head = piece({ role: 'assistant', content: '' });
const done = 'data: [DONE]\n\n';

/** A stream whose pieces came at these times. */
function arrived(pieces: readonly (readonly [text: string, at: number])[], busy_ms?: number) {
  const exchange = anExchange({}, { body: pieces.map(([body]) => body) });
  const pieces_ms = pieces.map(([, at]) => at);
  return arrivalOfContent({
    ...exchange,
    timing: { ...exchange.timing, pieces_ms, ...(busy_ms !== undefined && { busy_ms }) },
  });
}

const four = (...times: readonly number[]) => times.map((at) => [text, at] as const);

test.each([
  ['in one piece after half a second', [[text.repeat(4), 500]], undefined, 'at_once'],
  ['in one piece, sooner', [[text.repeat(4), 499]], undefined, null],
  ['too little to tell', [[text.repeat(3), 900]], undefined, null],
  [
    'the role early, and the text at once',
    [
      [head, 5],
      [text.repeat(4), 800],
      [done, 801],
    ],
    undefined,
    'at_once',
  ],
  ['faster than one a millisecond', four(600, 601, 602, 603), undefined, 'at_once'],
  ['one a millisecond', four(600, 601, 602, 604), undefined, 'as_written'],
  ['the first soon, the rest late', four(20, 900, 900, 900), undefined, null],
  ['calls', [[piece({ tool_calls: [{ index: 0 }] }).repeat(4), 700]], undefined, 'at_once'],
  [
    'thoughts come first',
    [
      [piece({ reasoning_content: 'x' }), 90],
      [text.repeat(4), 900],
    ],
    undefined,
    null,
  ],
  ['nothing but empty deltas', [[head.repeat(9), 900]], undefined, null],
  ['the recorder was busy all the time', [[text.repeat(4), 900]], 401, null],
  [
    'the recorder was busy, and the stream ends late',
    [
      [text.repeat(4), 600],
      [done, 2000],
    ],
    200,
    null,
  ],
  ['the recorder was busy for some of it', [[text.repeat(4), 900]], 400, 'at_once'],
  [
    'an event that is cut between two pieces counts with its end',
    [
      [text.repeat(4).slice(0, -5), 20],
      [text.slice(-5), 700],
    ],
    undefined,
    null,
  ],
] as const)('%s', (_, pieces, busy, arrival) => {
  expect(arrived(pieces, busy)).toBe(arrival);
});

test('of an answer whose times nobody kept, nothing is said', () => {
  expect(arrivalOfContent(anExchange({}, { body: [text.repeat(9)] }))).toBeNull();
});
