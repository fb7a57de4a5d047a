import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPlannedCell } from '../../../test/support/build.js';
import type { Answer, Exchange } from '../../chat/exchange.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Ask, Send, PlannedCell } from '../../plan/plan.js';
import type { Probe } from '../../suite/probe.js';
import { NotSent } from './trial.js';
import { makeTrial } from './trial.js';

const ask: Ask = { kind: 'trial', patch: {}, sample: 0 };

function answered(status: number | null, body: Json | string, failure: Answer['failure'] = null): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: [text], failure };
}
const completion = (message: JsonObject, finish = 'stop') =>
  answered(200, {
    id: 'c-1',
    object: 'chat.completion',
    model: 'model',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const said = (content: string) => completion({ content });
const called = (args: Json) =>
  completion(
    {
      content: null,
      tool_calls: [{ id: 't', type: 'function', function: { name: 'order', arguments: JSON.stringify(args) } }],
    },
    'tool_calls',
  );
const hello = said('Hello there.');
const broken = answered(500, { error: { message: 'internal error' } });
const reset = answered(null, '', { kind: 'connection_reset', message: 'the connection was reset' });
const limited = answered(429, { error: { message: 'Rate limit reached, too many requests' } });
const unauthorised = answered(401, { error: { message: 'invalid api key' } });

const exchangeOf = (body: Json, answer: Answer): Exchange => ({
  request: { url: 'http://127.0.0.1/v1/chat/completions', headers: {}, body },
  answer,
  timing: { started_at: '2026-01-01T00:00:00.000Z', headers_ms: 1, total_ms: 1 },
});

function run(
  probe: Partial<Probe>,
  answers: readonly Answer[] | ((send: Send) => Answer),
  retries = 3,
  over: Partial<PlannedCell> = {},
): { outcome: Outcome; sends: Send[]; purposes: string } {
  const sends: Send[] = [];
  const trial = makeTrial({ retries: () => retries })(aPlannedCell({ ...over, probe }))(ask);
  let step = trial.next();
  while (step.done !== true) {
    const send = step.value;
    const answer = typeof answers === 'function' ? answers(send) : (answers[sends.length] ?? answers.at(-1));
    sends.push(send);
    step = trial.next(exchangeOf(send.body, answer ?? hello));
  }
  return {
    outcome: step.value,
    sends,
    purposes: sends.map(({ purpose, attempt }) => `${purpose} ${attempt}`).join(', '),
  };
}

const messages = [{ role: 'user', content: 'Say hello.' }];
const plain: Partial<Probe> = { steps: [{ kind: 'ask', id: 'request', request: { messages }, expect: {} }] };
const json: Partial<Probe> = {
  steps: [{ kind: 'ask', id: 'request', request: { messages, response_format: { type: 'json_object' } }, expect: {} }],
};

describe('a single request', () => {
  test('with a good answer is sent once', () => {
    const { outcome, sends } = run(plain, [hello]);
    const body = { model: 'one', messages };
    expect(sends).toEqual([{ purpose: 'probe', step: 'request', attempt: 0, body }]);
    expect(outcome).toMatchObject({ passed: true, fault: false, step: null });
  });

  test('a wrong answer is never sent again', () => {
    const { outcome, sends } = run(json, [said('Sure, here you are')]);
    expect(sends).toHaveLength(1);
    expect(outcome).toMatchObject({ passed: false, fault: false, class: 'not_json' });
  });

  test.each([
    ['a cut connection', reset],
    ['a rate limit', limited],
  ])('%s is retried, and the answer after it counts', (_, fault) => {
    const { outcome, purposes } = run(plain, [fault, fault, hello]);
    expect(purposes).toBe('probe 0, probe 1, probe 2');
    expect(outcome.passed).toBe(true);
  });

  test('no more often than the limits allow', () => {
    const { outcome, purposes } = run(plain, [reset], 2);
    expect(purposes).toBe('probe 0, probe 1, probe 2');
    expect(outcome).toMatchObject({ passed: false, fault: true, class: 'transport' });
    expect(run(plain, [reset], 0).sends).toHaveLength(1);
  });

  test('a request with a rejected key is not sent again', () => {
    const { outcome, sends } = run(plain, [unauthorised]);
    expect(sends).toHaveLength(1);
    expect(outcome).toMatchObject({ fault: true, reason: 'auth' });
  });

  test('an answer that chatspec cannot judge is not asked for again', () => {
    const unusable = { content: 'json', schema: { type: 'wat' } } as const;
    const steps: Probe['steps'] = [{ kind: 'ask', id: 'request', request: { messages }, expect: unusable }];
    const { outcome, sends } = run({ steps }, [said('{}')]);
    expect(sends).toHaveLength(1);
    expect(outcome).toMatchObject({ passed: false, fault: true, class: null });
  });

  test('an interrupted request is not sent again', () => {
    const cut = answered(null, '', { kind: 'interrupted', message: 'the run was interrupted' });
    expect(run(plain, [cut]).sends).toHaveLength(1);
  });
});

describe('a 5xx', () => {
  const unlessControl = (control: Answer) => (send: Send) => (send.purpose === 'control' ? control : broken);

  test('that does not repeat is a fault', () => {
    const { outcome, purposes } = run(plain, [broken, hello]);
    expect(purposes).toBe('probe 0, probe 1');
    expect(outcome.passed).toBe(true);
  });

  test('that repeats while a control succeeds is caused by the request', () => {
    const { outcome, purposes, sends } = run(plain, unlessControl(hello));
    expect(purposes).toBe('probe 0, probe 1, control 0, probe 2, probe 3');
    expect(outcome).toMatchObject({ passed: false, fault: false, class: 'http_error', status: 500 });
    expect(sends[2]?.body).not.toEqual(sends[0]?.body);
  });

  test.each([
    ['with a status', answered(503, 'no')],
    ['without a choice', answered(200, { choices: [] })],
    ['in transport', reset],
  ])('that repeats while the control fails %s is a fault', (_, control) => {
    expect(run(plain, unlessControl(control)).outcome).toMatchObject({ fault: true, status: 500 });
  });

  test('a control that the token limit cut has succeeded', () => {
    const { outcome } = run(plain, unlessControl(completion({ content: '' }, 'length')));
    expect(outcome.fault).toBe(false);
  });

  test.each([502, 504, 524])('is a finding with the page of a gateway, too: %i', (status) => {
    const page = answered(status, '<html><head><title>Bad gateway</title></head><body></body></html>');
    const { outcome } = run(plain, ({ purpose }) => (purpose === 'control' ? hello : page));
    expect(outcome).toMatchObject({ passed: false, fault: false, class: 'http_error', status });
  });

  test('is repeated even without retries', () => {
    const { outcome, purposes } = run(plain, unlessControl(hello), 0);
    expect(purposes).toBe('probe 0, probe 1, control 0, probe 2, probe 3');
    expect(outcome.fault).toBe(false);
  });

  test('only counts as repeated in a row, which a judged answer ends and load does not', () => {
    const { outcome, purposes } = run(plain, [broken, limited, limited, limited]);
    expect(purposes).toBe('probe 0, probe 1, probe 2, probe 3');
    expect(outcome.fault).toBe(true);
    expect(run(plain, [broken, limited, broken, hello, limited, hello]).purposes).toBe(
      'probe 0, probe 1, probe 2, control 0, probe 3, probe 4',
    );
  });

  test('whose control meets load is asked about again, at last when the other trials are done', () => {
    const controls = (met: number) => (send: Send) =>
      send.purpose === 'control' ? (send.attempt < met ? limited : hello) : broken;
    const { outcome, purposes } = run(plain, controls(1));
    expect(purposes).toBe('probe 0, probe 1, control 0, control 1, probe 2, probe 3');
    expect(outcome).toMatchObject({ fault: false, status: 500 });
    const late = run(plain, controls(3));
    expect(late.sends.filter(({ afterOthers }) => afterOthers).map(({ attempt }) => attempt)).toEqual([3]);
    expect(late.outcome).toMatchObject({ fault: false, status: 500 });
    const never = run(plain, controls(Infinity));
    expect(never.outcome).toMatchObject({ fault: true, status: 500 });
    expect(never.sends.filter(({ purpose }) => purpose === 'control').length).toBeLessThan(24);
  });

  test('and load between its answers are one row', () => {
    const answers = [broken, limited, broken, hello, broken, limited, broken, hello, broken];
    const { outcome, purposes } = run(plain, answers);
    expect(purposes).toBe('probe 0, probe 1, probe 2, control 0, probe 3, probe 4, probe 5, control 1, probe 6');
    expect(outcome).toMatchObject({ fault: false, status: 500 });
  });
});

const inside = (error: JsonObject) => answered(200, { error });
const aborted = answered(200, 'data: {"error":{"message":"connect ECONNREFUSED 10.0.0.1:80"}}\n\ndata: [DONE]\n\n');

describe.each([
  ['an unknown 400', answered(400, { error: { message: 'DEGRADED function cannot be invoked' } })],
  ['an unknown 400 in another language', answered(400, { error: { message: '密钥已被禁用' } })],
  ['a type that says nothing', answered(400, { error: { message: 'No', type: 'invalid_request_error' } })],
  ['an unknown error in a 200', inside({ message: 'Model not supported by provider' })],
  ['a server error in a 200', inside({ code: 500, message: 'boom' })],
  ['a broken connection in a 200', inside({ message: 'Connection error.' })],
  ['a broken connection in a stream', aborted],
  ['a broken connection as a 500', answered(500, { error: { message: 'Connection error.' } })],
])('%s', (_, refusal) => {
  test('is a finding where the control succeeds', () => {
    const { outcome } = run(plain, ({ purpose }) => (purpose === 'control' ? hello : refusal));
    expect(outcome).toMatchObject({ passed: false, fault: false });
  });

  test('is a fault where the control meets it too', () => {
    expect(run(plain, [refusal]).outcome).toMatchObject({ passed: false, fault: true });
  });

  test('is none where it does not repeat', () => {
    expect(run(plain, [refusal, hello]).outcome.passed).toBe(true);
  });
});

test('a refusal that names its reason is a finding at once, and load never is one', () => {
  const named = answered(400, { error: { message: 'Unsupported parameter: top_k', param: 'top_k' } });
  expect(run(plain, [named])).toMatchObject({ purposes: 'probe 0', outcome: { fault: false } });
  const busy = answered(529, { error: { message: 'odd' } });
  expect(run(plain, ({ purpose }) => (purpose === 'control' ? hello : busy)).outcome.fault).toBe(true);
});

test('an expected refusal without a reason has to be shown by a control, too', () => {
  const request = { messages };
  const steps: Probe['steps'] = [
    { kind: 'ask', id: 'request', request, expect: { rejected: { status: [400], only: true } } },
  ];
  const odd = answered(400, { error: { message: 'odd' } });
  expect(run({ steps }, [odd]).outcome).toMatchObject({ passed: false, fault: true });
  expect(run({ steps }, ({ purpose }) => (purpose === 'control' ? hello : odd)).outcome.passed).toBe(true);
});

describe('a repeated 5xx whose control succeeds', () => {
  /** Answers are those to its probes, by attempt, and to its controls. */
  function look(probes: (attempt: number) => Answer, controls: (attempt: number) => Answer = () => hello, retries = 3) {
    const purposes: string[] = [];
    let now = Date.parse('2026-01-01T00:00:00Z');
    const trial = makeTrial({ retries: () => retries })(aPlannedCell({ probe: plain }))(ask);
    let step = trial.next();
    while (step.done !== true) {
      const send = step.value;
      purposes.push(`${send.purpose} ${send.attempt}`);
      const answer = send.purpose === 'control' ? controls(send.attempt) : probes(send.attempt);
      now += 1000;
      const timing = { started_at: new Date(now).toISOString(), headers_ms: 1, total_ms: 1 };
      step = trial.next({ ...exchangeOf(send.body, answer), timing });
    }
    return { outcome: step.value, purposes: purposes.join(', ') };
  }

  test('is none when it is answered then: an outage that ended before the control', () => {
    expect(look((attempt) => (attempt < 2 ? broken : hello)).outcome).toMatchObject({ passed: true });
  });

  test('begins anew when a control fails: what came before it was an outage', () => {
    const { outcome, purposes } = look(
      () => broken,
      (attempt) => (attempt === 0 ? broken : hello),
    );
    expect(purposes).toBe('probe 0, probe 1, control 0, probe 2, probe 3, control 1, probe 4, probe 5');
    expect(outcome.fault).toBe(false);
  });

  test.each([
    [0, 1],
    [1, 2],
    [3, 5],
  ])('ends as a fault when no control succeeds: with %i retries after %i controls', (retries, controls) => {
    const { outcome, purposes } = look(
      () => broken,
      () => reset,
      retries,
    );
    expect(outcome).toMatchObject({ fault: true, status: 500 });
    expect(purposes.match(/control/g)).toHaveLength(controls);
  });

  test('no outage makes a finding, whenever it begins and however long it lasts; a request that always fails is found', () => {
    const failures = fc.constantFrom(broken, reset, answered(502, '<html>'), answered(503, ''), limited);
    const outage = fc.record({
      from: fc.nat(12),
      lasts: fc.integer({ min: 1, max: 30 }),
      how: fc.array(failures, { minLength: 30 }),
    });
    fc.assert(
      fc.property(outage, fc.boolean(), ({ from, lasts, how }, isBroken) => {
        let sent = 0;
        const answer = (own: Answer) => () => {
          const at = sent++;
          return at >= from && at < from + lasts ? (how[at % how.length] ?? broken) : own;
        };
        const { outcome } = look(answer(isBroken ? broken : hello), answer(hello));
        if (!isBroken) {
          expect(outcome.passed || outcome.fault).toBe(true);
        } else if (!outcome.fault) {
          expect(outcome).toMatchObject({ passed: false, class: 'http_error' });
        }
        // Sure to be found if the outage is not there.
        if (isBroken && from > 4) expect(outcome).toMatchObject({ fault: false, status: 500 });
      }),
    );
  });
});

describe('load', () => {
  const page = '<html><head><title>Service Temporarily Unavailable</title></head><body></body></html>';

  test.each([
    [503, page],
    [503, ''],
    [529, page],
    [429, page],
    [503, { error: { message: 'response_format is not available now' } }],
  ])('a %i is never a finding, however often it repeats while controls would succeed (%j)', (status, body) => {
    const { outcome, purposes } = run(json, (send) => (send.purpose === 'control' ? hello : answered(status, body)), 2);
    expect(purposes).toBe('probe 0, probe 1, probe 2');
    expect(outcome).toMatchObject({ fault: true, class: 'http_error', status });
  });

  test('a limit on the size of requests is not asked again, and is no failure of the model', () => {
    const { outcome, purposes } = run(json, () => answered(413, '<html><title>413 Request Entity Too Large</title>'));
    expect(purposes).toBe('probe 0');
    expect(outcome).toMatchObject({ fault: true, reason: 'gateway', status: 413 });
  });
});

describe("the client's retry", () => {
  const retry = { on: ['not_json'], max: 2, temperature: 0 } as const;

  test('sends the same input at a lower temperature, and never turns a failure into a pass', () => {
    const { outcome, sends, purposes } = run({ ...json, retry }, [said('Sure!'), said('{"a":1}')]);
    expect(purposes).toBe('probe 0, retry 0');
    expect(sends[1]?.body).toEqual({ ...(sends[0]?.body as JsonObject), temperature: 0 });
    expect(outcome).toMatchObject({ passed: false, class: 'not_json', recovered: true });
  });

  test('is bounded', () => {
    const { outcome, purposes } = run({ ...json, retry }, [said('Sure!')]);
    expect(purposes).toBe('probe 0, retry 0, retry 1');
    expect(outcome.recovered).toBe(false);
  });

  test('measures nothing if it is no longer sent, and the failure stays', () => {
    const trial = makeTrial({ retries: () => 0 })(aPlannedCell({ probe: { ...json, retry } }))(ask);
    trial.next();
    const asked = trial.next(exchangeOf({}, said('Sure!')));
    expect(asked.value).toMatchObject({ purpose: 'retry' });
    const { done, value } = trial.throw(new NotSent());
    expect({ done, value }).toMatchObject({ done: true, value: { passed: false, class: 'not_json', recovered: null } });
  });

  test('measures nothing if it ends in faults', () => {
    expect(run({ ...json, retry }, [said('Sure!'), reset]).outcome.recovered).toBeNull();
  });

  test('is not due after a pass, a fault, or another failure', () => {
    expect(run({ ...json, retry }, [said('{}')]).outcome.recovered).toBeNull();
    expect(run({ ...json, retry }, [reset], 0).purposes).toBe('probe 0');
    expect(run({ ...json, retry }, [completion({ content: '{' }, 'length')]).purposes).toBe('probe 0');
  });
});

describe('a flow', () => {
  const parameters = {
    type: 'object',
    properties: { total: { type: 'number' } },
    required: ['total'],
    additionalProperties: false,
  };
  const tools = [{ type: 'function', function: { name: 'order', parameters } }];
  const flow: Partial<Probe> = {
    steps: [
      { kind: 'ask', id: 'call', request: { messages, tools, tool_choice: 'required' }, expect: {} },
      { kind: 'run', id: 'tool', result: { order_id: 'A-{{steps.call.arguments.total}}' } },
      {
        kind: 'ask',
        id: 'summary',
        request: { messages: [{ role: 'user', content: 'Result: {{json steps.tool.result}}' }] },
        expect: { rules: [{ id: 'id', assert: '$contains(value, steps.tool.result.order_id)' }] },
      },
    ],
  };

  test('hands the arguments to the tool and its result to the summary, and to the rules', () => {
    const { outcome, sends } = run(flow, [called({ total: 5 }), said('Done: A-5')]);
    expect(sends.map(({ step }) => step)).toEqual(['call', 'summary']);
    expect(sends[1]?.body).toMatchObject({ messages: [{ role: 'user', content: 'Result: {"order_id":"A-5"}' }] });
    expect(outcome).toMatchObject({ passed: true, step: 'summary' });
  });

  test('runs no tool and asks nothing more when the arguments do not conform', () => {
    const { outcome, sends } = run(flow, [called({ total: 'five' })]);
    expect(sends).toHaveLength(1);
    expect(outcome).toMatchObject({ passed: false, class: 'schema_violation', step: 'call' });
  });

  test('is judged by its last step', () => {
    const { outcome } = run(flow, [called({ total: 5 }), said('Done.')]);
    expect(outcome).toMatchObject({ passed: false, class: 'rule_violation', step: 'summary' });
  });

  test('with a template that names an unknown value is a fault of our own', () => {
    const steps = [
      { kind: 'ask', id: 'first', request: { messages }, expect: {} },
      { kind: 'run', id: 'tool', result: '{{steps.first.arguments.total}}' },
    ] as const;
    const { outcome } = run({ steps }, [hello]);
    expect(outcome).toMatchObject({ passed: false, fault: true, step: 'tool' });
    expect(outcome.detail).toContain('arguments');
  });

  test('with a repeated 5xx in its second step finds the cause there', () => {
    let first = true;
    const { outcome, purposes } = run(flow, (send) => {
      if (send.purpose === 'control') return hello;
      if (!first) return broken;
      first = false;
      return called({ total: 5 });
    });
    expect(purposes).toBe('probe 0, probe 0, probe 1, control 0, probe 2, probe 3');
    expect(outcome).toMatchObject({ fault: false, status: 500, step: 'summary' });
  });
});

test('each trial takes its own row of the samples', () => {
  const probe: Partial<Probe> = {
    steps: [{ kind: 'ask', id: 'request', request: { messages: [{ role: 'user', content: '{{text}}' }] }, expect: {} }],
    samples: [{ text: 'one' }, { text: 'two' }],
  };
  const trial = makeTrial({ retries: () => 0 })(aPlannedCell({ probe }))({ ...ask, sample: 3 });
  const sent = trial.next();
  expect(sent.value).toMatchObject({ body: { messages: [{ content: 'two' }] } });
});
