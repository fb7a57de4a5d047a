import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../../test/support/random.js';
import { aPlannedCell, countedTrials, failing, passing } from '../../../../test/support/build.js';
import { conclude } from '../../../../test/support/run-course.js';
import type { Enforcement } from '../../../cell/verdict.js';
import type { Reply } from '../../../chat/reply.js';
import { checkSchema } from '../../../judge/schema/conformance.js';
import type { Outcome } from '../../../judge/outcome.js';
import type { Json } from '../../../json/json.js';
import type { Ask } from '../../../plan/plan.js';
import type { EnforceSpec } from '../../../suite/probe.js';
import { courseCost, coursesFor } from '../courses.js';

const spec: EnforceSpec = {
  keyword: 'enum',
  schema: {
    type: 'object',
    properties: { colour: { type: 'string', enum: ['red', 'green'] } },
    required: ['colour'],
    additionalProperties: false,
  },
  valid: { colour: 'red' },
  invalid: { colour: 'blue' },
};

const treatments = ['enforced', 'ignored', 'refused', 'broken'] as const;
const habits = ['repeats', 'fenced', 'corrects', 'unrelated', 'chatty'] as const;

/** How a service treats a keyword, and how its model answers. */
interface Model {
  readonly how: (typeof treatments)[number];
  /** Share of the replies that break an ignored keyword. */
  readonly breaks: number;
  readonly habit: (typeof habits)[number];
  /** Whether a reply under an ignored schema is still a bare document. */
  readonly bare: boolean;
  /** What comes instead of a document that a broken schema allows. */
  readonly instead: 'other' | 'empty' | 'error';
  /** What goes wrong with some replies under any schema, whatever the keyword. */
  readonly mess: 'error' | 'empty' | 'cut' | 'fenced' | 'refused';
  readonly messy: number;
}

const tidy: Model = {
  ...{ how: 'enforced', breaks: 1, habit: 'repeats', bare: true },
  ...{ instead: 'empty', mess: 'cut', messy: 0 },
};

const repeats = ({ habit }: Model): boolean => habit !== 'unrelated' && habit !== 'corrects';

function randomModel(random: () => number): Model {
  const pick = <T>(...from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return {
    how: pick(...treatments),
    breaks: pick(1, 1, 0.6),
    habit: pick(...habits),
    bare: random() < 0.7,
    instead: pick('other', 'empty', 'error'),
    mess: pick('error', 'empty', 'cut', 'fenced', 'refused'),
    messy: pick(0, 0, 0.2, 0.5),
  };
}

const error = (status: number, reason: Outcome['reason']): Outcome => ({
  ...failing,
  ...{ class: 'http_error', rung: null, value: undefined, status, reason },
});
const rejected = error(400, 'schema_rejected');
const crashed = error(500, 'server_error');
const emptyReply: Reply = {
  ...{ id: null, request_id: null, object: null, model: null, system_fingerprint: null, role: null, content: null },
  ...{ reasoning: null, refusal: null, tool_calls: [], finish_reason: null, usage: null, choices: 1, streamed: false },
  ...{ ending: 'plain', empty_chunks: 0, quirks: [] },
};

function document(value: Json): Outcome {
  const reply = { ...emptyReply, content: JSON.stringify(value) };
  const found = checkSchema(value, spec.schema);
  if (found.kind !== 'violates') return { ...passing, value, reply };
  return { ...failing, class: 'schema_violation', rung: 'parses', value, reply, violations: found.violations };
}

function text(content: string): Outcome {
  const failure = content === '' ? 'empty_content' : 'not_json';
  return { ...failing, class: failure, rung: 'present', value: content, reply: { ...emptyReply, content } };
}

const fenced = (value: Json): Outcome => text(`\`\`\`json\n${JSON.stringify(value)}\n\`\`\``);

/** A document that no schema binds. */
function freely({ habit }: Model, value: Json): Outcome {
  switch (habit) {
    case 'repeats':
      return document(value);
    case 'fenced':
      return fenced(value);
    case 'corrects':
      return document(spec.valid);
    case 'unrelated':
      return text('warm plain words');
    case 'chatty':
      return text(`Here it is: ${JSON.stringify(value)} I hope this helps.`);
  }
}

/** The model writes a document because the schema makes it. */
function bound({ habit }: Model, value: Json): Outcome {
  if (habit === 'unrelated') return document({ colour: 'mud' });
  return document(habit === 'corrects' ? spec.valid : value);
}

function answer(model: Model, kind: Ask['kind'], random: () => number): Outcome {
  const asked = kind === 'valid' ? spec.valid : spec.invalid;
  if (kind === 'free') return freely(model, asked);
  if (random() < model.messy) return messOf(model, asked);
  if (kind === 'loose') return bound(model, asked);
  switch (model.how) {
    case 'enforced':
      return model.habit === 'unrelated' ? document({ colour: 'green' }) : document(spec.valid);
    case 'ignored':
      if (!model.bare) return freely(model, asked);
      return random() < model.breaks ? bound(model, asked) : document(spec.valid);
    case 'refused':
      return rejected;
    case 'broken':
      return model.instead === 'error' ? crashed : model.instead === 'empty' ? text('') : document({ colour: 'green' });
  }
}

function messOf({ mess }: Model, asked: Json): Outcome {
  switch (mess) {
    case 'error':
      return crashed;
    case 'empty':
      return text('');
    case 'cut':
      return { ...failing, class: 'truncated', rung: 'accepted', reply: { ...emptyReply, content: '{"col' } };
    case 'fenced':
      return fenced(asked);
    case 'refused':
      return error(400, 'unknown');
  }
}

const { enforce } = coursesFor({ plannedCells: 720 });

const planned = aPlannedCell({
  ...{ course: 'enforce', expected: { kind: 'new' }, confirm: true, trials: countedTrials(1) },
  probe: { enforce: spec },
});

const ask = (model: Model, random: () => number) =>
  conclude(enforce, planned, ({ kind }) => answer(model, kind, random));

const saidOf = (model: Model, random: () => number): Enforcement => ask(model, random).finding.enforcement!;

describe('what is said of a model that always answers alike', () => {
  // Unclear: it is never seen to break the keyword. Whether a schema forbids too much takes a model that repeats
  // documents.
  const said: Record<Model['habit'], readonly Enforcement[]> = {
    repeats: ['enforced', 'ignored', 'refused', 'broken'],
    fenced: ['enforced', 'ignored', 'refused', 'broken'],
    corrects: ['unclear', 'unclear', 'refused', 'broken'],
    unrelated: ['enforced', 'ignored', 'refused', 'broken'],
    chatty: ['enforced', 'ignored', 'refused', 'broken'],
  };
  test.each(habits)('%s', (habit) => {
    const random = randomFrom(1);
    expect(treatments.map((how) => saidOf({ ...tidy, habit, how }, random))).toEqual(said[habit]);
  });
  test.each(habits.filter((habit) => habit !== 'repeats'))('in a text under a schema that is ignored: %s', (habit) => {
    expect(saidOf({ ...tidy, how: 'ignored', bare: false, habit }, randomFrom(1))).toBe('unclear');
  });
});

describe('what is said of random models', () => {
  const random = randomFrom(7);
  const all = Array.from({ length: 1200 }, () => {
    const model = randomModel(random);
    const { finding, asks } = ask(model, random);
    return { model, said: finding.enforcement!, asks: asks.length };
  });

  test('is never wrong', () => {
    const isWrong = ({ model, said }: (typeof all)[number]) =>
      said !== 'unclear' &&
      said !== (model.how === 'broken' && said === 'enforced' && !repeats(model) ? said : model.how);
    expect(all.filter(isWrong)).toEqual([]);
  });
  test('takes no more requests than were announced, and as many of a model that repeats documents', () => {
    const { expected, largest } = courseCost(planned);
    expect(Math.max(...all.map(({ asks }) => asks))).toBeLessThanOrEqual(largest);
    expect(ask(tidy, random).asks).toHaveLength(expected);
  });
  test.each(treatments)('and seldom unclear where the model repeats documents: %s', (how) => {
    const able = all.filter(({ model }) => model.how === how && model.habit === 'repeats' && model.messy < 0.5);
    const unclear = able.filter(({ said }) => said === 'unclear');
    expect(able.length).toBeGreaterThan(15);
    expect(unclear.length / able.length).toBeLessThan(0.2);
  });
});

describe('refusals that blame no schema', () => {
  const unspecific = error(400, 'response_format_unsupported');
  const statuses = { new: { kind: 'new' }, known: { kind: 'pass', threshold: null, trials: 7 } } as const;
  type Known = keyof typeof statuses;

  /** A form that refuses some requests, whatever their schema, on a service that perhaps refuses the keyword, too. */
  const concluded = (how: Model['how'], share: number, random: () => number, known: Known = 'new') =>
    conclude(enforce, { ...planned, expected: statuses[known] }, ({ kind }) => {
      if (kind !== 'free' && random() < share) return unspecific;
      const said = answer({ ...tidy, how }, kind, random);
      return said === rejected ? unspecific : said;
    });
  const many = (how: Model['how'], share: number, times = 1000) => {
    const random = randomFrom(Math.round(share * 1000));
    return Array.from({ length: times }, () => concluded(how, share, random).finding.enforcement!);
  };
  const countOf = (all: readonly Enforcement[], one: Enforcement) => all.filter((said) => said === one).length;

  test.each([0.3, 0.6, 0.8, 0.95])('a form that refuses %d of all requests does not refuse the keyword', (share) => {
    for (const how of ['enforced', 'ignored'] as const) {
      expect(countOf(many(how, share), 'refused')).toBeLessThanOrEqual(10);
    }
  });
  test('a keyword that is always refused is told from its form', () => {
    expect(countOf(many('refused', 0, 1), 'refused')).toBe(1);
    expect(countOf(many('refused', 0.2), 'refused')).toBeGreaterThan(800);
  });
  test('of a form that is always refused nothing is said about the keyword, but that it fails', () => {
    const { finding, asks } = concluded('enforced', 1, randomFrom(1));
    expect(finding).toMatchObject({ enforcement: 'unclear', verdict: 'fail', reason: 'response_format_unsupported' });
    expect(asks.filter(({ kind }) => kind === 'loose')).toHaveLength(3);
  });
  test('a random form is no news of a keyword that was known as enforced; one that is always refused now is', () => {
    const random = randomFrom(11);
    const nights = Array.from({ length: 1000 }, () => concluded('enforced', 0.6, random, 'known').finding.doubtOutcome);
    expect(nights.filter((doubtOutcome) => doubtOutcome === 'confirmed').length).toBeLessThanOrEqual(4);
    for (const share of [0, 1]) {
      expect(concluded('refused', share, random, 'known').finding).toMatchObject({
        enforcement: 'refused',
        doubtOutcome: 'confirmed',
      });
    }
  });
  test('with an exact number of trials, the schema without the keyword is asked as often', () => {
    const exact = { ...planned, confirm: false, trials: countedTrials(3) };
    const only = (refuses: (kind: Ask['kind']) => boolean) =>
      conclude(enforce, exact, ({ kind }) => (refuses(kind) ? unspecific : answer(tidy, kind, () => 1)));
    const keyword = only((kind) => kind === 'valid' || kind === 'invalid');
    expect(keyword.finding).toMatchObject({ enforcement: 'refused', verdict: 'fail' });
    expect(keyword.asks).toHaveLength(courseCost(exact).largest);
    expect(only((kind) => kind !== 'free').finding).toMatchObject({ enforcement: 'unclear', verdict: 'fail' });
  });
});
