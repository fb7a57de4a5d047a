import { expect, test } from 'vitest';
import { outputFault, stableLines } from './compare-output.js';

const lamp = { item: 'lamp', total: 12 };
const desk = { item: 'desk', total: 90 };
const one = { held: [lamp], right: [lamp] };
const two = { held: [lamp, lamp], right: [lamp] };
const line = 'create_order {"item":"lamp","total":12}';
const list = '[{"name":"create_order","item":"lamp"}]';
const twice = '[{"name":"create_order","item":"lamp"},{"name":"create_order","item":"lamp"}]';

test.each([
  ['the same', line, [line], one, null],
  ['another line', 'create_order {}', [line], one, 'create_order {}'],
  ['a line less', 'a', ['a', 'b'], one, 'prints 1 of 2 lines'],
  ['a line more of one call', `${line}\n${line}`, [line], one, line],
  ['a line that changes', `${line}\n12:01`, [line, null], one, null],
  ['both of two calls', `${line}\n${line}`, [line], two, null],
  ['three lines for two calls', `${line}\n${line}\nend`, [line, 'end'], two, null],
  ['one of two calls', line, [line], two, 'prints fewer than 2 calls'],
  ['two calls in a list', twice, [list], two, null],
  ['one of two calls in a list', list, [list], two, 'prints fewer than 2 calls'],
  ['the number of calls', `2 calls\n${line}\n${line}`, ['1 calls', line], two, null],
  ['a joined name', 'create_ordercreate_order', ['create_order'], two, 'create_ordercreate_order'],
  ['joined arguments', '{"item":"lamp"}{"item":"lamp"}', ['{"item":"lamp"}'], two, '{"item":"lamp"}{"item":"lamp"}'],
  ['another call', `${line}\ncreate_order desk`, [line], two, 'create_order desk'],
  ['only that it is done', 'done', ['done'], two, null],
  ['nothing of two calls', '', [line], two, 'prints fewer than 2 calls'],
  [
    'four of two calls',
    'lamp\ndesk\nlamp\ndesk',
    ['lamp', 'desk'],
    { held: [lamp, desk, lamp, desk], right: [lamp, desk] },
    null,
  ],
  ['changing lines with both', 'lamp\nat 1\nlamp\nat 2', ['lamp', null], two, null],
])('%s', (_name, text, stable, calls, fault) => {
  expect(outputFault(text, stable, calls)).toBe(fault);
});

test.each([
  ['a\nb', 'a\nb', ['a', 'b']],
  ['a\n1', 'a\n2', ['a', null]],
  ['a', 'b', null],
  ['a', 'a\nb', null],
  ['', '', null],
])('%j and %j have in common', (before, after, stable) => {
  expect(stableLines(before, after)).toEqual(stable);
});
