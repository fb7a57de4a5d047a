import { describe, expect, test } from 'vitest';
import {
  anEntry,
  aPlannedCell,
  countedTrials,
  failing,
  faulty,
  passing,
  sequentialTrials,
} from '../../../../test/support/build.js';
import { conclude } from '../../../../test/support/run-course.js';
import type { Json } from '../../../json/json.js';
import type { Reply } from '../../../chat/reply.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { Ask, PlannedCell } from '../../../plan/plan.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { coursesFor } from '../courses.js';

const { enforce } = coursesFor({ plannedCells: 720 });
const spec: EnforceSpec = {
  keyword: 'enum',
  schema: { type: 'object', properties: { colour: { enum: ['red'] } } },
  valid: { colour: 'red' },
  invalid: { colour: 'blue' },
};
const asked = (over: Partial<PlannedCell> = {}, of: EnforceSpec = spec) =>
  aPlannedCell({ course: 'enforce', expected: { kind: 'new' }, confirm: false, ...over, probe: { enforce: of } });

const gave = (value: Json): Outcome => ({ ...passing, value });
const broke = (value: Json): Outcome => ({
  ...failing,
  class: 'schema_violation',
  rung: 'parses',
  value,
  violations: [{ at: '/colour', message: 'must be equal to one of the allowed values' }],
});
const prose: Outcome = { ...failing, class: 'not_json', value: 'Sure!' };
const emptyReply: Reply = {
  ...{ id: null, request_id: null, object: null, model: null, system_fingerprint: null, role: null, content: null },
  ...{ reasoning: null, refusal: null, tool_calls: [], finish_reason: null, usage: null, choices: 1, streamed: false },
  ...{ ending: 'plain', empty_chunks: 0, quirks: [] },
};
const cut: Outcome = { ...failing, class: 'truncated', rung: 'accepted' };
const refused: Outcome = { ...failing, class: 'http_error', reason: 'schema_rejected', status: 400, rung: null };
const crashed: Outcome = { ...refused, reason: 'server_error', status: 500 };

type Answers = Partial<Record<Ask['kind'], Outcome>>;
const each = (answers: Answers) => (ask: Ask) => answers[ask.kind] ?? passing;
/** A model that repeats what it is given, on a service that enforces the keyword. */
const ideal: Answers = {
  valid: gave({ colour: 'red' }),
  invalid: gave({ colour: 'red' }),
  free: broke({ colour: 'blue' }),
};

const about = (answers: Answers, over: Partial<PlannedCell> = {}) =>
  conclude(enforce, asked(over), each(answers)).finding;

test('the invalid document does not get through, and would have without the schema: enforced', () => {
  expect(about(ideal)).toMatchObject({ enforcement: 'enforced', verdict: 'pass', class: null });
});

describe('a reply that breaks the schema proves that the schema is ignored', () => {
  test.each([
    ['the invalid document comes back', { invalid: broke({ colour: 'blue' }) }],
    ['a document with further faults comes back', { invalid: broke({ colour: 'blue', size: 3 }) }],
    ['even the valid document comes back broken', { valid: broke({ colour: 'green' }) }],
    [
      'the invalid document comes back in a trial that was judged without the schema',
      { invalid: gave({ colour: 'blue' }) },
    ],
    ['whatever the other replies show', { valid: refused, invalid: broke({ colour: 'blue' }), free: faulty }],
  ] as const)('%s', (_, answers) => {
    const finding = about({ ...ideal, ...answers });
    expect(finding).toMatchObject({ enforcement: 'ignored', verdict: 'fail', class: 'not_enforced', status: 200 });
  });

  test('one in three is enough', () => {
    let invalid = 0;
    const answer = (ask: Ask) =>
      ask.kind === 'invalid' && ++invalid === 3 ? broke({ colour: 'blue' }) : each(ideal)(ask);
    const { finding } = conclude(enforce, asked({ trials: countedTrials(3) }), answer);
    expect(finding).toMatchObject({ enforcement: 'ignored', verdict: 'fail', trials: { passed: 2, total: 3 } });
  });

  test('but not one with a status other than 2xx', () => {
    expect(
      about({ ...ideal, invalid: { ...broke({ colour: 'blue' }), status: 500, class: 'http_error' } }).enforcement,
    ).not.toBe('ignored');
  });
});

test('a schema that is refused', () => {
  expect(about({ ...ideal, valid: refused, invalid: refused })).toMatchObject({
    enforcement: 'refused',
    verdict: 'fail',
    class: 'http_error',
    reason: 'schema_rejected',
    status: 400,
  });
});

test('a 4xx now and then is no refusal of the schema', () => {
  expect(about({ ...ideal, invalid: refused }).enforcement).toBe('unclear');
  const kinds = { confirm: true, trials: countedTrials(1) };
  const sporadic = (ask: Ask, index: number) => (index % 4 === 2 ? refused : each(ideal)(ask));
  expect(conclude(enforce, asked(kinds), sporadic).finding.enforcement).toBe('enforced');
});

describe('a reply that is not the bare document says nothing of the keyword', () => {
  const text = (content: string): Outcome => ({ ...prose, value: content, reply: { ...emptyReply, content } });
  const invalid = JSON.stringify(spec.invalid);
  const valid = JSON.stringify(spec.valid);
  const encodedTwice: Outcome = { ...broke(invalid), violations: [{ at: '', message: 'must be object' }] };
  const others: readonly (readonly [string, Outcome])[] = [
    ['a fence', text(`\`\`\`json\n${invalid}\n\`\`\``)],
    ['prose', text(`Here it is: ${invalid}`)],
    ['no document', text('Sure!')],
    ['a document encoded twice', encodedTwice],
    ['a document that breaks only another part', { ...broke({}), violations: [] }],
    ['a list', broke([{ colour: 'blue' }])],
  ];
  const strict: EnforceSpec = { ...spec, schema: { ...(spec.schema as object), required: ['colour'] } };
  const found = (answers: Answers) =>
    conclude(enforce, asked({ confirm: true }, strict), each({ ...ideal, ...answers })).finding;

  test.each(others)('neither ignored nor enforced: %s', (_, invalid) =>
    expect(found({ invalid })).toMatchObject({ enforcement: 'unclear', verdict: 'inconclusive' }),
  );
  test.each(others)('nor that the valid document came back: %s', (_, other) =>
    expect(found({ valid: other }).enforcement).toMatch(/unclear|broken/),
  );
  test('a valid document in a fence did not come back, nor was it lost', () =>
    expect(found({ valid: text(`\`\`\`json\n${valid}\n\`\`\``) }).enforcement).toBe('unclear'));
  test('one that broke the keyword in a text keeps others from counting as enforced', () => {
    let nth = 0;
    const answer = (ask: Ask) =>
      ask.kind === 'invalid' && ++nth === 2 ? text(`\`\`\`\n${invalid}\n\`\`\``) : each(ideal)(ask);
    const { finding } = conclude(enforce, asked({ confirm: true }, strict), answer);
    expect(finding).toMatchObject({
      enforcement: 'unclear',
      detail: expect.stringContaining('in a text') as string,
    });
  });
  test('further replies make up for those that were no document', () => {
    let nth = 0;
    const answer = (ask: Ask) => (ask.kind === 'invalid' && ++nth % 3 === 0 ? text('Sure!') : each(ideal)(ask));
    expect(conclude(enforce, asked({ confirm: true }, strict), answer).finding).toMatchObject({
      enforcement: 'enforced',
      trials: { passed: 7, total: 7 },
    });
  });
});

describe('the valid document comes back', () => {
  const numbers: EnforceSpec = {
    keyword: 'maximum',
    schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number', maximum: 5 } } },
    valid: { a: 1, b: 2 },
    invalid: { a: 1, b: 20 },
  };
  test('whatever its order and the way its numbers are written', () => {
    const read = JSON.parse('{"b": 2.0, "a": 1e0}\n') as Json;
    const answers = {
      valid: gave(read),
      invalid: gave({ a: 1, b: 5 }),
      free: { ...broke({ b: 20, a: 1 }), violations: [] },
    };
    expect(conclude(enforce, asked({}, numbers), each(answers)).finding.enforcement).toBe('enforced');
  });
});

describe('broken', () => {
  test('a model that repeats documents cannot return the valid one', () => {
    const repeats = { ...ideal, valid: gave({}) };
    expect(about(repeats)).toMatchObject({ enforcement: 'broken', verdict: 'fail' });
    expect(about(repeats, { confirm: true })).toMatchObject({ enforcement: 'broken', verdict: 'fail' });
  });
  test.each<readonly [string, Answers]>([
    ['in a fence when it is free', { free: { ...prose, value: '```\n{"colour":"blue"}\n```' } }],
    ['with another document under the schema', { invalid: gave({}) }],
  ])('also one that repeats them %s', (_, answers) =>
    expect(about({ ...ideal, valid: gave({}), ...answers }, { confirm: true }).enforcement).toBe('broken'),
  );
  test('not after a single loss by chance', () => {
    let nth = 0;
    const answer = (ask: Ask) => (ask.kind === 'valid' && ++nth < 3 ? gave({}) : each(ideal)(ask));
    expect(conclude(enforce, asked({ confirm: true }), answer).finding.enforcement).toBe('enforced');
  });
  test('a model that repeats what it is given, but never the valid document, is never enforced', () => {
    for (const reply of [gave({ colour: 'red' }), prose, broke({ colour: 'blue' }), cut, crashed]) {
      const found = about({ ...ideal, valid: gave({ colour: 'red', x: 1 }), loose: reply }, { confirm: true });
      expect(['broken', 'unclear']).toContain(found.enforcement);
    }
  });
  test('a schema that makes the service fail', () => {
    expect(about({ ...ideal, valid: crashed, invalid: crashed })).toMatchObject({
      enforcement: 'broken',
      verdict: 'fail',
      class: 'http_error',
      status: 500,
    });
  });
  test('not a form that gives no document now and then', () => {
    const empty: Outcome = { ...failing, class: 'empty_content', value: '' };
    let nth = 0;
    const answer = (ask: Ask) =>
      ask.kind === 'valid' || (ask.kind === 'invalid' && ++nth % 2 === 0) ? empty : each(ideal)(ask);
    expect(conclude(enforce, asked({ confirm: true }), answer).finding.enforcement).toBe('unclear');
    const always = { ...ideal, valid: empty };
    expect(about(always, { confirm: true }).enforcement).toBe('broken');
  });
  test('is not the verdict for a model that never repeats anything', () => {
    const noise = { valid: gave({ colour: 'red', x: 1 }), invalid: gave({ colour: 'red', x: 2 }), free: prose };
    expect(about(noise, { confirm: true })).toMatchObject({
      enforcement: 'unclear',
      verdict: 'inconclusive',
    });
  });
});

test('ten replies that keep to a keyword are enforced for a model that breaks it without the schema and repeats nothing', () => {
  const keeping = { valid: gave({ colour: 'red', x: 1 }), invalid: gave({ colour: 'red', x: 2 }), free: prose };
  const found = (loose: Outcome) => about({ ...keeping, loose }, { confirm: true });
  expect(found(broke({ colour: 'mud' }))).toMatchObject({ enforcement: 'enforced', trials: { passed: 10, total: 10 } });
  // By itself, it keeps to the keyword, too.
  expect(found(gave({ colour: 'red' })).enforcement).toBe('unclear');
});

describe('unclear, which is no verdict', () => {
  test.each([
    ['the model corrects the document on its own', { free: gave({ colour: 'red' }) }],
    ['every reply was cut', { invalid: cut }],
    ['no answer without the schema', { free: faulty }],
    ['the replies neither conform nor break it', { invalid: { ...failing, class: 'empty_content', value: '' } }],
  ] as const)('%s', (_, answers) => {
    const finding = about({ ...ideal, ...answers });
    expect(finding).toMatchObject({ enforcement: 'unclear', verdict: 'inconclusive' });
    expect(finding.detail).not.toBeNull();
  });
});

test('an unclear keyword comes with what was counted', () => {
  const { detail } = about({ ...ideal, free: gave({ colour: 'red' }) }, { trials: countedTrials(2) });
  expect(detail).toMatch(/2 of 2 replies keep to it.* 0 of 2 break it/);
});

describe('a model that writes something else without the schema', () => {
  const bounded: EnforceSpec = {
    keyword: 'minimum',
    schema: { type: 'object', properties: { price: { type: 'number', minimum: 10 } }, required: ['price'] },
    valid: { price: 12 },
    invalid: { price: 3 },
  };
  const saying = (content: string, over: Outcome = prose): Outcome => ({
    ...over,
    reply: { ...emptyReply, content },
  });
  const under = { valid: gave({ price: 12 }), invalid: gave({ price: 5036 }) };
  const enforcement = (free: Outcome) =>
    conclude(enforce, asked({}, bounded), each({ ...under, free })).finding.enforcement;

  test.each([
    ['prose', saying('all warm plain')],
    ['an object that breaks something else', { ...broke({ size: 4 }), violations: [] }],
    ['a text that was cut', saying('warm', cut)],
    ['the document in a fence', saying('```json\n{ "price": 3 }\n```')],
  ])('may meet a bound by chance: %s proves nothing', (_, free) => expect(enforcement(free)).toBe('unclear'));

  test.each([
    ['the document', broke({ price: 3 })],
    ['another that breaks the bound', broke({ price: 4 })],
  ])('unless it gives %s', (_, free) => expect(enforcement(free)).toBe('enforced'));

  test('{}, which lacks the member of the keyword and another, proves nothing about a condition', () => {
    const conditional: EnforceSpec = {
      keyword: 'if',
      schema: {
        type: 'object',
        properties: { country: { enum: ['USA', 'other'] }, zip: { type: 'string' } },
        required: ['country'],
        if: { properties: { country: { const: 'USA' } } },
        then: { required: ['zip'] },
      },
      valid: { country: 'USA', zip: '60611' },
      invalid: { country: 'USA' },
    };
    const other = { valid: gave({ country: 'other' }), invalid: gave({ country: 'other' }), free: broke({}) };
    expect(conclude(enforce, asked({}, conditional), each(other)).finding.enforcement).toBe('unclear');
  });

  test('an object of its own with too many members proves nothing about their number', () => {
    const few: EnforceSpec = {
      keyword: 'maxProperties',
      schema: { type: 'object', maxProperties: 1 },
      valid: { a: 1 },
      invalid: { a: 1, b: 2 },
    };
    const own = (free: Json) => ({ valid: gave({ a: 1 }), invalid: gave({}), free: broke(free) });
    const about = (free: Json) => conclude(enforce, asked({}, few), each(own(free))).finding.enforcement;
    expect(about({ warm: 1, plain: true })).toBe('unclear');
    expect(about({ b: 3, a: 1 })).not.toBe('unclear');
  });

  describe('is asked under a schema without the keyword', () => {
    const free = saying('all warm plain');
    const decided = { confirm: true, trials: sequentialTrials };
    const about = (loose: (nth: number) => Outcome, of = bounded, also: Answers = under) => {
      let nth = 0;
      const answer = (ask: Ask) => (ask.kind === 'loose' ? loose(nth++) : each({ ...also, free })(ask));
      return conclude(enforce, asked(decided, of), answer);
    };
    const low = broke({ price: 3 });
    const high = gave({ price: 5036 });

    test('a keyword that it breaks there, and never under the whole schema, is enforced', () =>
      expect(about(() => low).finding).toMatchObject({ enforcement: 'enforced', verdict: 'pass' }));
    test('a keyword that it does not break there either is unclear, however often it conforms', () => {
      const { finding } = about(() => high);
      expect(finding).toMatchObject({ enforcement: 'unclear', verdict: 'inconclusive' });
    });
    test.each([
      [1, 'unclear'],
      [6, 'enforced'],
      [9, 'enforced'],
    ])('%i of nine that break it: %s', (breaking, enforcement) =>
      expect(about((nth) => (nth < breaking ? low : high)).finding.enforcement).toBe(enforcement),
    );
    test('a further call that breaks it counts as well', () => {
      const calls = [5036, 3].map((price) => ({ id: null, name: 'repeat', arguments: JSON.stringify({ price }) }));
      const twice = { ...high, reply: { ...emptyReply, tool_calls: calls } };
      expect(about(() => twice).finding.enforcement).toBe('enforced');
    });
    test('a type that the model uses by habit is not enforced either', () => {
      const typed: EnforceSpec = { ...bounded, keyword: 'type' };
      expect(about(() => high, typed).finding.enforcement).toBe('unclear');
    });
    test('replies that are not documents do not count', () =>
      expect(about(() => prose).finding.enforcement).toBe('unclear'));
    test('a valid document that came back does not count', () => {
      const returning = { ...under, valid: gave({ price: 12 }), invalid: cut };
      expect(about(() => low, bounded, returning).finding.enforcement).toBe('unclear');
    });
    test('in a composite document every keyword must be broken', () => {
      const two: EnforceSpec = {
        keyword: 'composite',
        schema: { type: 'object', properties: { low: { minimum: 5 }, high: { type: 'array', items: { maximum: 5 } } } },
        valid: { low: 6, high: [4] },
        invalid: { low: 4, high: [1, 6] },
      };
      const both = { valid: gave({ low: 6, high: [4] }), invalid: gave({ low: 8, high: [1] }) };
      expect(about(() => broke({ low: 1, high: [] }), two, both).finding.enforcement).toBe('unclear');
      expect(about(() => broke({ low: 1, high: [9] }), two, both).finding.enforcement).toBe('enforced');
    });
  });
});

test('a reply that the service withheld proves nothing', () => {
  const withheld: Outcome = { ...crashed, reason: 'model_output_rejected' };
  expect(about({ ...ideal, valid: withheld })).toMatchObject({ enforcement: 'unclear', verdict: 'inconclusive' });
  let valid = 0;
  const once = (ask: Ask) => (ask.kind === 'valid' && ++valid === 1 ? withheld : each(ideal)(ask));
  expect(conclude(enforce, asked({ confirm: true }), once).finding.enforcement).toBe('enforced');
  expect(about({ ...ideal, valid: withheld, invalid: withheld })).toMatchObject({ enforcement: 'unclear' });
  expect(about({ ...ideal, invalid: { ...withheld, status: 400 } })).toMatchObject({ enforcement: 'unclear' });
});

test('a reply in which bytes were replaced proves nothing against the schema, but other replies do', () => {
  const garbled = broke({ colour: 're\uFFFD\uFFFD' });
  let invalid = 0;
  const answer = (ask: Ask) => (ask.kind === 'invalid' && ++invalid === 2 ? garbled : each(ideal)(ask));
  expect(conclude(enforce, asked({ trials: countedTrials(3) }), answer).finding.enforcement).toBe('enforced');
  expect(about({ ...ideal, invalid: garbled }).enforcement).toBe('unclear');
  expect(about({ ...ideal, valid: garbled, invalid: broke({ colour: 'blue' }) }).enforcement).toBe('ignored');
});

describe('description can only be accepted', () => {
  const of = { ...spec, keyword: 'description' };
  test('accepted', () => {
    const { finding, asks } = conclude(enforce, asked({}, of), each(ideal));
    expect(asks.map(({ kind }) => kind)).toEqual(['valid']);
    expect(finding).toMatchObject({ enforcement: 'unclear', verdict: 'pass' });
  });
  test('refused', () => {
    const { finding } = conclude(enforce, asked({}, of), each({ valid: refused }));
    expect(finding).toMatchObject({ enforcement: 'refused', verdict: 'fail', reason: 'schema_rejected' });
  });
});

describe('how much is asked', () => {
  const kinds = (over: Partial<PlannedCell>, answers: Answers) =>
    conclude(enforce, asked({ expected: { kind: 'pass', threshold: null }, ...over }), each(answers))
      .asks.map(({ kind }) => kind)
      .join(' ');

  test('each kind as often as requested', () => {
    expect(kinds({ trials: countedTrials(2) }, ideal)).toBe('valid valid free free invalid invalid');
  });
  test('the invalid document three times in a standard run', () => {
    expect(kinds({ confirm: true }, ideal)).toBe('valid free invalid invalid invalid');
  });
  test('until decided, ten times', () => {
    expect(kinds({ confirm: true, trials: sequentialTrials }, ideal).match(/invalid/g)).toHaveLength(10);
  });
  test('nothing more after a proof', () => {
    const known = anEntry({ class: 'not_enforced', status: 200 });
    const ignored = { ...ideal, invalid: broke({ colour: 'blue' }) };
    expect(kinds({ confirm: true }, ignored)).toMatch(/^valid free invalid( invalid)*$/);
    expect(kinds({ confirm: true, expected: known }, ignored)).toBe('invalid');
  });
  describe('of a keyword that the baseline knows', () => {
    const ignored = anEntry({ class: 'not_enforced', status: 200, passed: 4, total: 10 });
    const refusedBefore = anEntry({ class: 'http_error', reason: 'schema_rejected', status: 400 });
    const description = { ...spec, keyword: 'description' };
    test('as ignored: one reply that breaks it again', () => {
      const { finding, asks } = conclude(
        enforce,
        asked({ confirm: true, expected: ignored }),
        each({ ...ideal, invalid: broke({ colour: 'blue' }) }),
      );
      expect(asks).toHaveLength(1);
      expect(finding).toMatchObject({
        ...{ verdict: 'fail', class: 'not_enforced', enforcement: 'ignored', doubtOutcome: null },
        trials: { total: 1, passed: 0 },
      });
    });
    test('as refused: one refusal', () => {
      const of = asked({ confirm: true, expected: refusedBefore });
      const { finding, asks } = conclude(enforce, of, each({ invalid: refused }));
      expect(asks.map(({ kind }) => kind)).toEqual(['invalid']);
      expect(finding).toMatchObject({ verdict: 'fail', enforcement: 'refused', doubtOutcome: null, status: 400 });
    });
    test('as refused, and only to be accepted: one refusal of the valid document', () => {
      const of = asked({ confirm: true, expected: refusedBefore }, description);
      const { finding, asks } = conclude(enforce, of, each({ valid: refused }));
      expect(asks.map(({ kind }) => kind)).toEqual(['valid']);
      expect(finding).toMatchObject({ enforcement: 'refused', doubtOutcome: null });
    });
    test('everything else as soon as that reply shows something else', () => {
      expect(kinds({ confirm: true, expected: ignored }, ideal)).toMatch(/^invalid valid free invalid/);
      expect(kinds({ confirm: true, expected: refusedBefore }, ideal)).toMatch(/^invalid valid free invalid/);
      const otherwise = { ...refused, reason: 'parameter_rejected' } as const;
      const refusals = { valid: otherwise, invalid: otherwise, free: otherwise };
      expect(kinds({ confirm: true, expected: refusedBefore }, refusals)).toMatch(/^invalid valid free/);
    });
    test('as broken: one reply of each kind that shows the loss again', () => {
      const known = anEntry({ class: 'empty_content', status: 200 });
      const empty = { ...failing, class: 'empty_content' } as const;
      const lost = { valid: empty, invalid: empty, free: broke({ colour: 'blue' }) };
      const { finding, asks } = conclude(enforce, asked({ confirm: true, expected: known }), each(lost));
      expect(asks.map(({ kind }) => kind)).toEqual(['valid', 'free', 'invalid']);
      expect(finding).toMatchObject({ verdict: 'fail', enforcement: 'broken', doubtOutcome: null });
      expect(kinds({ confirm: true, expected: known }, ideal).length).toBeGreaterThan('valid free invalid'.length);
      expect(kinds({ confirm: true, expected: { kind: 'new' } }, lost).length).toBeGreaterThan(
        'valid free invalid'.length,
      );
    });
    describe('as unclear', () => {
      const unclear = { confirm: true, expected: { kind: 'pass', threshold: null, trials: 0 } } as const;
      const otherDocument = gave({ colour: 'red', size: 1 });
      test.each<[string, Answers]>([
        ['the valid document still does not come back', { ...ideal, valid: otherDocument }],
        ['the model still does not break the keyword by itself', { ...ideal, free: gave({ colour: 'red' }) }],
        ['the model still writes something else without the schema', { ...ideal, free: prose }],
        ['replies are still cut off', { valid: cut, free: cut, invalid: cut }],
      ])('one reply of each kind where %s', (_, answers) => {
        const { finding, asks } = conclude(enforce, asked(unclear), each(answers));
        expect(asks.map(({ kind }) => kind)).toEqual(['valid', 'free', 'invalid']);
        expect(finding).toMatchObject({ verdict: 'inconclusive', enforcement: 'unclear', doubtOutcome: null });
      });
      test('as if it were new where these replies can lead to a proof', () => {
        const { finding, asks } = conclude(enforce, asked(unclear), each(ideal));
        expect(asks.filter(({ kind }) => kind === 'invalid')).toHaveLength(7);
        expect(finding).toMatchObject({ verdict: 'pass', enforcement: 'enforced' });
        expect(about({ ...ideal, invalid: broke({ colour: 'blue' }) }, unclear).enforcement).toBe('ignored');
        expect(about({ ...ideal, valid: refused, invalid: refused }, unclear).enforcement).toBe('refused');
      });
      test('as if it were new until it is decided, with certify', () => {
        const answers = { ...ideal, valid: otherDocument };
        expect(kinds({ ...unclear, trials: sequentialTrials }, answers).match(/invalid/g)?.length).toBeGreaterThan(3);
      });
    });
    test('with a given number of trials, as often as requested', () => {
      expect(kinds({ expected: ignored }, { ...ideal, invalid: broke({ colour: 'blue' }) })).toBe('valid free invalid');
    });
  });
  test('but how often a new keyword is broken, so that a later change can be told', () => {
    const ignored = { ...ideal, invalid: broke({ colour: 'blue' }) };
    expect(kinds({ confirm: true, expected: { kind: 'new' } }, ignored)).toBe('valid free invalid invalid invalid');
    let nth = 0;
    const seldom = (ask: Ask) =>
      ask.kind === 'invalid' ? (nth++ === 0 ? broke({ colour: 'blue' }) : gave({ colour: 'red' })) : each(ideal)(ask);
    const { finding } = conclude(enforce, asked({ confirm: true }), seldom);
    expect(finding).toMatchObject({ enforcement: 'ignored', trials: { passed: 9, total: 10 } });
  });
  test('seven conforming replies where nothing is known of the keyword', () => {
    expect(kinds({ confirm: true, expected: { kind: 'new' } }, ideal).match(/invalid/g)).toHaveLength(7);
    const little = { kind: 'pass', threshold: null, trials: 3 } as const;
    expect(kinds({ confirm: true, expected: little }, ideal).match(/invalid/g)).toHaveLength(7);
  });
});

describe('against the baseline', () => {
  test('a keyword that is no longer enforced is a regression after a fresh sample of the invalid document', () => {
    const { finding, asks } = conclude(
      enforce,
      asked({ confirm: true, expected: { kind: 'pass', threshold: null } }),
      each({ ...ideal, invalid: broke({ colour: 'blue' }) }),
    );
    expect(asks.filter(({ kind }) => kind === 'invalid').length).toBeLessThanOrEqual(10);
    expect(finding).toMatchObject({ doubtOutcome: 'confirmed', law: { suspicion: 'regression' } });
  });
  test('one that is now enforced is an improvement', () => {
    const finding = about(ideal, { confirm: true, expected: anEntry({ class: 'not_enforced', status: 200 }) });
    expect(finding).toMatchObject({ verdict: 'pass', doubtOutcome: 'confirmed', law: { suspicion: 'improvement' } });
  });
  describe('known as ignored', () => {
    const ignored = anEntry({ class: 'not_enforced', status: 200, passed: 4, total: 10 });
    test('a conforming reply is no news, nor are as many as chance gives', () => {
      let nth = 0;
      const answer = (ask: Ask) =>
        ask.kind === 'invalid' ? (++nth === 9 ? broke({ colour: 'blue' }) : gave({ colour: 'red' })) : each(ideal)(ask);
      const { finding } = conclude(enforce, asked({ confirm: true, expected: ignored }), answer);
      expect(finding).toMatchObject({ enforcement: 'ignored', doubtOutcome: 'cleared' });
    });
    test('a row that the known rate of violations rules out is', () => {
      const { finding } = conclude(enforce, asked({ confirm: true, expected: ignored }), each(ideal));
      expect(finding).toMatchObject({
        enforcement: 'enforced',
        doubtOutcome: 'confirmed',
        law: { suspicion: 'improvement' },
      });
    });
    test('no row is long enough for one that was hardly ever broken', () => {
      const rarely = anEntry({ class: 'not_enforced', status: 200, passed: 9, total: 10 });
      const { finding } = conclude(enforce, asked({ confirm: true, expected: rarely }), each(ideal));
      expect(finding).toMatchObject({ doubtOutcome: null });
    });
    test('a schema that is refused now is a change', () => {
      const finding = about({ valid: refused, invalid: refused }, { confirm: true, expected: ignored });
      expect(finding).toMatchObject({
        enforcement: 'refused',
        doubtOutcome: 'confirmed',
        law: { suspicion: 'changed' },
      });
    });
  });

  test.each<readonly [string, Answers, string]>([
    ['enforced', ideal, 'improvement'],
    ['ignored', { ...ideal, invalid: broke({ colour: 'blue' }) }, 'changed'],
    ['broken', { ...ideal, valid: gave({}), invalid: gave({}) }, 'changed'],
  ])('a refused schema that is accepted now: %s', (enforcement, answers, suspicion) => {
    const known = anEntry({ class: 'http_error', reason: 'schema_rejected', status: 400 });
    const finding = about(answers, { confirm: true, expected: known });
    expect(finding).toMatchObject({ enforcement, doubtOutcome: 'confirmed', law: { suspicion } });
  });

  test('a document that comes back again is an improvement, and one that is lost a regression', () => {
    const wasBroken = anEntry({ class: 'rule_violation', status: 200 });
    expect(about(ideal, { confirm: true, expected: wasBroken })).toMatchObject({
      doubtOutcome: 'confirmed',
      law: { suspicion: 'improvement' },
    });
    const lost = { ...ideal, valid: gave({}) };
    expect(about(lost, { confirm: true, expected: wasBroken })).toMatchObject({
      enforcement: 'broken',
      doubtOutcome: null,
    });
    const pass = { kind: 'pass', threshold: null } as const;
    expect(about(lost, { confirm: true, expected: pass })).toMatchObject({
      enforcement: 'broken',
      doubtOutcome: 'confirmed',
      law: { suspicion: 'regression' },
    });
  });

  describe('a keyword that breaks in two ways', () => {
    const empty: Outcome = { ...failing, class: 'empty_content', value: '' };
    const wasCrash = { ...anEntry({ class: 'http_error', reason: 'server_error', status: 500 }), trials: 7 };
    const answers = (isCrash: (nth: number) => boolean) => {
      let nth = 0;
      return (ask: Ask) => {
        if (ask.kind === 'free') return each(ideal)(ask);
        nth += 1;
        return isCrash(nth) ? crashed : empty;
      };
    };
    const ask = (isCrash: (nth: number) => boolean) =>
      conclude(enforce, asked({ confirm: true, expected: wasCrash }), answers(isCrash)).finding;

    test('has not changed while the known one still comes', () => {
      for (const seldom of [2, 3, 4]) {
        const finding = ask((nth) => nth > 10 && nth % seldom === 0);
        expect({ seldom, ...finding }).toMatchObject({ enforcement: 'broken', doubtOutcome: 'cleared' });
      }
    });
    test('has changed once it does not', () => {
      expect(ask(() => false)).toMatchObject({ doubtOutcome: 'confirmed', law: { suspicion: 'changed' } });
    });
  });

  test('what an unclear cell proves later is no news', () => {
    const nothingKnown = { kind: 'pass', threshold: null, trials: 0 } as const;
    const ignored = { ...ideal, invalid: broke({ colour: 'blue' }) };
    expect(about(ignored, { confirm: true, expected: nothingKnown })).toMatchObject({
      enforcement: 'ignored',
      doubtOutcome: 'cleared',
    });
  });

  test('an unclear result takes no fresh sample', () => {
    const finding = about({ ...ideal, invalid: cut }, { confirm: true, expected: { kind: 'pass', threshold: null } });
    expect(finding).toMatchObject({ verdict: 'inconclusive', doubtOutcome: null });
  });
});
