import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullRequest as request } from '../../test/support/full-request.js';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { requestReader } from './request-reader.js';

const read = await requestReader();

interface Field {
  readonly path: readonly string[];
  readonly name: string;
}

/** The fields of five letters or more, outside of the free parts. */
function* fieldsIn(value: Json, path: readonly string[] = []): Generator<Field> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* fieldsIn(item, [...path, String(index)]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (name.length >= 5) yield { path, name };
      yield* fieldsIn(member, [...path, name]);
    }
  }
}

function renamed(value: Json, [step, ...rest]: readonly string[], from: string, to: string): Json {
  const edit = (name: string, member: Json): Json => (name === step ? renamed(member, rest, from, to) : member);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item, index) => edit(String(index), item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      step === undefined ? [name === from ? to : name, member] : [name, edit(name, member)],
    ),
  );
}

const edits: readonly ((name: string, at: number) => string)[] = [
  (name, at) => name.slice(0, at) + name.slice(at + 1),
  (name, at) => name.slice(0, at) + name.slice(at, at + 1) + name.slice(at),
  (name, at) =>
    name.slice(0, at) +
    name
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    name.slice(at + 2),
];

test('the request is right', () => {
  expect(read(request)).toEqual([]);
});

test('no field of five letters or more can be misspelt by one letter in silence', () => {
  const fields = [...fieldsIn(request)];
  expect(fields.length).toBeGreaterThan(50);
  const field = fc.constantFrom(...fields);
  const edit = fc.constantFrom(...edits);
  fc.assert(
    fc.property(field, edit, fc.nat(40), ({ path, name }, change, at) => {
      const misspelt = change(name, at % name.length);
      fc.pre(misspelt !== name);
      const faults = read(renamed(request, path, name, misspelt));
      const found = faults.filter((fault) => fault.path.join('/') === [...path, misspelt].join('/'));
      expect(found.map(({ severity, hint }) => [severity, hint])).toEqual([
        ['error', expect.stringMatching(/^did you mean "/)],
      ]);
    }),
    { numRuns: 1000 },
  );
});

test.each(['use_search', 'enable_speed_search', 'max_price'])(
  "%s has a word of its own, so it may be a vendor's",
  (name) => {
    const found = read({ ...request, [name]: true }).map(({ severity, path }) => [severity, ...path]);
    expect(found).toEqual([['warning', name]]);
  },
);

test.each(['max_tokns', 'stream_optoins', 'presense_penalty', 'tol_choise', 'mx_tokens', 'frequncy_penality'])(
  '%s is misspelt word by word',
  (name) => {
    const found = read({ ...request, [name]: null }).map(({ severity, hint }) => [severity, hint]);
    expect(found).toEqual([['error', expect.stringMatching(/^did you mean "/)]]);
  },
);

test.each<readonly [JsonObject, string]>([
  [{ reasoning_effort: 'hihg' }, 'high'],
  [{ reasoning: { effort: 'meduim' } }, 'medium'],
  [{ thinking: { type: 'enable' } }, 'enabled'],
  [{ messages: [{ role: 'user', content: [{ type: 'txt', text: 'hi' }] }] }, 'text'],
])('%j is near a value in use, but may be a value of the vendor', (changes, meant) => {
  const found = read({ ...request, ...changes }).map(({ severity, hint }) => [severity, hint]);
  expect(found).toEqual([['warning', `did you mean "${meant}"?`]]);
});

test.each([{ reasoning_effort: 'xhigh' }, { reasoning_effort: 'ultra-deep' }, { thinking: { type: 'adaptive' } }])(
  '%j is free',
  (changes) => {
    expect(read({ ...request, ...changes })).toEqual([]);
  },
);
