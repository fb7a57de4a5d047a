import { describe, expect, test } from 'vitest';
import { fullRequest } from '../../test/support/full-request.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { BodyFault } from './fault.js';
import { relationFaults } from './relations.js';
import { requestReader } from './request-reader.js';

const read = await requestReader();
const faultsOf = (body: JsonObject): readonly BodyFault[] => [...read(body), ...relationFaults(body)];

interface Edit {
  readonly name: string;
  readonly body: JsonObject;
}

/**
 * Every way to empty one place of a request: a list without items, a text without letters, a number of 0 or below, a
 * member gone.
 */
function* emptied(value: Json, name = ''): Generator<{ readonly name: string; readonly value: Json | undefined }> {
  if (typeof value === 'string') yield { name: `${name} ''`, value: '' };
  if (typeof value === 'number') yield* [0, -2].map((less) => ({ name: `${name} ${less}`, value: less }));
  if (Array.isArray(value)) {
    yield { name: `${name} []`, value: [] };
    const items = value as readonly Json[];
    for (const [index, item] of items.entries()) {
      for (const edit of emptied(item, `${name}.${index}`)) {
        yield { ...edit, value: items.map((one, at) => (at === index ? (edit.value ?? null) : one)) };
      }
    }
  } else if (isObject(value)) {
    for (const [member, inner] of Object.entries(value)) {
      const others = Object.fromEntries(Object.entries(value).filter(([one]) => one !== member));
      const path = name === '' ? member : `${name}.${member}`;
      yield { name: `${path} gone`, value: others };
      for (const edit of emptied(inner, path)) yield { ...edit, value: { ...value, [member]: edit.value ?? null } };
    }
  }
}

const edits: readonly Edit[] = [...emptied(fullRequest)].map(({ name, value }) => ({
  name,
  body: value as JsonObject,
}));

/** What a careful author may mean. */
const innocent: readonly RegExp[] = [
  // Members that nothing needs.
  /^[a-z_]+ gone$/,
  /(description|strict|detail|refusal|reasoning_content|tool_calls|tool_calls\.0\.type|messages\.0\.name|messages\.2\.content|functions\.0\.parameters) gone$/,
  /^(thinking|audio|prediction|provider|stream_options|chat_template_kwargs)\..* gone$/,
  // Texts that may be empty: what a tool gives back, what is said about something, the arguments of a call without any.
  /(messages\.3\.content|description|reasoning_content|arguments|prediction\.content) ''$/,
  // Numbers for which 0, or less, is a value like others.
  /^(temperature|top_p|top_logprobs|thinking\.budget_tokens|thinking_budget|repetition_penalty|\w+_penalty) 0$/,
  /^(\w+_penalty|thinking\.budget_tokens|thinking_budget) -2$/,
  // What this kind of service does not have: sound, and an input's detail.
  /input_audio|^audio\.|^prediction\.type|detail ''$/,
];

test('the whole request is right', () => {
  expect(faultsOf(fullRequest)).toEqual([]);
});

test('nothing that a request needs can be empty or gone in silence', () => {
  const silent = edits.filter(({ body }) => faultsOf(body).length === 0).map(({ name }) => name);
  expect(silent.filter((name) => !innocent.some((one) => one.test(name)))).toEqual([]);
});

const user = { role: 'user', content: 'hi' };
const tool = { type: 'function', function: { name: 'f', parameters: {} } };

describe('what is hollow', () => {
  test.each<readonly [JsonObject, string]>([
    [{ messages: [] }, 'messages is empty'],
    [{ messages: [{ role: 'user' }] }, 'messages.0 has no "content"'],
    [{ messages: [{ role: 'user', content: null }] }, 'messages.0 has no "content"'],
    [{ messages: [{ role: 'user', content: '' }] }, 'messages.0.content is empty'],
    [{ messages: [user, { role: 'assistant', content: '' }] }, 'messages.1.content is empty'],
    [{ messages: [user, { role: 'tool', content: '1' }] }, 'messages.1 has no "tool_call_id"'],
    [{ messages: [user], tools: [] }, 'tools is empty'],
    [{ messages: [user], stop: [] }, 'stop is empty'],
    [{ messages: [user], n: 0 }, 'n is 0, and must be 1 or more'],
    [{ messages: [user], max_tokens: 0 }, 'max_tokens is 0, and must be 1 or more'],
    [{ messages: [user], temperature: -1 }, 'temperature is -1, and must be 0 or more'],
  ])('%j is a warning', (body, message) => {
    const [first, ...others] = faultsOf(body);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ severity: 'warning', message });
    expect(first?.hint).toContain(`deliberate: [/${first?.path.join('/')}]`);
  });

  test.each<readonly [JsonObject, string]>([
    [{ messages: [{ content: 'hi' }] }, 'messages.0: "role" is missing'],
    [{ messages: [user], tools: [{ type: 'function', function: { parameters: {} } }] }, 'tools.0.function'],
    [{ messages: [user], tools: [{ type: 'function', function: { name: '' } }] }, 'tools.0.function.name'],
    [{ messages: [user], tools: [], tool_choice: 'required' }, 'tool_choice stands without tools'],
    [
      { messages: [user], response_format: { type: 'json_schema', json_schema: { name: '', schema: {} } } },
      'response_format.json_schema.name',
    ],
  ])('%j can never make sense: an error, told once', (body, message) => {
    expect(faultsOf(body).map(({ severity }) => severity)).toEqual(['error']);
    expect(faultsOf(body)[0]?.message).toContain(message);
  });

  test.each<JsonObject>([
    { messages: [user], max_tokens: -1 },
    { messages: [{ role: 'user', content: '{{text}}' }], stop: '\n' },
    {
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '' } }] },
      ],
    },
    { messages: [user], tools: [tool], tool_choice: 'auto', n: null, stop: null },
  ])('%j is innocent', (body) => {
    expect(faultsOf(body)).toEqual([]);
  });

  test('two tools of one name are told', () => {
    expect(faultsOf({ messages: [user], tools: [tool, tool] })).toMatchObject([
      { severity: 'warning', path: ['tools', 1, 'function', 'name'], message: 'tools.1 has the name of tools.0: "f"' },
    ]);
  });

  test.each([
    ['f'.repeat(64), []],
    ['f'.repeat(65), ['tools.0.function.name']],
    ['orders_2-create', []],
    ['orders.create', ['tools.0.function.name']],
    ['orders/create', ['tools.0.function.name']],
    ['bestellung_größe', ['tools.0.function.name']],
    ['{{name}}', []],
  ])('many services refuse the name of a tool: %s', (name, expected) => {
    const named = { type: 'function', function: { name, parameters: { type: 'object' } } };
    const found = faultsOf({ messages: [user], tools: [named] });
    expect(found.map(({ severity, path }) => [severity, path.join('.')])).toEqual(
      expected.map((path) => ['warning', path]),
    );
  });

  test.each([
    [{ content: null }, []],
    [{ content: '' }, []],
    [{}, ['messages.1']],
  ])('some services refuse calls without content: %j', (more, expected) => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const found = faultsOf({ messages: [user, { role: 'assistant', tool_calls: [call], ...more }] });
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(found.filter(({ lacks }) => lacks?.at(-1) === 'content').map(({ path }) => path.join('.'))).toEqual(
      expected,
    );
  });
});
