import { describe, expect, test } from 'vitest';
import type { AcceptedWire } from '../../baseline/entries.js';
import { callMessage } from '../../../test/support/build.js';
import { judged, type Judged } from '../../../test/support/judged.js';
import { asJson, good, optional, tools } from '../../../test/support/orders.js';
import { quirkStandings, openWireTally } from './wire-standing.js';

const nothingAccepted: AcceptedWire = { quirks: [], only: {}, sometimes: [] };

/** What these answers together say of a quirk that nobody accepted. */
function standingOf(quirk: string, answers: readonly (readonly [count: number, answer: Judged])[]) {
  const tally = openWireTally();
  for (const [count, answer] of answers) {
    for (const sighting of judged(answer).wire) {
      for (let times = 0; times < count; times += 1) tally.add('shop/order@demo/m', 'e000001', sighting);
    }
  }
  const found = quirkStandings(tally, nothingAccepted).find((one) => one.quirk === quirk);
  return found === undefined ? null : { standing: found.standing, seen: found.seen, of: found.of };
}

const twice = '{"buyer":null,"buyer":"Li Lei","total":897}';
const structured = (content: string): Judged => ({
  ...{ message: { content }, expect: asJson },
  request: { response_format: { type: 'json_schema', json_schema: { name: 'order', schema: {} } } },
});
const unasked = (content: string): Judged => ({ message: { content }, expect: asJson });
const noCall = (content: string, finish = 'stop'): Judged => ({
  ...{ message: { content }, finish, expect: optional, request: { tools } },
});
const plain = (content: string, finish = 'stop'): Judged => ({ message: { content }, finish });
const order = { name: 'create_order', arguments: good };
const called = (more = {}): Judged => ({
  ...{ message: { ...callMessage(['create_order', good]), ...more }, finish: 'tool_calls' },
  ...{ expect: optional, request: { tools } },
});

describe('a quirk has become the rule although an answer in which nothing leads to it lacks it', () => {
  test.each<readonly [quirk: string, shows: Judged, lacks: Judged]>([
    ['duplicate_keys', structured(twice), unasked(good)],
    ['integer_beyond_2_53', structured('{"total":9007199254740993}'), unasked(good)],
    ['unknown_finish_reason', plain('Hello.', 'eos'), plain('Here is the', 'length')],
    ['legacy_function_call', { ...noCall(''), message: { content: null, function_call: order } }, noCall('Hello.')],
    ['finish_reason_tool_calls_without_call', noCall('Hello.', 'tool_calls'), plain('Hello.')],
    ['tool_call_markup_in_content', noCall('<tool_call>{}</tool_call>'), plain('Hello.')],
    [
      'think_tags_in_content',
      plain('<think>Say hello.</think>Hello.'),
      { ...plain('Hello.'), expect: { reasoning: 'absent' } },
    ],
    ['content_blocks', { message: { content: [{ type: 'text', text: 'Hello.' }] } }, plain('', 'length')],
    ['tool_calls_empty_list', { message: { content: 'Hello.', tool_calls: [] } }, called({ content: 'One moment.' })],
    [
      'usage_without_completion',
      { ...plain('Hello.'), usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 } },
      { ...plain('', 'length'), usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 } },
    ],
  ])('%s', (quirk, shows, lacks) => {
    expect(standingOf(quirk, [[3, shows]])).toMatchObject({ standing: 'new', seen: 3 });
    expect(standingOf(quirk, [[3, shows], [2, lacks]])).toMatchObject({ standing: 'new', seen: 3, of: 3 }); // prettier-ignore
  });
});

test('an answer in which nothing leads to a quirk counts where it shows it', () => {
  const answers = [[9, structured(twice)], [1, unasked(twice)]] as const; // prettier-ignore
  expect(standingOf('duplicate_keys', answers)).toEqual({ standing: 'new', seen: 10, of: 10 });
});

test('where no answer was asked for a form, all that could show the quirk count: 3 of 10 are no rule', () => {
  const answers = [[3, unasked(twice)], [7, unasked(good)]] as const; // prettier-ignore
  expect(standingOf('duplicate_keys', answers)).toEqual({ standing: 'as_expected', seen: 3, of: 10 });
  expect(standingOf('duplicate_keys', [[3, unasked(twice)]])).toMatchObject({ standing: 'new' });
});

test('a quirk that comes and goes where it can show is no rule', () => {
  const answers = [[9, structured(twice)], [1, structured(good)], [3, unasked(twice)]] as const; // prettier-ignore
  expect(standingOf('duplicate_keys', answers)).toEqual({ standing: 'as_expected', seen: 12, of: 13 });
});
