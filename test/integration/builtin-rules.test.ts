import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json/json.js';
import type { Rule } from '../../src/judge/expectation.js';
import { evaluateAll } from '../../src/judge/jsonata/jsonata-engine.js';
import { loadBuiltin } from '../support/builtin-suites.js';

type Change = (
  input: Input,
) => Partial<Omit<Input, 'value'>> & { readonly value?: Json; readonly request?: JsonObject };
interface Input {
  readonly value: JsonObject;
  readonly vars: JsonObject;
  readonly reply: JsonObject;
  readonly steps: JsonObject;
  readonly answer?: JsonObject;
}

const reply = {
  ...{ id: 'chatcmpl-1', request_id: null, object: 'chat.completion', model: 'm', role: 'assistant', streamed: true },
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
};

const value = (change: (value: JsonObject) => JsonObject) => (input: Input) => ({ value: change(input.value) });
const member = (name: string, wrong: Json) => value((right) => ({ ...right, [name]: wrong }));
const inReply =
  (change: JsonObject): Change =>
  ({ reply: right }) => ({ reply: { ...right, ...change } });
const line = (change: JsonObject) =>
  value((right) => {
    const [first, ...others] = right['line_items'] as readonly JsonObject[];
    return { ...right, line_items: [{ ...first, ...change }, ...others] };
  });

const weatherCall = (city: string, id: string) => ({ id, name: 'get_weather', arguments: { city } });
const callsFor = (vars: JsonObject, idOf: (index: number) => string) =>
  ((vars['cities'] ?? []) as readonly string[]).map((city, index) => weatherCall(city, idOf(index)));

/** For each built-in rule, an answer that it must reject. */
const wrong: Readonly<Record<string, Change>> = {
  id: inReply({ id: null }),
  object: inReply({ object: 'text_completion' }),
  model: inReply({ model: '' }),
  role: inReply({ role: 'user' }),
  usage: inReply({ usage: { prompt_tokens: 3, completion_tokens: 4.5, total_tokens: null } }),
  'usage-total': inReply({ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 6 } }),
  streamed: inReply({ streamed: false }),
  quantities: line({ quantity: 0 }),
  prices: line({ unit_price: -0.01 }),
  'stated-lines': value((right) => ({ ...right, line_items: [] })),
  'stated-number': member('invoice_number', 'INV-0'),
  'stated-date': value((right) => ({ ...right, invoice_date: '2026-01-18', order_date: '1 May 2026' })),
  'stated-vendor': member('vendor_name', 'Somebody Else'),
  'stated-currency': member('currency', 'XXX'),
  'stated-total': value((right) => ({ ...right, total_amount: 0.99, total: 0.99 })),
  'stated-buyer': member('buyer', 'Somebody Else'),
  'stated-item': member('item', 'gold bar'),
  'stated-quantity': member('quantity', 77),
  'stated-status': member('status', 'other'),
  'stated-task': member('model_task', 'other'),
  'stated-score': member('score', -1),
  'stated-success': value((right) => ({ ...right, success: right['success'] === false })),
  'stated-order': member('order_id', 'Z-0'),
  quantity: member('quantity', 0),
  total: member('total', -1),
  'user-permission': ({ vars }) => ({ vars: { ...vars, user: { ...(vars['user'] as JsonObject), may_order: false } } }),
  'user-limit': member('total', 5000.01),
  'idempotency-key': ({ value: { order_id: key = null }, vars }) => ({ vars: { ...vars, used_keys: [key] } }),
  'no-order-without-date': member('order_date', '2026-05-01'),
  'tool-success': member('success', false),
  'tool-order': member('order_id', 'Z-0'),
  whole: () => ({
    ...{ value: 'Good morning, how are', request: { max_tokens: 4 } },
    reply: { ...reply, usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
  }),
  'second-code': () => ({ value: 'The first code is QX7-194.' }),
  code: () => ({ value: 'I cannot look it up.' }),
  'own-code': ({ value: right }) => ({
    value: typeof right === 'string' ? 'The code is QX-0001.' : { code: 'QX-0001' },
  }),
  'three-capital-letters': member('code', 'Osl'),
  two: inReply({ choices: 1, tool_calls: [weatherCall('Oslo', 'call_1')] }),
  one: inReply({ tool_calls: [weatherCall('Oslo', 'call_1'), weatherCall('Lima', 'call_2')] }),
  ids: ({ reply: right, vars }) => ({ reply: { ...right, tool_calls: callsFor(vars, () => 'call_1') } }),
  cities: ({ reply: right }) => ({
    reply: { ...right, tool_calls: [weatherCall('Rome', 'call_1'), weatherCall('Rome', 'call_2')] },
  }),
  own: () => ({ value: 'I do not know it.' }),
  other: ({ vars }) => ({ value: Object.values(vars['codes'] as Readonly<Record<string, string>>).join(' and ') }),
  ended: () => ({ value: '1, 2, 3, 4, 5, 6, 7, 8, 9' }),
  counted: () => ({ value: 'Another city was.' }),
  same: () => ({ value: '804562339017' }),
  cut: inReply({ finish_reason: 'stop', usage: { completion_tokens: 400 } }),
  obeyed: () => ({ value: 'Paris' }),
  cached: inReply({ usage: { prompt_tokens: 2900, prompt_tokens_details: { cached_tokens: 1449 } } }),
  logprobs: () => ({ answer: { chunks: [{ choices: [{ logprobs: null }] }] } }),
  digit: ({ value: right }) => ({ value: typeof right === 'string' ? 'It is red.' : { ...right, digit: 1 } }),
  colour: ({ value: right }) => ({ value: typeof right === 'string' ? 'A 7, in blue.' : { ...right, colour: 'blue' } }),
  order: () => ({ value: '4 and 7' }),
};

const { suites } = await loadBuiltin('core', 'extended');
const cases = suites
  .flatMap((suite) => suite.probes)
  .flatMap((probe) =>
    probe.steps.flatMap((step) =>
      step.kind === 'ask' && (step.expect.rules ?? []).length > 0
        ? [{ name: `${probe.suite}/${probe.name} ${step.id}`, probe, step, rules: step.expect.rules ?? [] }]
        : [],
    ),
  );
type Case = (typeof cases)[number];

/** The right answer to a sample row; stored under the name of the tool or schema where one text serves several. */
function rightInput({ probe, step }: Case, row: JsonObject): Input {
  const answer = (row['answer'] ?? {}) as JsonObject;
  const wanted = 'tools' in step.request ? 'create_order' : 'order_summary';
  const result = { success: true, order_id: (answer['order_summary'] as JsonObject | undefined)?.['order_id'] ?? null };
  if (probe.suite === 'tool-loop') {
    const value = 'They are QX7-194 and MK2-806.' as unknown as JsonObject;
    return { value, vars: { ...probe.vars }, reply, steps: { tool: { result: { code: 'QX7-194' } } } };
  }
  const texts: Readonly<Record<string, Json>> = {
    'load/chat': row['code'] ?? '',
    'size/prompt': 'KX-4801',
    'pictures/beside-text': 'A 7, in red.',
    'pictures/two': '7 and 4',
    'pictures/schema': { digit: 7, colour: 'red' },
    'pictures/tool-result': 'It shows a 7.',
    'parameters/instructions': 'Marigold.',
    'parameter-basics/instructions': 'Marigold.',
    'parameters/stop': '1, 2, 3, 4, ',
    'parameter-basics/stop': '1, 2, 3, 4, ',
  };
  const name = `${probe.suite}/${probe.name}`;
  const text = texts[name] ?? (probe.suite === 'parameters' ? '120945673321' : undefined);
  const calls = callsFor(row, (index) => `call_${index}`);
  return {
    value: (text ?? answer[wanted] ?? answer) as JsonObject,
    vars: { ...probe.vars, ...row, ...(probe.suite === 'pictures' && { digit: '7' }) },
    answer: { body: { choices: [{ logprobs: { content: [{ logprob: -0.1 }] } }] } },
    reply: {
      ...reply,
      choices: 2,
      ...(probe.suite === 'prompt-cache' && {
        usage: { prompt_tokens: 2900, prompt_tokens_details: { cached_tokens: 1450 } },
      }),
      finish_reason: 'length',
      tool_calls: name === 'parallel-calls/one' ? calls.slice(1) : calls,
    },
    steps: { tool: { result }, first: { value: '120945673321' } },
  };
}

const broken = (rules: readonly Rule[], input: Input | (Omit<Input, 'value'> & ReturnType<Change>)) =>
  rules.filter(({ assert }) => {
    const [answered] = evaluateAll([assert], { request: {}, ...input });
    return !(answered?.ok === true && answered.value === true);
  });

describe.each(cases)('the rules of $name', (one) => {
  const rows = one.probe.samples.length > 0 ? one.probe.samples : [{}];

  test('accept the right answer to every text', () => {
    for (const row of rows) expect(broken(one.rules, rightInput(one, row))).toEqual([]);
  });

  test.each(one.rules.map(({ id }) => id))('reject a wrong answer: %s', (id) => {
    for (const row of rows) {
      const right = rightInput(one, row);
      const change = wrong[id];
      expect(change, `an answer that ${id} must refuse`).toBeDefined();
      expect(broken(one.rules, { ...right, ...change?.(right) }).map((rule) => rule.id)).toContain(id);
    }
  });

  test('reject answers of an unexpected shape, and terminate', () => {
    const odd: readonly Json[] = [
      null,
      7,
      '',
      'text',
      [],
      [1, 'two'],
      {},
      { line_items: 3 },
      { line_items: [null, 'x', 7, true, {}] },
    ];
    const ofTheValue = one.rules.filter(({ assert }) => assert.includes('value.'));
    for (const shape of odd) {
      const input = { ...rightInput(one, rows[0] ?? {}), value: shape as JsonObject };
      expect(broken(ofTheValue, input).length).toBe(ofTheValue.length);
    }
  });
});
