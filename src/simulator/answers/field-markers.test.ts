import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import type { ChatMessage } from '../http/request.js';
import { markedFields } from './field-markers.js';

const turn = (text: string): readonly ChatMessage[] => [{ role: 'user', text } as ChatMessage];
const asked = (fields: string): string =>
  `[[ ## question ## ]]\nWhy?\n\nRespond with the corresponding output fields, starting with the field ${fields}, and then ending with the marker for \`[[ ## completed ## ]]\`.`;
const document = (schema: JsonObject): Promise<string> =>
  Promise.resolve(JSON.stringify(Object.hasOwn(schema, 'properties') ? { a: 1 } : {}));
const field = (name: string, hint = ''): string => `\`[[ ## ${name} ## ]]\`${hint === '' ? '' : ` (must ${hint})`}`;

test.each<readonly [string, string | null]>([
  [asked(field('answer')), '[[ ## answer ## ]]\nok\n\n[[ ## completed ## ]]'],
  [
    asked(`${field('reasoning')}, then ${field('total', 'be formatted as a valid Python float')}`),
    '[[ ## reasoning ## ]]\nok\n\n[[ ## total ## ]]\n0.5\n\n[[ ## completed ## ]]',
  ],
  [asked(field('n', 'be formatted as a valid Python int')), '[[ ## n ## ]]\n3\n\n[[ ## completed ## ]]'],
  [asked(field('ok', 'be True or False')), '[[ ## ok ## ]]\nTrue\n\n[[ ## completed ## ]]'],
  [
    asked(field('mood', 'exactly match (no extra characters) one of: glad; sad')),
    '[[ ## mood ## ]]\nglad\n\n[[ ## completed ## ]]',
  ],
  [
    asked(
      field('o', 'adhere to the JSON schema: {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}'),
    ),
    '[[ ## o ## ]]\n{"a":1}\n\n[[ ## completed ## ]]',
  ],
  ['[[ ## question ## ]]\nWhy?', null],
  ['Respond with the corresponding output fields.', null],
  ['Say hello.', null],
])('%s', async (text, expected) => {
  expect(await markedFields(turn(text), 'ok', document)).toBe(expected);
});

test.each([
  ['must be a single float value', '0.5'],
  ['must be a single int value', '3'],
  ['must be True or False', 'True'],
  ['must exactly match (no extra characters) one of: glad; sad', 'glad'],
  ['must adhere to the JSON schema: {"type": "object", "properties": {"a": {"const": 1}}}', '{"a":1}'],
])('the instructions note of a field: %s', async (note, expected) => {
  const text = `[[ ## o ## ]]\n{o}        # note: the value you produce ${note}\n\n[[ ## completed ## ]]`;
  const messages = [
    { role: 'system', text } as ChatMessage,
    ...turn(asked(field('o', 'be formatted as a valid Mood'))),
  ];
  expect(await markedFields(messages, 'ok', document)).toBe(`[[ ## o ## ]]\n${expected}\n\n[[ ## completed ## ]]`);
});

test('a field whose document nobody can make says a text', async () => {
  const messages = turn(asked(field('o', 'adhere to the JSON schema: {"not": {}}')));
  expect(await markedFields(messages, 'ok', () => Promise.resolve(null))).toBe(
    '[[ ## o ## ]]\nok\n\n[[ ## completed ## ]]',
  );
});
